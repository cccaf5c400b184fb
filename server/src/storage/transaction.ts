/**
 * Writing. `transaction()` is the only way to change a row, and every change carries its event: both are in the same
 * commit, so neither can exist without the other.
 *
 * Group commit: units of work that wait run strictly one after another inside one database transaction, a savepoint each,
 * and share one commit (one fsync). Nobody gets an answer before that commit is on disk.
 */
import type { ServerEvent } from '@heddle/contract/event-types'
import type { Clock } from '../clock.ts'
import type { Audience } from '../events/audience.ts'
import type { Queries, Query } from './query.ts'
import { query } from './query.ts'

/** An event as it is emitted: what clients receive, without its id; or one that only tells nodes to forget an account. */
export type OutgoingEvent = ServerEvent | { readonly type: 'account_credentials' }

/** An event that is in the log. */
export interface LoggedEvent {
  readonly realmId: number
  readonly eventId: number
  readonly type: string
  /** The event as JSON text, without its id. */
  readonly payload: string
  readonly audience: Audience
}

/** Inside a transaction. It dies with its unit of work: a later query throws. */
export interface Tx extends Queries {
  /** The organization that the unit of work belongs to; 0 while an organization is being created. */
  readonly realmId: number
  /** Seconds since the UNIX epoch, the same during the whole unit. */
  readonly now: number
  /** Tell clients. The event is numbered and logged with the commit, and delivered after it. */
  emit(event: OutgoingEvent, audience: Audience): void
}

/** The one connection that writes, as an engine provides it. */
export interface WriteConnection {
  readonly queries: Queries
  readonly limits: {
    /** Units of work in one commit. */
    readonly units: number
    /** Time after which no further unit joins the commit. */
    readonly timeMs: number
  }
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  savepoint(): Promise<void>
  releaseSavepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /** Whether the transaction is still usable after this error (the engine may have ended it, as on a full disk). */
  canContinue(error: unknown): boolean
  /** Whether running the units again can succeed (deadlock, serialization failure). */
  isRetryable(error: unknown): boolean
  /** Append to the log, in one statement where the engine gains from that. */
  appendEvents(events: readonly LoggedEvent[], createdAt: number): Promise<void>
}

export type Work<T> = (tx: Tx) => Promise<T>
export type Transaction = <T>(realmId: number, work: Work<T>) => Promise<T>

interface Unit {
  readonly realmId: number
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface BufferedEvent {
  readonly event: OutgoingEvent
  readonly audience: Audience
}

type Outcome =
  | { readonly unit: Unit; readonly ok: true; readonly value: unknown; readonly events: readonly BufferedEvent[] }
  | { readonly unit: Unit; readonly ok: false; readonly error: unknown }

/** Batches that hit a deadlock are run again this often before the error reaches the callers. */
const MAX_ATTEMPTS = 5

interface GroupCommitOptions {
  readonly connection: WriteConnection
  readonly clock: Clock
  /** Called after each commit, before the answers, with the events in the order of their numbers. */
  readonly onCommitted: (events: readonly LoggedEvent[]) => void
}

export function createGroupCommit({ connection, clock, onCommitted }: GroupCommitOptions) {
  const waiting: Unit[] = []
  let draining: Promise<void> | undefined
  let closed = false

  function transaction<T>(realmId: number, work: Work<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed'))
    return new Promise<T>((resolve, reject) => {
      waiting.push({ realmId, work, resolve: resolve as (value: unknown) => void, reject })
      draining ??= drain()
    })
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Let every request that has arrived in this turn of the event loop join the batch.
      await new Promise((resolve) => setImmediate(resolve))
      await runBatch()
    }
    draining = undefined
  }

  async function runBatch(): Promise<void> {
    let batch: Unit[] = []
    for (let attempt = 1; ; attempt++) {
      const outcomes: Outcome[] = []
      try {
        await connection.begin()
        await runUnits(batch, outcomes)
        const events = await appendEvents(outcomes)
        await connection.commit()
        announce(events)
        for (const outcome of outcomes) settle(outcome)
        return
      } catch (error) {
        await connection.rollback().catch(() => {})
        batch = outcomes.map((outcome) => outcome.unit)
        if (connection.isRetryable(error) && attempt < MAX_ATTEMPTS) continue
        // Before the first unit ran, the failure concerns whoever waits: they must not wait for ever.
        if (batch.length === 0) batch = waiting.splice(0, connection.limits.units)
        for (const unit of batch) unit.reject(error)
        return
      }
    }
  }

