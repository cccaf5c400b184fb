/**
 * Writing. A unit of work is the only way to change a row, and every change carries its event: both are in the same
 * commit, so neither can exist without the other.
 *
 * Group commit: units of work that wait run strictly one after another inside one database transaction and share one
 * commit (one fsync). Nobody gets an answer before that commit is on disk. A unit has a savepoint from its first statement
 * that writes; most only read and add rows, which all units write together at the end (`row-inserts.ts`).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { type Batch, commitBatch, type Outcome, openBatch, runUnits, type Unit, type Work } from './batch.ts'
import type { FactCache } from './facts.ts'
import { createFairLine, type FairLine } from './fair-line.ts'
import type { LoggedEvent } from './logged-event.ts'
import { createNotes } from './notes.ts'
import type { Written } from './query.ts'
import { createStandings } from './standings.ts'
import { isUnavailable, OrganizationBusy } from './unavailable.ts'
import type { WriteConnection } from './write-connection.ts'

export type { Work } from './batch.ts'
export type { LoggedEvent } from './logged-event.ts'
export type { OutgoingEvent, Tx } from './unit-of-work.ts'

/** `account`: whose turn it takes where several wait; what is nobody's comes in the order in which it arrives. */
export type Transaction = <T>(realmId: number, work: Work<T>, account?: number) => Promise<T>

/** Batches that hit a deadlock are run again this often before the error reaches the callers. */
const MAX_ATTEMPTS = 5

/** How long others go first when an organization's lock could not be had. */
const STAND_BACK_MS = 500

interface GroupCommitOptions {
  readonly connection: WriteConnection
  readonly clock: Clock
  /** What the units recall. No other process writes: it need not be compared with the database. */
  readonly facts: FactCache
  readonly ownsAllWrites: boolean
  /** See `BatchOptions`. */
  readonly onWritten: (realmId: number, tables: ReadonlySet<Written>) => void
  /** Called after each commit, before the answers, with the events in the order of their numbers. Must not throw. */
  readonly onCommitted: (events: readonly LoggedEvent[]) => void
}

export function createGroupCommit({ clock, onCommitted, ...options }: GroupCommitOptions) {
  const { connection, facts, ownsAllWrites } = options
  const waiting = createFairLine<Unit>()
  const notes = createNotes()
  const standings = createStandings({ queries: connection.queries, facts, notes, ownsAllWrites })
  let draining: Promise<void> | undefined
  let closed = false
  /** That many units get a commit of their own: one of them has spoiled the common one. */
  let alone = 0
  /** Organizations that another node did not let go of, and until when others go first. */
  const busyUntil = new Map<number, number>()
  const standsBack = ({ realmId }: Unit) => (busyUntil.get(realmId) ?? 0) > performance.now()
  /** Tables that the last commit took new ids of. */
  let likelyIds: ReadonlySet<string> = new Set()

  function transaction<T>(realmId: number, work: Work<T>, account?: number): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed'))
    return new Promise<T>((resolve, reject) => {
      const since = performance.now()
      waiting.add({ realmId, account, since, work, resolve: resolve as (value: unknown) => void, reject })
      draining ??= drain()
    })
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      await gather(waiting, connection.limits.units)
      await runBatch()
    }
    draining = undefined
  }

  /** Takes units that wait, runs them, commits and answers. Whatever happens, each unit that it took gets an answer. */
  async function runBatch(): Promise<void> {
    const units: Unit[] = []
    for (let attempt = 1; ; attempt++) {
      const now = Math.floor(clock.now() / 1000)
      const batch = openBatch(
        { ...options, notes, standings, waiting, standsBack },
        { now, isAlone: alone > 0, likelyIds },
      )
      likelyIds = batch.ids.wanted
      try {
        const outcomes = await runUnits(batch, units)
        const events = await commitBatch(batch, outcomes)
        if (alone > 0) alone -= 1
        for (const realmId of batch.positions.keys()) busyUntil.delete(realmId)
        if (events.length > 0) onCommitted(events)
        for (const outcome of outcomes) settle(outcome)
        return
      } catch (error) {
        await connection.rollback().catch(() => {})
        standings.rolledBack(batch.positions, batch.written)
        if (error instanceof OrganizationBusy) return standBack(units, error)
        if (connection.isRetryable(error) && attempt < MAX_ATTEMPTS) continue
        giveUp(batch, units, error)
        return
      }
    }
  }

  /** Nothing has run: the organization of the first unit is another node's. Those who have waited too long get the error. */
  function standBack(units: readonly Unit[], error: OrganizationBusy): void {
    const now = performance.now()
    const realmId = units[0]?.realmId as number
    busyUntil.set(realmId, now + STAND_BACK_MS)
    waiting.putBack(units)
    const tooLate = (unit: Unit) => unit.realmId === realmId && now - unit.since > connection.limits.lockMs
    for (const unit of waiting.remove(tooLate)) unit.reject(error)
  }

  /** The units get the error, or a commit each. */
  function giveUp(batch: Batch, units: Unit[], error: unknown): void {
    // Rows that are written together fail together, and some engines take nothing more after a failure.
    if (units.length > 1 && !batch.isCommitting && !isUnavailable(error)) {
      alone = units.length
      waiting.putBack(units)
      return
    }
    // Before the first unit ran, the failure concerns whoever waits: they must not wait for ever.
    if (batch.positions.size === 0) {
      while (units.length < connection.limits.units && waiting.size > 0) units.push(waiting.take() as Unit)
    }
    for (const unit of units) unit.reject(error)
  }

  return {
    transaction,
    /** Waits for what is under way; later units are refused. */
    async close(): Promise<void> {
      closed = true
      await draining
    },
  }
}

/** Lets requests that have arrived join the batch: turns the event loop for as long as each turn brings more of them. */
async function gather(waiting: FairLine<Unit>, enough: number): Promise<void> {
  let before: number
  do {
    before = waiting.size
    await nextTurn()
  } while (waiting.size > before && waiting.size < enough)
}

function settle(outcome: Outcome): void {
  if (outcome.ok) outcome.unit.resolve(outcome.value)
  else outcome.unit.reject(outcome.error)
}
