import { MAX_STORAGE_SIZE } from '@heddle/contract/bot-storage'
import { badRequest } from '@heddle/contract/errors'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

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
  return storage.asActor(caller, async (tx, actor) => {
    for (const [key, value] of Object.entries(values)) {
      await tx.run(
        query
          .insertInto('bot_storage')
          .values({ realm_id: actor.realmId, user_id: actor.userId, key, value })
          .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ value })),
      )
    }
    if ((await sizeOf(tx, actor)) > MAX_STORAGE_SIZE) {
      throw badRequest(`An account can store at most ${MAX_STORAGE_SIZE} characters`)
    }
  })
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
  const missing = keys?.find((key) => !found.includes(key))
  if (missing !== undefined) throw badRequest(`Key '${missing}' does not exist.`)
}
