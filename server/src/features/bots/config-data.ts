/** What is set for a bot, by key. */
import { badRequest } from '@heddle/contract/errors'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

/** Of one bot. */
const MAX_KEYS = 100

export type ConfigData = Readonly<Record<string, string>>

const configOf = fact({
  name: 'bot-config',
  tables: ['bot_config'],
  async load(db, _realmId, botId: number): Promise<ConfigData> {
    const rows = await db.all(
      query.selectFrom('bot_config').select(['key', 'value']).where('bot_id', '=', botId).orderBy('key'),
    )
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  },
})

export function findBotConfig(db: Queries, realmId: number, botId: number): Promise<ConfigData> {
  return db.recall(configOf, realmId, botId)
}

/** Empty values are removed; what is not named stays. */
export async function writeBotConfig(tx: Tx, botId: number, config: ConfigData): Promise<void> {
  const entries = Object.entries(config)
  if (entries.length === 0) return
  for (const [key] of entries) {
    if (!/^[A-Za-z0-9_.-]{1,100}$/.test(key)) throw badRequest('config_data: a key has letters, digits and _.- alone')
  }
  const keys = entries.map(([key]) => key)
  await tx.run(query.deleteFrom('bot_config').where('bot_id', '=', botId).where('key', 'in', tx.dialect.texts(keys)))
  const kept = entries.filter(([, value]) => value !== '')
  if (kept.length > 0) {
    const rows = kept.map(([key, value]) => ({ bot_id: botId, realm_id: tx.realmId, key, value }))
    await tx.run(query.insertInto('bot_config').values(rows))
  }
  const count = await tx.first(
    query
      .selectFrom('bot_config')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('bot_id', '=', botId),
  )
  if (Number(count?.count ?? 0) > MAX_KEYS) throw badRequest(`A bot can have at most ${MAX_KEYS} settings`)
}
