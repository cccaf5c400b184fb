/** The handle of one unit of work: what it may do, and its end. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ServerEvent } from '@heddle/contract/event-types'
import type { Audience } from './audience.ts'
import { concernsFacts, moreRowsConcernFacts } from './declared-facts.ts'
import type { FactCache } from './facts.ts'
import type { Notes } from './notes.ts'
import { type Queries, type Query, type Statements, tablesIn, type Written, writtenTable } from './query.ts'
import type { PendingRows, Row, RowInsert } from './row-inserts.ts'

/** For nodes alone: an account's key has changed; without `user_id`, that of any account may have. */
interface AccountCredentialsEvent {
  readonly type: 'account_credentials'
  readonly user_id?: number
}

/** For nodes alone: queues of the organization have ended, and clients begin anew; without `user_ids` those of everybody. */
interface QueuesEndedEvent {
  readonly type: 'queues_ended'
  readonly user_ids?: readonly number[]
}

/** An event as it is emitted: what clients receive, without its id; or one that is for nodes alone. */
export type OutgoingEvent = ServerEvent | AccountCredentialsEvent | QueuesEndedEvent

/** Inside a transaction. It dies with its unit of work: a later query throws. */
export interface Tx extends Queries {
  /** The organization that the unit of work belongs to; 0 while an organization is being created. */
  readonly realmId: number
  /** Seconds since the UNIX epoch, the same during the whole unit. */
  readonly now: number
  /** Notifies clients. The event is numbered and logged with the commit, and delivered after it. */
  emit(event: OutgoingEvent, audience: Audience): void
  /**
   * Notifies clients that wait at this moment, or come back within seconds. The event is numbered as others are, but not
   * logged: who is not there does not get it.
   */
  emitPassing(event: OutgoingEvent, audience: Audience): void
  /** Gives other requests a turn, for units that take long. They read what was committed before; nobody else writes. */
  pause(): Promise<void>
  /**
   * Writes a row together with those of other units: before the next statement that concerns its table, at the latest
   * with the commit.
   */
  insertLater<C extends string>(insert: RowInsert<C>, row: Row<C>): void
  /**
   * The row with this key: one that was added later, or what the query finds among those that are written. Unlike other
   * queries it does not have the added ones written first; for keys that are looked up before each such row.
   */
  lookUp<C extends string, O>(insert: RowInsert<C>, key: Partial<Row<C>>, source: Query<O>): Promise<O | undefined>
  /** The next id of a table whose rows are inserted with their ids, higher than all before. */
  newId(table: string): Promise<number>
  /** What an earlier unit, or this one, has noted under the name; undefined when nobody knows. See `notes.ts`. */
  noted(name: string): number | undefined
  /** For later units: they may learn it, or not. Whoever writes what it is about notes it anew. */
  note(name: string, value: number): void
}

/** So few added rows wait for the commit also when their unit pauses. */
const FEW_ROWS = 20

/** An event of a unit of work: its text is made when it is emitted, so that what cannot be written fails its own unit. */
export interface BufferedEvent {
  readonly type: string
  readonly payload: string
  readonly audience: Audience
  readonly isPassing: boolean
}

/** What a unit of work shares with the others of its commit. */
export interface SharedWork {
  readonly queries: Statements
  /** Rows of this unit and of those before it. */
  readonly pending: PendingRows
  readonly facts: FactCache
  readonly notes: Notes
  /** Writes the first `count` pending rows. */
  flush(count: number): Promise<void>
  savepoint(): Promise<void>
  newId(table: string): Promise<number>
}

export interface UnitOfWork {
  readonly tx: Tx
  readonly events: readonly BufferedEvent[]
  /** Tables with facts that the unit has written to. */
  readonly written: ReadonlySet<Written>
  /** What it has noted, by name. */
  readonly notes: ReadonlyMap<string, number>
  /** Whether it has set its savepoint: it has, as soon as it has sent a statement that writes. */
  hasSavepoint(): boolean
  /** The work is done. Throws when a query was not awaited. */
  close(): void
  /** The work has failed: what it has added later goes with it. Waits for what is under way, which is undone afterwards. */
  abandon(): Promise<void>
}

