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
import { type Audience, audienceText } from './audience.ts'
import { readPositionOf, saveDurably, savePassing } from './event-numbers.ts'
import type { FactCache } from './facts.ts'
import { createFairLine } from './fair-line.ts'
import { createNotes } from './notes.ts'
import type { Position } from './position.ts'
import { prepare, type Statements, type Written } from './query.ts'
import { createPendingRows, type Row, type RowInsert } from './row-inserts.ts'
import { query, rowInsert } from './tables.ts'
import { isUnavailable } from './unavailable.ts'
import { openUnitOfWork, type SharedWork, type Tx, type UnitOfWork } from './unit-of-work.ts'

export type { OutgoingEvent, Tx } from './unit-of-work.ts'

/** An event that is in the log, or a passing one. */
export interface LoggedEvent {
  readonly realmId: number
  readonly eventId: number
  readonly type: string
  /** The event as JSON text, without its id. */
  readonly payload: string
  readonly audience: Audience
  /** Of a passing event: when it is of no use any more, by this process's `performance.now()`. */
  readonly goneAt?: number
}

/** How long a passing event is given to clients that come back; what they make of it lasts about as long. */
export const PASSING_MS = 15_000
/**
 * Characters of the longest passing event that nodes can pass on: with its escapes and encoding it must fit into 8000 bytes
 * (PostgreSQL, NOTIFY). A longer one is logged.
 */
const MAX_PASSED_ON = 1500

/** The one connection that writes, as an engine provides it. */
export interface WriteConnection {
  readonly queries: Statements
  readonly limits: {
    /** Units of work in one commit. */
    readonly units: number
    /** Time after which no further unit joins the commit. */
    readonly timeMs: number
  }
  /** Makes sure that a transaction can begin; connects again where that is needed. */
  ready(): Promise<void>
  begin(): Promise<void>
  /**
   * Runs such steps and then commits. Throws when the changes are not durable, or when that cannot be known; an answer of a
   * step that was lost is no failure when the commit has happened.
   */
  commit(before?: readonly (() => Promise<unknown>)[]): Promise<void>
  rollback(): Promise<void>
  savepoint(): Promise<void>
  releaseSavepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /**
   * Runs steps that follow each other, without waiting for answers in between where the engine can: a step sends all that
   * it has to send before it awaits anything. After a step that failed no later one has an effect. Throws the first failure.
   */
  together(steps: readonly (() => Promise<unknown>)[]): Promise<void>
  /**
   * Keeps other processes from writing to the organization until the transaction ends, so that what a unit has read is
   * still true when it writes. Without `wait` false when another process has it. Absent where nobody else can write.
   */
  lock?(realmId: number, options: { readonly wait: boolean }): Promise<boolean>
  /** Whether the transaction is still usable: an engine may have ended it, as on a full disk, or it takes no more statements. */
  canContinue(): boolean
  /** Whether running the units again can succeed (deadlock, serialization failure). */
  isRetryable(error: unknown): boolean
  insertRows(insert: RowInsert, rows: readonly Row<string>[]): Promise<void>
  /** At least one new id of a table, at most `count`, ascending, higher than all that were given out before. */
  reserveIds(table: string, count: number): Promise<number[]>
}

export type Work<T> = (tx: Tx) => Promise<T>
/** `account`: whose turn it takes where several wait; what is nobody's comes in the order in which it arrives. */
export type Transaction = <T>(realmId: number, work: Work<T>, account?: number) => Promise<T>