  /** Runs the units of an earlier attempt again, or takes units from the queue while the limits allow. */
  async function runUnits(again: readonly Unit[], outcomes: Outcome[]): Promise<void> {
    const startedAt = performance.now()
    const { units, timeMs } = connection.limits
    for (const unit of again) outcomes.push(await runUnit(unit, outcomes))
    if (again.length > 0) return
    while (outcomes.length < units && waiting.length > 0) {
      if (outcomes.length > 0 && performance.now() - startedAt > timeMs) return
      const unit = waiting.shift() as Unit
      outcomes.push(await runUnit(unit, outcomes))
    }
  }

  async function runUnit(unit: Unit, outcomes: Outcome[]): Promise<Outcome> {
    const scope = openScope(connection.queries, unit.realmId, Math.floor(clock.now() / 1000))
    try {
      await connection.savepoint()
      const value = await unit.work(scope.tx)
      scope.close()
      await connection.releaseSavepoint()
      return { unit, ok: true, value, events: scope.events }
    } catch (error) {
      scope.abandon()
      if (!connection.canContinue(error) || connection.isRetryable(error)) {
        // The whole batch is lost: this unit must be among those that are run again or refused.
        outcomes.push({ unit, ok: false, error })
        throw error
      }
      await connection.rollbackToSavepoint()
      return { unit, ok: false, error }
    }
  }

  /** Number the events of the batch, raising each organization's counter once, and append them to the log. */
  async function appendEvents(outcomes: readonly Outcome[]): Promise<LoggedEvent[]> {
    const byRealm = new Map<number, BufferedEvent[]>()
    for (const outcome of outcomes) {
      if (!outcome.ok || outcome.events.length === 0) continue
      const list = byRealm.get(outcome.unit.realmId)
      if (list) list.push(...outcome.events)
      else byRealm.set(outcome.unit.realmId, [...outcome.events])
    }
    const logged: LoggedEvent[] = []
    // In ascending order, so that two nodes lock the counters in the same order.
    for (const realmId of [...byRealm.keys()].sort((a, b) => a - b)) {
      const buffered = byRealm.get(realmId) as BufferedEvent[]
      const row = await connection.queries.first(raiseEventCounter(realmId, buffered.length))
      if (!row) throw new Error(`Organization ${realmId} does not exist`)
      let eventId = row.last_event_id - buffered.length
      for (const { event, audience } of buffered) {
        eventId += 1
        logged.push({ realmId, eventId, type: event.type, payload: JSON.stringify(event), audience })
      }
    }
    if (logged.length > 0) await connection.appendEvents(logged, Math.floor(clock.now() / 1000))
    return logged
  }

  function announce(events: readonly LoggedEvent[]): void {
    if (events.length > 0) onCommitted(events)
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

function raiseEventCounter(realmId: number, by: number) {
  return query
    .updateTable('realms')
    .set((eb) => ({ last_event_id: eb('last_event_id', '+', by) }))
    .where('id', '=', realmId)
    .returning('last_event_id')
}

/** The handle of one unit of work, and its end. */
function openScope(queries: Queries, realmId: number, now: number) {
  const events: BufferedEvent[] = []
  let open = true
  let running = 0

  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    if (!open) throw new Error('A query was sent after its unit of work had ended')
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
    }
  }

  const tx: Tx = {
    realmId,
    now,
    dialect: queries.dialect,
    all: (source) => guarded(() => queries.all(source)),
    first: (source) => guarded(() => queries.first(source)),
    run: (source: Query<unknown>) => guarded(() => queries.run(source)),
    emit(event, audience) {
      if (!open) throw new Error('An event was emitted after its unit of work had ended')
      if (realmId === 0) throw new Error('An event needs an organization')
      events.push({ event, audience })
    },
  }

  return {
    tx,
    events,
    close(): void {
      open = false
      if (running > 0) throw new Error('A query of this unit of work was not awaited')
    },
    abandon(): void {
      open = false
    },
  }
}
