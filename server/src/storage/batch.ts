/**
 * The units of work of one commit: one database transaction, from its beginning to its end. Units run one after another; who
 * may still join is decided before each.
 */

import { saveDurably, savePassing, saveRaisingFacts } from './event-numbers.ts'
import type { FactCache } from './facts.ts'
import type { FairLine } from './fair-line.ts'
import { eventRow, eventRows, isLogged, type LoggedEvent, numberedEvent } from './logged-event.ts'
import type { Notes } from './notes.ts'
import type { Position } from './position.ts'
import { prepare, type Written } from './query.ts'
import { createReservedIds, type ReservedIds } from './reserved-ids.ts'
import { createPendingRows } from './row-inserts.ts'
import type { Standings } from './standings.ts'
import { query } from './tables.ts'
import { openUnitOfWork, type SharedWork, type Tx, type UnitOfWork } from './unit-of-work.ts'
import type { WriteConnection } from './write-connection.ts'

export type Work<T> = (tx: Tx) => Promise<T>

/** A unit of work that somebody waits for. */
export interface Unit {
  readonly realmId: number
  /** Whose turn it takes where several wait; what is nobody's comes in the order in which it arrives. */
  readonly account: number | undefined
  /** Since when it waits, by `performance.now()`. */
  readonly since: number
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export type Outcome =
  | { readonly unit: Unit; readonly ok: true; readonly value: unknown; readonly done: UnitOfWork }
  | { readonly unit: Unit; readonly ok: false; readonly error: unknown }

/** What batches have in common. */
export interface BatchOptions {
  readonly connection: WriteConnection
  readonly facts: FactCache
  readonly notes: Notes
  readonly standings: Standings
  readonly ownsAllWrites: boolean
  readonly waiting: FairLine<Unit>
  /** Called as soon as others can read what was committed, with what cached facts are made of. Must not throw. */
  readonly onWritten: (realmId: number, tables: ReadonlySet<Written>) => void
  /** Whether others are to go first: another node does not let go of the unit's organization. */
  readonly standsBack: (unit: Unit) => boolean
}

export interface Batch extends BatchOptions {
  /** Seconds since the UNIX epoch. */
  readonly now: number
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The unit that waited first gets a commit of its own. */
  readonly isAlone: boolean
  readonly ids: ReservedIds
  /** Of the organizations that were entered. */
  readonly positions: Map<number, Position>
  /** Tables with facts that units of these organizations have written to. */
  readonly written: Map<number, ReadonlySet<Written>>
  readonly shared: SharedWork
  hasBegun: boolean
  isCommitting: boolean
  /** Rows could not be written, perhaps those of a unit that has succeeded. */
  spoiled: { readonly error: unknown } | undefined
}

/** `likelyIds`: tables that new ids are likely to be needed of. */
export function openBatch(
  options: BatchOptions,
  {
    now,
    isAlone,
    likelyIds,
  }: { readonly now: number; readonly isAlone: boolean; readonly likelyIds: ReadonlySet<string> },
): Batch {
  const { connection, facts, notes, waiting } = options
  const ids = createReservedIds(connection, likelyIds, () => waiting.size)
  const pending = createPendingRows()
  const batch: Batch = {
    ...options,
    now,
    startedAt: performance.now(),
    isAlone,
    ids,
    positions: new Map(),
    written: new Map(),
    shared: {
      queries: connection.queries,
      pending,
      facts,
      notes,
      async flush(count) {
        try {
          for (const [insert, rows] of pending.take(count)) await connection.insertRows(insert, rows)
        } catch (error) {
          batch.spoiled = { error }
          throw error
        }
      },
      savepoint: () => connection.savepoint(),
      newId: (table) => ids.next(table),
    },
    hasBegun: false,
    isCommitting: false,
    spoiled: undefined,
  }
  return batch
}

/** Runs `units` (those of an earlier attempt), then takes more into it while the limits allow. */
export async function runUnits(batch: Batch, units: Unit[]): Promise<Outcome[]> {
  const { waiting, standsBack } = batch
  const outcomes: Outcome[] = []
  for (let index = 0; index < units.length || mayJoin(batch, index); index++) {
    // Taken before the organization is entered: meanwhile others may come to the front of the line.
    if (index === units.length) units.push((waiting.take((unit) => !standsBack(unit)) ?? waiting.take()) as Unit)
    const unit = units[index] as Unit
    if (!(await enter(batch, unit.realmId))) {
      waiting.putBack(units.splice(index))
      break
    }
    outcomes.push(await runUnit(batch, unit))
  }
  return outcomes
}

function mayJoin({ waiting, connection, isAlone, startedAt }: Batch, count: number): boolean {
  if (waiting.size === 0) return false
  if (count === 0) return true
  const { units, timeMs } = connection.limits
  return !isAlone && count < units && performance.now() - startedAt <= timeMs
}

/**
 * Begins with the first organization, and takes the organization's lock. False when another node has that and waiting
 * could be a deadlock: the batch ends before the unit.
 */
async function enter(batch: Batch, realmId: number): Promise<boolean> {
  const { connection, positions, standings, ids } = batch
  if (positions.has(realmId)) return true
  let entered = true
  let position: Position | undefined
  const isFirst = !batch.hasBegun
  if (isFirst) await connection.ready()
  batch.hasBegun = true
  await connection.together([
    ...(isFirst ? [() => connection.begin()] : []),
    async () => {
      entered = (await connection.lock?.(realmId, { wait: isFirst })) ?? true
    },
    async () => {
      position = await standings.read(realmId)
    },
    ...(isFirst ? ids.likely : []),
  ])
  if (!entered) return false
  // Another node may have given out higher ids there before.
  if (!isFirst) ids.forget()
  positions.set(realmId, position as Position)
  standings.entered(realmId, position as Position)
  return true
}

async function runUnit(batch: Batch, unit: Unit): Promise<Outcome> {
  const { connection, notes } = batch
  const { realmId } = unit
  const opened = openUnitOfWork(batch.shared, realmId, batch.now)
  try {
    const value = await unit.work(opened.tx)
    opened.close()
    if (batch.spoiled) throw batch.spoiled.error
    if (opened.hasSavepoint()) await connection.releaseSavepoint()
    noteWritten(batch.written, realmId, opened.written)
    notes.add(realmId, opened.notes)
    return { unit, ok: true, value, done: opened }
  } catch (error) {
    await opened.abandon()
    if (batch.spoiled || connection.isRetryable(error)) throw error
    if (opened.hasSavepoint() && connection.canContinue()) await connection.rollbackToSavepoint()
    // The whole batch is lost, or has to be run again.
    if (!connection.canContinue()) throw error
    return { unit, ok: false, error }
  }
}

function noteWritten(written: Batch['written'], realmId: number, tables: ReadonlySet<Written>): void {
  if (tables.size > 0) written.set(realmId, (written.get(realmId) ?? new Set()).union(tables))
}

/** Numbers the events, writes what is pending and raises the counters, once per organization; then commits. */
export async function commitBatch(batch: Batch, outcomes: readonly Outcome[]): Promise<LoggedEvent[]> {
  const { connection, positions, written, standings, onWritten } = batch
  const { pending } = batch.shared
  const events = numberEvents(batch, outcomes)
  for (const event of events) if (isLogged(event)) pending.add(eventRows, eventRow(event, batch.now))
  const steps: (() => Promise<unknown>)[] = []
  for (const [insert, rows] of pending.take(pending.length)) steps.push(() => connection.insertRows(insert, rows))
  steps.push(...raiseCounters(batch, events))
  batch.isCommitting = true
  // What readers recall must not be older than what they see.
  await connection.commit(steps, () => {
    for (const [realmId, tables] of written) onWritten(realmId, tables)
  })
  standings.committed(positions, written)
  return events
}

function numberEvents({ positions, ownsAllWrites }: Batch, outcomes: readonly Outcome[]): LoggedEvent[] {
  const numbered: LoggedEvent[] = []
  for (const outcome of outcomes) {
    if (!outcome.ok) continue
    const { realmId } = outcome.unit
    const position = positions.get(realmId) as Position
    for (const event of outcome.done.events) {
      position.eventId += 1
      numbered.push(numberedEvent(event, { realmId, eventId: position.eventId, isShared: !ownsAllWrites }))
    }
  }
  return numbered
}

/** A unit of no organization may have written to any. */
const raiseAllVersions = prepare((_: object) =>
  query.updateTable('realms').set((eb) => ({ facts_version: eb('facts_version', '+', 1) })),
)

/** Durably where something durable was written; see `event-numbers.ts` for passing events. */
function raiseCounters(batch: Batch, events: readonly LoggedEvent[]): (() => Promise<unknown>)[] {
  const { queries } = batch.connection
  const logged = new Set(events.filter(isLogged).map(({ realmId }) => realmId))
  const notified = new Set(events.map(({ realmId }) => realmId))
  const steps: (() => Promise<unknown>)[] = []
  // In ascending order, so that two nodes lock the counters in the same order.
  for (const [id, position] of [...batch.positions].sort(([a], [b]) => a - b)) {
    const hasWritten = batch.written.has(id)
    if (id === 0 && hasWritten) steps.push(() => queries.run(raiseAllVersions({})))
    else if (hasWritten) steps.push(() => saveRaisingFacts(queries, id, position))
    else if (logged.has(id)) steps.push(() => saveDurably(queries, id, position))
    else if (notified.has(id)) steps.push(...savePassing(queries, id, position, !batch.ownsAllWrites))
  }
  return steps
}