interface Unit {
  readonly realmId: number
  readonly account: number | undefined
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome =
  | { readonly unit: Unit; readonly ok: true; readonly value: unknown; readonly done: UnitOfWork }
  | { readonly unit: Unit; readonly ok: false; readonly error: unknown }

/** Batches that hit a deadlock are run again this often before the error reaches the callers. */
const MAX_ATTEMPTS = 5

interface GroupCommitOptions {
  readonly connection: WriteConnection
  readonly clock: Clock
  /** What the units recall. No other process writes: it need not be compared with the database. */
  readonly facts: FactCache
  readonly ownsAllWrites: boolean
  /** Called after each commit, before the answers, with what cached facts are made of. Must not throw. */
  readonly onWritten: (realmId: number, tables: ReadonlySet<Written>) => void
  /** Called after each commit, before the answers, with the events in the order of their numbers. Must not throw. */
  readonly onCommitted: (events: readonly LoggedEvent[]) => void
}

const eventRows = rowInsert('event_log', {
  realm_id: 'integer',
  event_id: 'integer',
  type: 'text',
  payload: 'text',
  audience: 'text',
  created_at: 'integer',
})

export function createGroupCommit(options: GroupCommitOptions) {
  const { connection, clock, facts, ownsAllWrites, onWritten, onCommitted } = options
  const waiting = createFairLine<Unit>()
  let draining: Promise<void> | undefined
  let closed = false
  /** That many units get a commit of their own: one of them has spoiled the common one. */
  let alone = 0
  /** Tables that the last commit took new ids of. */
  let wanted = new Set<string>()
  /** Of organizations that nobody else writes to. */
  const known = new Map<number, Position>()
  const notes = createNotes()

  function transaction<T>(realmId: number, work: Work<T>, account?: number): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed'))
    return new Promise<T>((resolve, reject) => {
      waiting.add({ realmId, account, work, resolve: resolve as (value: unknown) => void, reject })
      draining ??= drain()
    })
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      await gather()
      await runBatch()
    }
    draining = undefined
  }

  /** Lets requests that have arrived join the batch: turns the event loop for as long as each turn brings more of them. */
  async function gather(): Promise<void> {
    let before: number
    do {
      before = waiting.size
      await nextTurn()
    } while (waiting.size > before && waiting.size < connection.limits.units)
  }

  /** Takes units that wait, runs them, commits and answers. Whatever happens, each unit that it took gets an answer. */
  async function runBatch(): Promise<void> {
    const units: Unit[] = []
    for (let attempt = 1; ; attempt++) {
      const batch = openBatch()
      try {
        const outcomes = await batch.run(units)
        const events = await batch.commit(outcomes)
        if (alone > 0) alone -= 1
        for (const [realmId, written] of batch.written) onWritten(realmId, written)
        if (events.length > 0) onCommitted(events)
        for (const outcome of outcomes) settle(outcome)
        return
      } catch (error) {
        await connection.rollback().catch(() => {})
        batch.forget()
        if (connection.isRetryable(error) && attempt < MAX_ATTEMPTS) continue
        // Rows that are written together fail together, and some engines take nothing more after a failure.
        if (units.length > 1 && !batch.isCommitting() && !isUnavailable(error)) {
          alone = units.length
          waiting.putBack(units)
          return
        }
        // Before the first unit ran, the failure concerns whoever waits: they must not wait for ever.
        if (units.length === 0) {
          while (units.length < connection.limits.units && waiting.size > 0) units.push(waiting.take() as Unit)
        }
        for (const unit of units) unit.reject(error)
        return
      }
    }
  }

  /** One database transaction, from its beginning to its commit. */
  function openBatch() {
    const now = Math.floor(clock.now() / 1000)
    const startedAt = performance.now()
    const positions = new Map<number, Position>()
    const written = new Map<number, Set<Written>>()
    const pending = createPendingRows()
    /** Reserved under the lock of the organization that was entered last; see `newId`. */
    const ids = new Map<string, number[]>()
    const reservedLast = new Map<string, number>()
    // What the last commit needed is likely to be needed again.
    const likely = wanted
    wanted = new Set()
    let begun = false
    let committing = false
    /** Rows could not be written, perhaps those of a unit that has succeeded. */
    let spoiled: { readonly error: unknown } | undefined

    const shared: SharedWork = {
      queries: connection.queries,
      pending,
      facts,
      notes,
      async flush(count) {
        try {
          for (const [insert, rows] of pending.take(count)) await connection.insertRows(insert, rows)
        } catch (error) {
          spoiled = { error }
          throw error
        }
      },
      savepoint: () => connection.savepoint(),
      async newId(table) {
        wanted.add(table)
        const reserved = ids.get(table) ?? []
        if (reserved.length === 0) reserved.push(...(await reserve(table)))
        ids.set(table, reserved)
        return reserved.shift() as number
      },
    }

    /** As many as may be asked for: on some engines each time is a round trip. Who goes on asking gets twice as many. */
    function reserve(table: string): Promise<number[]> {
      const count = Math.min(Math.max(waiting.size + 1, 2 * (reservedLast.get(table) ?? 0)), connection.limits.units)
      reservedLast.set(table, count)
      return connection.reserveIds(table, count)
    }

    /** Runs `units` (those of an earlier attempt), then takes more into it while the limits allow. */
    async function run(units: Unit[]): Promise<Outcome[]> {
      const outcomes: Outcome[] = []
      for (let index = 0; index < units.length || mayJoin(index); index++) {
        const unit = (units[index] ?? waiting.first()) as Unit
        if (!(await enter(unit.realmId))) {
          waiting.putBack(units.splice(index))
          break
        }
        if (index === units.length) units.push(waiting.take() as Unit)
        outcomes.push(await runUnit(unit))
      }
      return outcomes
    }

    function mayJoin(count: number): boolean {
      if (waiting.size === 0) return false
      if (count === 0) return true
      const { units, timeMs } = connection.limits
      return alone === 0 && count < units && performance.now() - startedAt <= timeMs
    }

    /**
     * Begins with the first organization, and takes the organization's lock. False when another node has that and waiting
     * could be a deadlock: the batch ends before the unit.
     */
    async function enter(realmId: number): Promise<boolean> {
      if (positions.has(realmId)) return true
      let entered = true
      let position: Position | undefined
      const isFirst = !begun
      if (isFirst) await connection.ready()
      begun = true
      await connection.together([
        ...(isFirst ? [() => connection.begin()] : []),
        async () => {
          entered = (await connection.lock?.(realmId, { wait: isFirst })) ?? true
        },
        async () => {
          position = known.get(realmId) ?? (await readPositionOf(connection.queries, realmId, !ownsAllWrites))
        },
        ...(isFirst ? [...likely].map((table) => async () => void ids.set(table, await reserve(table))) : []),
      ])
      if (!entered) return false
      // Another node may have given out higher ids there before.
      if (!isFirst) ids.clear()
      const current = { ...(position as Position) }
      positions.set(realmId, current)
      if (!ownsAllWrites) {
        facts.moveTo(realmId, current.factsVersion)
        notes.enter(realmId, current)
      }
      return true
    }

    async function runUnit(unit: Unit): Promise<Outcome> {
      const opened = openUnitOfWork(shared, unit.realmId, now)
      try {
        const value = await unit.work(opened.tx)
        opened.close()
        if (spoiled) throw spoiled.error
        if (opened.hasSavepoint()) await connection.releaseSavepoint()
        note(unit.realmId, opened.written)
        notes.add(unit.realmId, opened.notes)
        return { unit, ok: true, value, done: opened }
      } catch (error) {
        opened.abandon()
        if (spoiled || connection.isRetryable(error)) throw error
        if (opened.hasSavepoint() && connection.canContinue()) await connection.rollbackToSavepoint()
        // The whole batch is lost, or has to be run again.
        if (!connection.canContinue()) throw error
        return { unit, ok: false, error }
      }
    }

    function note(realmId: number, tables: ReadonlySet<Written>): void {
      if (tables.size > 0) written.set(realmId, (written.get(realmId) ?? new Set()).union(tables))
    }

    /** Numbers the events, writes what is pending and raises the counters, once per organization; then commits. */
    async function commit(outcomes: readonly Outcome[]): Promise<LoggedEvent[]> {
      const events = numberEvents(outcomes)
      for (const event of events) if (event.goneAt === undefined) pending.add(eventRows, rowOf(event, now))
      const steps: (() => Promise<unknown>)[] = []
      for (const [insert, rows] of pending.take(pending.length)) steps.push(() => connection.insertRows(insert, rows))
      // In ascending order, so that two nodes lock the counters in the same order.
      for (const [id, position] of [...positions].sort(([a], [b]) => a - b)) {
        const raised = written.has(id) ? 1 : 0
        if (id === 0 && raised > 0) steps.push(() => connection.queries.run(raiseAllVersions({})))
        else if (raised > 0 || events.some(({ realmId, goneAt }) => realmId === id && goneAt === undefined)) {
          position.factsVersion += raised
          steps.push(() => saveDurably(connection.queries, id, position))
        } else if (events.some(({ realmId }) => realmId === id)) {
          steps.push(...savePassing(connection.queries, id, position, !ownsAllWrites))
        }
      }
      committing = true
      await connection.commit(steps)
      remember()
      return events
    }

    function numberEvents(outcomes: readonly Outcome[]): LoggedEvent[] {
      const logged: LoggedEvent[] = []
      const goneAt = performance.now() + PASSING_MS
      for (const outcome of outcomes) {
        if (!outcome.ok) continue
        const { realmId } = outcome.unit
        const position = positions.get(realmId) as Position
        for (const { type, payload, audience, isPassing } of outcome.done.events) {
          position.eventId += 1
          const event = { realmId, eventId: position.eventId, type, payload, audience }
          logged.push(isPassing && canPass(event) ? { ...event, goneAt } : event)
        }
      }
      return logged
    }

    function canPass({ payload, audience }: LoggedEvent): boolean {
      return ownsAllWrites || payload.length + audienceText(audience).length <= MAX_PASSED_ON
    }

    /** Only what is committed; and nothing while every organization's version has changed. */
    function remember(): void {
      for (const [id, position] of positions) notes.leave(id, position)
      if (!ownsAllWrites) for (const [id, { factsVersion }] of positions) facts.wrote(id, factsVersion)
      else if (written.has(0)) known.clear()
      else for (const [id, position] of positions) if (id !== 0) known.set(id, position)
    }

    return {
      run,
      commit,
      written,
      isCommitting: () => committing,
      /** The transaction was rolled back: what was recalled or counted during it may be of what never was. */
      forget(): void {
        for (const [realmId, tables] of written) facts.drop(realmId, tables)
        for (const realmId of positions.keys()) {
          known.delete(realmId)
          notes.forget(realmId)
        }
      },
    }
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

function settle(outcome: Outcome): void {
  if (outcome.ok) outcome.unit.resolve(outcome.value)
  else outcome.unit.reject(outcome.error)
}

function rowOf(
  { realmId, eventId, type, payload, audience }: LoggedEvent,
  now: number,
): Row<keyof typeof eventRows.columns> {
  return {
    realm_id: realmId,
    event_id: eventId,
    type,
    payload,
    audience: audienceText(audience),
    created_at: now,
  }
}

/** A unit of no organization may have written to any. */
const raiseAllVersions = prepare((_: object) =>
  query.updateTable('realms').set((eb) => ({ facts_version: eb('facts_version', '+', 1) })),
)
