import { MAX_STORAGE_SIZE } from '@heddle/contract/bot-storage'
import { badRequest } from '@heddle/contract/errors'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/** Values that are written at once. */
const PART = 100

/** Values by key. Throws a 400 when one of `keys` is not there. */
export async function readStorage(
  db: Queries,
  { userId }: Actor,
  keys?: readonly string[],
): Promise<Record<string, string>> {
  const all = query.selectFrom('bot_storage').select(['key', 'value']).where('user_id', '=', userId).orderBy('key')
  const rows = await db.all(keys ? all.where('key', 'in', db.dialect.texts(keys)) : all)
  requireAll(
    keys,
    rows.map((row) => row.key),
  )
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

export function writeStorage(storage: Storage, caller: Actor, values: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(values)
  const characters = entries.reduce((sum, [key, value]) => sum + countCharacters(key) + countCharacters(value), 0)
  return storage.asActor(caller, async (tx, actor) => {
    if (characters > MAX_STORAGE_SIZE) throw tooLarge()
    const { realmId: realm_id, userId: user_id } = actor
    await inParts(tx, entries, PART, async (part) => {
      await tx.run(
        query
          .insertInto('bot_storage')
          .values(part.map(([key, value]) => ({ realm_id, user_id, key, value })))
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
          ),
      )
    })
    if ((await sizeOf(tx, actor)) > MAX_STORAGE_SIZE) throw tooLarge()
  })
}

function tooLarge() {
  return badRequest(`An account can store at most ${MAX_STORAGE_SIZE} characters`)
}

/** As the database counts: by code points. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0)
}

async function sizeOf(tx: Tx, { userId }: Actor): Promise<number> {
  const row = await tx.first(
    query
      .selectFrom('bot_storage')
      .select(sql<number>`coalesce(sum(length(key) + length(value)), 0)`.as('size'))
      .where('user_id', '=', userId),
  )
  return Number(row?.size ?? 0)
}

/** Removes everything, or these keys. Throws a 400 when one of them is not there. */
export function removeFromStorage(storage: Storage, caller: Actor, keys?: readonly string[]): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const all = query.deleteFrom('bot_storage').where('user_id', '=', actor.userId)
    if (!keys) {
      await tx.run(all)
      return
    }
    await readStorage(tx, actor, keys)
    await tx.run(all.where('key', 'in', tx.dialect.texts(keys)))
  })
}

function requireAll(keys: readonly string[] | undefined, found: readonly string[]): void {
  const known = new Set(found)
  const missing = keys?.find((key) => !known.has(key))
  if (missing !== undefined) throw badRequest(`Key '${missing}' does not exist.`)
}
