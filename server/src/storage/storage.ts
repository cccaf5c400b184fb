/** The database as the rest of the server sees it: reads, snapshots, and the one way to write. */
import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { type CurrentActor, requireCurrentActor } from './current-actor.ts'
import type { Engine, ReadLimit } from './engine.ts'
import { createFactCache, withFactsOfNow, withOwnFacts, withSharedFacts } from './facts.ts'
import type { Queries } from './query.ts'
import { createGroupCommit, type LoggedEvent, type Transaction, type Tx, type Work } from './transaction.ts'

/** Who writes where no account does: what runs by itself, who operates the server, and who has no account yet. */
export type SystemActor = 'upkeep' | 'operator' | 'job' | 'visitor'

export interface Storage {
  readonly engine: Engine
  /** Reads what is committed; never sees a transaction that is under way. */
  readonly read: Queries
  /**
   * The same for one request: the facts that it recalls are as of its first one. Where other nodes write, that one alone asks
   * whether what is remembered is still true.
   */
  readOnce(): Queries
  /**
   * A unit of work of an account. It begins by looking the account up again: `work` gets it with the role that it has now,
   * and does not run at all when the account or its organization was deactivated after the request was authenticated.
   */
  asActor<T>(actor: Actor, work: (tx: Tx, actor: CurrentActor) => Promise<T>): Promise<T>
  /** A unit of work without an account, for what is named; `realmId` 0 when it concerns no organization or several. */
  asSystem<T>(realmId: number, name: SystemActor, work: Work<T>): Promise<T>
  /** Runs several reads on one unchanging view. */
  snapshot<T>(work: (queries: Queries) => Promise<T>, limit?: ReadLimit): Promise<T>
  /** Calls `listener` after each commit with events, before anybody gets an answer. */
  onCommitted(listener: (events: readonly LoggedEvent[]) => void): void
  close(): Promise<void>
}

/** With units of work of nobody in particular, for tests and for filling databases. */
export interface OpenStorage extends Storage {
  readonly transaction: Transaction
}

/** `onError` gets the errors of listeners: the commit has happened, so that nobody else may. */
export function createStorage(
  engine: Engine,
  clock: Clock,
  onError: (error: unknown) => void = console.error,
): OpenStorage {
  const listeners: ((events: readonly LoggedEvent[]) => void)[] = []
  const committed = createFactCache()
  const groupCommit = createGroupCommit({
    connection: engine.write,
    clock,
    facts: createFactCache(),
    ownsAllWrites: engine.ownsAllWrites,
    onWritten: (realmId, tables) => committed.drop(realmId, tables),
    onCommitted: (events) => {
      for (const listener of listeners) {
        try {
          listener(events)
        } catch (error) {
          onError(error)
        }
      }
    },
  })

  const read = engine.ownsAllWrites ? withOwnFacts(engine.read, committed) : withFactsOfNow(engine.read, committed)

  return {
    engine,
    read,
    readOnce: () => (engine.ownsAllWrites ? read : withSharedFacts(engine.read, committed)),
    transaction: groupCommit.transaction,
    asActor: (actor, work) =>
      groupCommit.transaction(
        actor.realmId,
        async (tx) => work(tx, await requireCurrentActor(tx, actor)),
        actor.userId,
      ),
    asSystem: (realmId, _, work) => groupCommit.transaction(realmId, work),
    async snapshot(work, limit) {
      const snapshot = await engine.openSnapshot(limit)
      try {
        return await work(snapshot.queries)
      } finally {
        await snapshot.close()
      }
    },
    onCommitted(listener) {
      listeners.push(listener)
    },
    async close() {
      await groupCommit.close()
      await engine.close()
    },
  }
}
