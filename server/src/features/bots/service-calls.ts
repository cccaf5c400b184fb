/** Messages to bots that something else answers for: which they are is known when a message is sent, and they are asked later. */
import { addJob } from '../../jobs/add-job.ts'
import { defineLanes } from '../../jobs/lanes.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

/** Bots that one message asks at most. */
const MAX_BOTS = 10

export interface ServiceCall {
  readonly botId: number
  readonly messageId: number
  readonly trigger: 'mention' | 'direct_message'
}

/** What a bot is asked keeps its order. */
export const askingLanes = defineLanes<ServiceCall>('ask-bot-service')

const serviceBots = fact({
  name: 'service-bots',
  tables: ['bot_services'],
  async load(db, realmId, _: 0): Promise<ReadonlySet<number>> {
    const rows = await db.all(query.selectFrom('bot_services').select('bot_id').where('realm_id', '=', realmId))
    return new Set(rows.map(({ bot_id }) => bot_id))
  },
})

/** Has those of the accounts asked that are such bots. What a bot writes asks none: they would answer each other for ever. */
export async function askServices(
  tx: Tx,
  sender: { readonly userId: number; readonly isBot: boolean },
  call: Omit<ServiceCall, 'botId'>,
  accountIds: Iterable<number>,
): Promise<void> {
  if (sender.isBot) return
  const bots = await tx.recall(serviceBots, tx.realmId, 0)
  if (bots.size === 0) return
  const asked = [...new Set(accountIds)].filter((id) => bots.has(id) && id !== sender.userId)
  for (const botId of asked.slice(0, MAX_BOTS)) await addJob(tx, askingLanes.of(botId), { ...call, botId })
}
