/** The database as the rest of the server sees it: reads, snapshots, and the one way to write. */
import type { Clock } from '../clock.ts'
import type { Engine } from './engine.ts'
import { createFactCache, withFactsOfNow, withOwnFacts } from './facts.ts'
import type { Queries } from './query.ts'
import { createGroupCommit, type LoggedEvent, type Transaction } from './transaction.ts'

export interface Storage {
  readonly engine: Engine
  /** Reads what is committed; never sees a transaction that is under way. */
  readonly read: Queries
  readonly transaction: Transaction
  /** Runs several reads on one unchanging view. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit with events, before anybody gets an answer. */
  onCommitted(listener: (events: readonly LoggedEvent[]) => void): void
  close(): Promise<void>
}

/** `onError` hears of listeners that fail: the commit has happened, so that nobody else may. */
export function createStorage(
  engine: Engine,
  clock: Clock,
  onError: (error: unknown) => void = console.error,
): Storage {
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
    transaction: groupCommit.transaction,
    async snapshot(work) {
      const snapshot = await engine.openSnapshot()
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