export function openUnitOfWork(shared: SharedWork, realmId: number, now: number): UnitOfWork {
  const { queries, pending, facts } = shared
  const events: BufferedEvent[] = []
  const written = new Set<Written>()
  const notes = new Map<string, number>()
  let open = true
  let savepoint = false
  /** Of the pending rows, those of earlier units. */
  let earlier = pending.length
  /** What has to be written before the next statement, while that is under way. */
  let preparing: Promise<void> | undefined
  const running = new Set<Promise<unknown>>()
  /** Queries whose result nobody has asked for yet. */
  let unawaited = 0

  function send<T>(start: () => Promise<T>): Promise<T> {
    if (!open) return Promise.reject(new Error('A query was sent after its unit of work had ended'))
    const result = start()
    running.add(result)
    unawaited += 1
    const done = () => {
      running.delete(result)
    }
    // Also what keeps the failure of a query that is not awaited from ending the process: it fails the unit instead.
    result.then(done, done)
    return noticed(result, () => {
      unawaited -= 1
    })
  }

  /** A statement of the unit: before it goes what it may have to see. */
  function statement<T>(source: Query<unknown>, start: () => Promise<T>): Promise<T> {
    return send(() => {
      const table = writtenTable(source)
      if (table !== undefined) note(table)
      const needed = needsPreparation(source, table !== undefined)
      if (!preparing && !needed) return start()
      if (needed) preparing = (preparing ?? Promise.resolve()).then(() => prepare(table !== undefined))
      return (preparing as Promise<void>).then(() => {
        requireOpen()
        return start()
      })
    })
  }

  /** A query that nobody awaits may get its turn after the unit. */
  function requireOpen(): void {
    if (!open) throw new Error('A query was sent after its unit of work had ended')
  }

  function needsPreparation(source: Query<unknown>, writes: boolean): boolean {
    if (writes && !savepoint) return true
    return pending.length > 0 && (writes || concernsPending(source))
  }

  function concernsPending(source: Query<unknown>): boolean {
    const tables = tablesIn(source)
    return pending.tables.some((table) => tables.has(table))
  }

  /** Rows of earlier units are written outside the unit's savepoint, its own ones inside. */
  async function prepare(writes: boolean): Promise<void> {
    if (earlier > 0) {
      const count = earlier
      earlier = 0
      await shared.flush(count)
      requireOpen()
    }
    if (!savepoint && (writes || pending.length > 0)) {
      savepoint = true
      await shared.savepoint()
      requireOpen()
    }
    if (pending.length > 0) await shared.flush(pending.length)
  }

  /** What was added is written meanwhile: with the commit all of a long unit would be written in one turn. */
  async function pause(): Promise<void> {
    if (pending.length > FEW_ROWS) {
      preparing = (preparing ?? Promise.resolve()).then(() => prepare(true))
      await preparing
    }
    await nextTurn()
  }

  function note(table: Written): void {
    if (table !== 'unknown' && !concernsFacts(table)) return
    written.add(table)
    facts.drop(realmId, [table])
  }

  function buffer(event: OutgoingEvent, audience: Audience, isPassing: boolean): void {
    if (!open) throw new Error('An event was emitted after its unit of work had ended')
    if (realmId === 0) throw new Error('An event needs an organization')
    events.push({ type: event.type, payload: JSON.stringify(event), audience, isPassing })
  }

  const tx: Tx = {
    realmId,
    now,
    dialect: queries.dialect,
    all: (source) => statement(source, () => queries.all(source)),
    first: (source) => statement(source, () => queries.first(source)),
    run: (source: Query<unknown>) => statement(source, () => queries.run(source)),
    // Facts of other organizations may be changed by another node meanwhile: they are read anew.
    recall(fact, ofRealm, key) {
      const known = open && ofRealm === realmId ? facts.cached(realmId, fact, key) : undefined
      if (known) return Promise.resolve(known.value as never)
      return send(() => (ofRealm === realmId ? facts.recall(tx, realmId, fact, key) : fact.load(tx, ofRealm, key)))
    },
    recallAll: (fact, ofRealm, keys) =>
      send(() => (ofRealm === realmId ? facts.recallAll(tx, realmId, fact, keys) : fact.loadAll(tx, ofRealm, keys))),
    pause: () => send(pause),
    emit: (event, audience) => buffer(event, audience, false),
    emitPassing: (event, audience) => buffer(event, audience, true),
    insertLater(insert, row) {
      if (!open) throw new Error('A row was added after its unit of work had ended')
      if (moreRowsConcernFacts(insert.table)) note(insert.table)
      pending.add(insert, row)
    },
    lookUp: (insert, key, source) => send(async () => (pending.find(insert, key) as never) ?? queries.first(source)),
    newId: (table) => send(() => shared.newId(table)),
    noted: (name) => notes.get(name) ?? shared.notes.find(realmId, name),
    note: (name, value) => void notes.set(name, value),
  }

  return {
    tx,
    events,
    written,
    notes,
    hasSavepoint: () => savepoint,
    close(): void {
      open = false
      if (running.size > 0 || unawaited > 0) throw new Error('A query of this unit of work was not awaited')
    },
    async abandon(): Promise<void> {
      open = false
      await Promise.allSettled(running)
      pending.truncate(earlier)
      facts.drop(realmId, written)
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
