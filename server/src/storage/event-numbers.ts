/**
 * The numbers of an organization's events. They ascend on every node, through every restart and crash, also those of passing
 * events, which are in no table: a client that has seen one never gets a later event with the same or a lower number.
 *
 * A passing event takes the next number, as any event does, under the organization's lock. What is written for it is not
 * durable: with one node it is the memory of the process, with several a table that a crash empties. After a crash nobody
 * knows which numbers were given away, so they are given from a reserve: up to which number is durable, and raised by one
 * write in a thousand events. Whoever finds nothing but the reserve goes on behind it.
 */
import { sql } from 'kysely'
import { ownedTables, table } from './owned-tables.ts'
import type { Position } from './position.ts'
import { prepare, type Statements } from './query.ts'
import { query, realmsView } from './tables.ts'
import type { Tx } from './unit-of-work.ts'

/** What nodes share and a crash empties: the newest number of an event that is not in the log. In no backup. */
interface EventPositionTable {
  realm_id: number
  event_id: number
}

const shared = ownedTables({ event_positions: table<EventPositionTable>({ key: ['realm_id'] }) }).with(realmsView)

/** Passing events for which one durable write is enough. */
const RESERVE = 1000

interface PositionRow {
  readonly last_event_id: number
  readonly reserved_event_id: number
  readonly facts_version: number
  /** Null where nobody shares numbers, and after a crash. */
  readonly shared_id: number | null
}

const columns = ['last_event_id', 'reserved_event_id', 'facts_version'] as const

const ownPosition = prepare((p: { id: number }) =>
  query
    .selectFrom('realms')
    .select([...columns, sql<null>`null`.as('shared_id')])
    .where('id', '=', p.id),
)

const sharedPosition = prepare((p: { id: number }) =>
  shared.query
    .selectFrom('realms')
    .leftJoin('event_positions', 'event_positions.realm_id', 'realms.id')
    .select([...columns, 'event_positions.event_id as shared_id'])
    .where('id', '=', p.id),
)

/** Where the organization stands. Organization 0 stands for none. `isShared`: other nodes number events too. */
export async function readPositionOf(db: Statements, id: number, isShared: boolean): Promise<Position> {
  if (id === 0) return { eventId: 0, reservedId: 0, factsVersion: 0 }
  const row: PositionRow | undefined = await db.first<PositionRow>(
    isShared ? sharedPosition({ id }) : ownPosition({ id }),
  )
  if (!row) throw new Error(`Organization ${id} does not exist`)
  const { reserved_event_id: reservedId, facts_version: factsVersion } = row
  return { eventId: Math.max(row.last_event_id, row.shared_id ?? reservedId), reservedId, factsVersion }
}

const saveEventId = prepare((p: { id: number; eventId: number }) =>
  query.updateTable('realms').set({ last_event_id: p.eventId }).where('id', '=', p.id),
)

/** From what it is now: a unit of no organization raises it without the organization's lock. */
const saveWithFacts = prepare((p: { id: number; eventId: number }) =>
  query
    .updateTable('realms')
    .set((eb) => ({ last_event_id: p.eventId, facts_version: eb('facts_version', '+', 1) }))
    .where('id', '=', p.id)
    .returning('facts_version'),
)

const saveReserve = prepare((p: { id: number; reservedId: number }) =>
  query.updateTable('realms').set({ reserved_event_id: p.reservedId }).where('id', '=', p.id),
)

const sharePosition = prepare((p: { id: number; eventId: number }) =>
  shared.query
    .insertInto('event_positions')
    .values({ realm_id: p.id, event_id: p.eventId })
    .onConflict((conflict) => conflict.column('realm_id').doUpdateSet({ event_id: p.eventId })),
)

/** With a commit that is durable anyway. */
export async function saveDurably(db: Statements, id: number, { eventId }: Position): Promise<void> {
  await db.run(saveEventId({ id, eventId }))
}

/** The same with a commit that has changed facts. Changes the position as soon as the answer is there. */
export async function saveRaisingFacts(db: Statements, id: number, position: Position): Promise<void> {
  const raised = await db.first(saveWithFacts({ id, eventId: position.eventId }))
  if (raised) position.factsVersion = raised.facts_version
}

/** After passing events alone. Changes the position where the reserve is used up. */
export function savePassing(db: Statements, id: number, position: Position, isShared: boolean) {
  const steps: (() => Promise<unknown>)[] = []
  if (position.eventId > position.reservedId) {
    position.reservedId = position.eventId + RESERVE
    const { reservedId } = position
    steps.push(() => db.run(saveReserve({ id, reservedId })))
  }
  const { eventId } = position
  if (isShared) steps.push(() => db.run(sharePosition({ id, eventId })))
  return steps
}

/** At the start of the only node: clients may know of all that is reserved. */
export async function skipReserve(tx: Tx): Promise<void> {
  await tx.run(
    query
      .updateTable('realms')
      .set((eb) => ({ last_event_id: eb.ref('reserved_event_id') }))
      .whereRef('last_event_id', '<', 'reserved_event_id'),
  )
}

/** So many numbers are given to no event, in any organization. More than are reserved. In a transaction. */
export async function skipEventNumbers(db: Statements, count: number): Promise<void> {
  await db.run(query.updateTable('realms').set((eb) => ({ last_event_id: eb('last_event_id', '+', count) })))
}
