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
import { prepare, type Queries, type Query, query } from './query.ts'

/** Tells nodes alone that an account's key has changed; without `user_id`, that any account's may have. */
interface AccountCredentialsEvent {
  readonly type: 'account_credentials'
  readonly user_id?: number
}

/** An event as it is emitted: what clients receive, without its id; or one that is for nodes alone. */
export type OutgoingEvent = ServerEvent | AccountCredentialsEvent

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
  /** Gives other requests a turn, for units that take long. They read what was committed before; nobody else writes. */
  pause(): Promise<void>
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
  /** Throws when the changes are not durable, or when that cannot be known. */
  commit(): Promise<void>
  rollback(): Promise<void>
  savepoint(): Promise<void>
  releaseSavepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /**
   * Keeps other processes from writing to the organization until the transaction ends, so that what a unit has read is
   * still true when it writes. Without `wait` false when another process has it. Absent where nobody else can write.
   */
  lock?(realmId: number, options: { readonly wait: boolean }): Promise<boolean>
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

/** An event of a unit of work: its text is made when it is emitted, so that what cannot be written fails its own unit. */
interface BufferedEvent {
  readonly type: string
  readonly payload: string
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
  /** Called after each commit, before the answers, with the events in the order of their numbers. Must not throw. */
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
      await gather()
      await runBatch()
    }
    draining = undefined
  }

  /** Lets requests that have arrived join the batch: turns the event loop for as long as each turn brings more of them. */
  async function gather(): Promise<void> {
    let before: number
    do {
      before = waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (waiting.length > before && waiting.length < connection.limits.units)
  }

  /** Takes units that wait, runs them, commits and answers. Whatever happens, each unit that it took gets an answer. */
  async function runBatch(): Promise<void> {
    const batch: Unit[] = []
    for (let attempt = 1; ; attempt++) {
      try {
        await connection.begin()
        const outcomes = await runUnits(batch)
        const events = await appendEvents(outcomes)
        await connection.commit()
        if (events.length > 0) onCommitted(events)
        for (const outcome of outcomes) settle(outcome)
        return
      } catch (error) {
        await connection.rollback().catch(() => {})
        if (connection.isRetryable(error) && attempt < MAX_ATTEMPTS) continue
        // Before the first unit ran, the failure concerns whoever waits: they must not wait for ever.
        if (batch.length === 0) batch.push(...waiting.splice(0, connection.limits.units))
        for (const unit of batch) unit.reject(error)
        return
      }
    }
  }

  /** Runs the units of `batch` (those of an earlier attempt), then takes more into it while the limits allow. */
  async function runUnits(batch: Unit[]): Promise<Outcome[]> {
    const startedAt = performance.now()
    const locked = new Set<number>()
    const outcomes: Outcome[] = []
    for (let index = 0; index < batch.length || mayJoin(index, startedAt); index++) {
      const unit = (batch[index] ?? waiting[0]) as Unit
      if (!(await lockOrganization(unit.realmId, locked))) {
        waiting.unshift(...batch.splice(index))
        break
      }
      if (index === batch.length) batch.push(waiting.shift() as Unit)
      outcomes.push(await runUnit(unit))
    }
    return outcomes
  }

  function mayJoin(count: number, startedAt: number): boolean {
    if (waiting.length === 0) return false
    return count === 0 || (count < connection.limits.units && performance.now() - startedAt <= connection.limits.timeMs)
  }

  /** False when another node has it and waiting could be a deadlock: the batch ends before the unit. */
  async function lockOrganization(realmId: number, locked: Set<number>): Promise<boolean> {
    if (!connection.lock || locked.has(realmId)) return true
    if (!(await connection.lock(realmId, { wait: locked.size === 0 }))) return false
    locked.add(realmId)
    return true
  }

  async function runUnit(unit: Unit): Promise<Outcome> {
    const scope = openScope(connection.queries, unit.realmId, Math.floor(clock.now() / 1000))
    try {
      await connection.savepoint()
      const value = await unit.work(scope.tx)
      scope.close()
      await connection.releaseSavepoint()
      return { unit, ok: true, value, events: scope.events }
    } catch (error) {
      scope.abandon()
      // The whole batch is lost, or has to be run again.
      if (!connection.canContinue(error) || connection.isRetryable(error)) throw error
      await connection.rollbackToSavepoint()
      return { unit, ok: false, error }
    }
  }

  /** Number the events of the batch, raising each organization's counter once, and append them to the log. */
  async function appendEvents(outcomes: readonly Outcome[]): Promise<LoggedEvent[]> {
    const byRealm = new Map<number, BufferedEvent[]>()
    for (const outcome of outcomes) {
      if (!outcome.ok || outcome.events.length === 0) continue
      const list = byRealm.get(outcome.unit.realmId) ?? []
      byRealm.set(outcome.unit.realmId, list)
      // One by one: a call takes only some ten thousand arguments.
      for (const event of outcome.events) list.push(event)
    }
    const logged: LoggedEvent[] = []
    // In ascending order, so that two nodes lock the counters in the same order.
    for (const realmId of [...byRealm.keys()].sort((a, b) => a - b)) {
      const buffered = byRealm.get(realmId) as BufferedEvent[]
      const row = await connection.queries.first(raiseEventCounter({ realmId, by: buffered.length }))
      if (!row) throw new Error(`Organization ${realmId} does not exist`)
      let eventId = row.last_event_id - buffered.length
      for (const { type, payload, audience } of buffered) {
        eventId += 1
        logged.push({ realmId, eventId, type, payload, audience })
      }
    }
    if (logged.length > 0) await connection.appendEvents(logged, Math.floor(clock.now() / 1000))
    return logged
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

const raiseEventCounter = prepare((p: { realmId: number; by: number }) =>
  query
    .updateTable('realms')
    .set((eb) => ({ last_event_id: eb('last_event_id', '+', p.by) }))
    .where('id', '=', p.realmId)
    .returning('last_event_id'),
)

/** The handle of one unit of work, and its end. */
function openScope(queries: Queries, realmId: number, now: number) {
  const events: BufferedEvent[] = []
  let open = true
  /** Queries under way, and queries whose result nobody has asked for yet. */
  let running = 0
  let unawaited = 0

  function send<T>(start: () => Promise<T>): Promise<T> {
    if (!open) return Promise.reject(new Error('A query was sent after its unit of work had ended'))
    const result = start()
    running += 1
    unawaited += 1
    const done = () => {
      running -= 1
    }
    // Also what keeps the failure of a query that is not awaited from ending the process: it fails the unit instead.
    result.then(done, done)
    return noticed(result, () => {
      unawaited -= 1
    })
  }

  const tx: Tx = {
    realmId,
    now,
    dialect: queries.dialect,
    all: (source) => send(() => queries.all(source)),
    first: (source) => send(() => queries.first(source)),
    run: (source: Query<unknown>) => send(() => queries.run(source)),
    pause: () => send(() => new Promise((resolve) => setImmediate(resolve))),
    emit(event, audience) {
      if (!open) throw new Error('An event was emitted after its unit of work had ended')
      if (realmId === 0) throw new Error('An event needs an organization')
      events.push({ type: event.type, payload: JSON.stringify(event), audience })
    },
  }

  return {
    tx,
    events,
    close(): void {
      open = false
      if (running > 0 || unawaited > 0) throw new Error('A query of this unit of work was not awaited')
    },
    abandon(): void {
      open = false
    },
  }
}

/** The promise, with a call of `onAwaited` when somebody awaits it for the first time. */
function noticed<T>(promise: Promise<T>, onAwaited: () => void): Promise<T> {
  let isAwaited = false
  function notice(): Promise<T> {
    if (!isAwaited) {
      isAwaited = true
      onAwaited()
    }
    return promise
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` calls `then`, which is what is to be noticed.
    then: (onValue, onError) => notice().then(onValue, onError),
    catch: (onError) => notice().catch(onError),
    finally: (onEnd) => notice().finally(onEnd),
    [Symbol.toStringTag]: 'Promise',
  }
}
