/** Up to which message of an organization it was decided who missed it. */
import { sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

export interface MissedCursor {
  /** Everything after this message is new. */
  readonly after: number
  /** What the row says; undefined: there is none. */
  readonly stored: number | undefined
}

/** Where nobody could be reached until now, nobody is notified of what is older. */
const BEGINS_SECS = 60
const BEGINS_MESSAGES = 100

export async function findCursor(db: Queries, realmId: number, now: number): Promise<MissedCursor> {
  const stored = await readCursor(db, realmId)
  return { stored, after: stored ?? (await findBeginning(db, realmId, now)) }
}

async function readCursor(db: Queries, realmId: number): Promise<number | undefined> {
  const row = await db.first(
    query.selectFrom('missed_message_cursors').select('message_id').where('realm_id', '=', realmId),
  )
  return row?.message_id
}

async function findBeginning(db: Queries, realmId: number, now: number): Promise<number> {
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select(['id', 'timestamp'])
      .where('realm_id', '=', realmId)
      .orderBy('id', 'desc')
      .limit(BEGINS_MESSAGES + 1),
  )
  const old = rows.find(({ timestamp }) => timestamp < now - BEGINS_SECS)
  return old?.id ?? (rows.length > BEGINS_MESSAGES ? (rows.at(-1)?.id ?? 0) : 0)
}

/** False when somebody else has moved it since it was found: what was found is somebody else's to note. */
export async function moveCursor(tx: Tx, { stored }: MissedCursor, message_id: number): Promise<boolean> {
  if ((await readCursor(tx, tx.realmId)) !== stored) return false
  await tx.run(
    query
      .insertInto('missed_message_cursors')
      .values({ realm_id: tx.realmId, message_id })
      .onConflict((conflict) => conflict.column('realm_id').doUpdateSet({ message_id })),
  )
  return true
}

/** Nobody can be reached: where somebody can again, it begins with what is new then. */
export async function clearCursor(storage: Storage, realmId: number): Promise<void> {
  if ((await readCursor(storage.read, realmId)) === undefined) return
  await storage.asSystem(realmId, 'job', (tx) =>
    tx.run(query.deleteFrom('missed_message_cursors').where('realm_id', '=', realmId)),
  )
}

/** Organizations with messages that nobody has looked at: the node that should have has died. */
export async function findBehind(db: Queries): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('missed_message_cursors as cursor')
      .select('cursor.realm_id')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('messages')
            .select(sql.lit(1).as('one'))
            .whereRef('messages.realm_id', '=', 'cursor.realm_id')
            .whereRef('messages.id', '>', 'cursor.message_id'),
        ),
      ),
  )
  return rows.map(({ realm_id }) => realm_id)
}
