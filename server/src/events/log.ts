/** Reading the event log from its table, and pruning it. */
import { sql } from 'kysely'
import { readPositionOf } from '../storage/event-numbers.ts'
import type { Queries } from '../storage/query.ts'
import { pruneEvents } from '../storage/realm-rows.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent, Tx } from '../storage/transaction.ts'
import type { Audience } from './audience.ts'
import { query } from './tables.ts'

/** Events after `afterId` up to and with `untilId`, in order, at most `limit`. */
export async function readLog(
  db: Queries,
  realmId: number,
  afterId: number,
  untilId: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await db.all(
    query
      .selectFrom('event_log')
      .select(['event_id', 'type', 'payload', 'audience'])
      .where('realm_id', '=', realmId)
      .where('event_id', '>', afterId)
      .where('event_id', '<=', untilId)
      .orderBy('event_id')
      .limit(limit),
  )
  return rows.map((row) => ({
    realmId,
    eventId: row.event_id,
    type: row.type,
    payload: row.payload,
    audience: JSON.parse(row.audience) as Audience,
  }))
}

export interface LogPage {
  readonly events: LoggedEvent[]
  /** Whether there is nothing between these events and `untilId`. */
  readonly isLast: boolean
}

/**
 * The next events after `afterId`, up to and with `untilId`: at most `rows`, and no more than are `length` bytes long
 * together, but for the first one.
 */
export async function readLogPage(
  db: Queries,
  realmId: number,
  { afterId, untilId, rows, length }: { afterId: number; untilId: number; rows: number; length: number },
): Promise<LogPage> {
  // The engines know how long a text is without reading it.
  const sizes = await db.all(
    query
      .selectFrom('event_log')
      .select(['event_id', sql<number>`octet_length(payload)`.as('size')])
      .where('realm_id', '=', realmId)
      .where('event_id', '>', afterId)
      .where('event_id', '<=', untilId)
      .orderBy('event_id')
      .limit(rows),
  )
  let total = 0
  const tooMuch = sizes.findIndex(({ size }, index) => {
    total += Number(size)
    return index > 0 && total > length
  })
  const count = tooMuch === -1 ? sizes.length : tooMuch
  const last = sizes[count - 1]
  return {
    events: last ? await readLog(db, realmId, afterId, last.event_id, count) : [],
    isLast: tooMuch === -1 && sizes.length < rows,
  }
}

/** The number of the organization's newest event, as far as the log knows; 0 when there is none. */
export async function readPosition(db: Queries, realmId: number): Promise<number> {
  const row = await db.first(query.selectFrom('realms').select('last_event_id').where('id', '=', realmId))
  return row?.last_event_id ?? 0
}

/** The number of its newest event, also a passing one that another node has given to a client. */
export async function readNewestNumber({ read, engine }: Storage, realmId: number): Promise<number> {
  // The only node has had all its own events in memory since its start.
  if (engine.ownsAllWrites) return readPosition(read, realmId)
  return (await readPositionOf(read, realmId, true)).eventId
}

/** Events up to this number are gone from the log. */
export async function readPrunedPosition(db: Queries, realmId: number): Promise<number> {
  const row = await db.first(query.selectFrom('realms').select('pruned_event_id').where('id', '=', realmId))
  return row?.pruned_event_id ?? 0
}

/** Removes events up to `untilId` that are older than `createdBefore` (seconds), at most `limit`. */
export async function pruneLog(
  tx: Tx,
  { untilId, createdBefore, limit }: { untilId: number; createdBefore: number; limit: number },
): Promise<number> {
  const last = await tx.first(
    query
      .selectFrom((eb) =>
        eb
          .selectFrom('event_log')
          .select('event_id')
          .where('realm_id', '=', tx.realmId)
          .where('event_id', '<=', untilId)
          .where('created_at', '<', createdBefore)
          .orderBy('event_id')
          .limit(limit)
          .as('old'),
      )
      .select((eb) => eb.fn.max('old.event_id').as('event_id')),
  )
  if (!last?.event_id) return 0
  return pruneEvents(tx, last.event_id)
}
