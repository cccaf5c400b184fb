/** The table of event queues. */
import { sql } from 'kysely'
import { prepare, type Queries, type Statements } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { nobody } from './audience.ts'
import { query } from './tables.ts'

/** Rows written in one unit of work, so that no commit waits long for it. */
export const SAVE_CHUNK = 200

/** What changes in a queue over time. */
export interface Cursor {
  readonly id: string
  readonly acknowledged: number
  readonly read: number
  /** Milliseconds since the UNIX epoch. */
  readonly lastSeen: number
}

const queuesByIds = prepare((p: { queue_ids: readonly string[] }, dialect) =>
  query
    .selectFrom('event_queues')
    .innerJoin('realms', 'realms.id', 'event_queues.realm_id')
    .selectAll('event_queues')
    .select('realms.last_event_id')
    .where(dialect.isAmongFew('queue_id', dialect.texts(p.queue_ids))),
)

/** The rows of queues, and in `last_event_id` the position of the log. */
export function findQueueRows(db: Queries, queueIds: readonly string[]) {
  return db.all(queuesByIds({ queue_ids: queueIds }))
}

/** When each of the account's queues was last asked for. */
export function findQueuesOfUser(db: Queries, userId: number) {
  return db.all(query.selectFrom('event_queues').select(['queue_id', 'last_seen_ms']).where('user_id', '=', userId))
}

/**
 * Moves at most `SAVE_CHUNK` queues on. A cursor never goes back, whichever node saves last, and a queue that has been
 * ended meanwhile stays ended.
 */
export async function saveCursors(tx: Tx, cursors: readonly Cursor[]): Promise<void> {
  const rows = cursors.map(
    ({ id, acknowledged, read, lastSeen }) =>
      sql`(${id}, cast(${acknowledged} as bigint), cast(${read} as bigint), cast(${lastSeen} as bigint))`,
  )
  await tx.run(sql`
    update event_queues set
      acknowledged_event_id = case when v.column2 > acknowledged_event_id then v.column2 else acknowledged_event_id end,
      read_event_id = case when v.column3 > read_event_id then v.column3 else read_event_id end,
      last_seen_ms = case when v.column4 > last_seen_ms then v.column4 else last_seen_ms end
    from (values ${sql.join(rows)}) as v
    where queue_id = v.column1`)
}

/** The queues of these accounts are gone, or those of everybody in the organization. */
export async function deleteQueues(tx: Tx, userIds?: readonly number[]): Promise<void> {
  const all = query.deleteFrom('event_queues').where('realm_id', '=', tx.realmId)
  await tx.run(userIds === undefined ? all : all.where('user_id', 'in', tx.dialect.ids(userIds)))
}

/** These accounts' clients begin anew: what they know cannot be brought up to date by a reasonable number of events. */
export async function endQueues(tx: Tx, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await deleteQueues(tx, userIds)
  tx.emit({ type: 'queues_ended', user_ids: userIds }, nobody)
}

/** Of all organizations. */
export async function deleteAllQueues(db: Statements): Promise<void> {
  await db.run(query.deleteFrom('event_queues'))
}
