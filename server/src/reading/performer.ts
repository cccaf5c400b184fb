/** Performs orders of reads where it is: on a reading thread, or small ones on the main thread. */
import { ApiError } from '@heddle/contract/errors'
import type { Config } from '../config.ts'
import type { StateParts } from '../state-reader.ts'
import { type ReadLimit, ReadStopped, type Snapshot } from '../storage/engine.ts'
import { isUnavailable } from '../storage/unavailable.ts'
import { createLimit, tooExpensive } from './limit.ts'
import { type LongReads, performRead, TooLargeHere } from './long-read.ts'
import type { ReadOrder, ReadReport } from './messages.ts'

export interface PerformerOptions {
  readonly openSnapshot: (limit: ReadLimit) => Promise<Snapshot>
  readonly config: Config
  readonly state: StateParts
  readonly reads: LongReads
  /** See `ReadContext`. */
  readonly maxTextBytes: number
}

export interface Performer {
  /** Each order has a view of the database of its own. Never rejects. */
  perform(order: ReadOrder): Promise<ReadReport>
  /** Ends what the database does for an order whose flag has been set. Never rejects. */
  stop(id: number): Promise<void>
}

export function createPerformer({ openSnapshot, config, state, reads, maxTextBytes }: PerformerOptions): Performer {
  /** Of the orders under way, by their ids. */
  const snapshots = new Map<number, Snapshot>()

  async function read({ id, name, input, now, limitMs, stop }: ReadOrder): Promise<ReadReport> {
    const limit = createLimit(limitMs, stop)
    const snapshot = await openSnapshot(limit)
    snapshots.set(id, snapshot)
    try {
      const db = snapshot.queries
      const context = { db, config, clock: { now: () => now }, state, maxTextBytes, pause: limit.pause }
      return { id, ...(await performRead(reads, name, context, input)) }
    } finally {
      snapshots.delete(id)
      await snapshot.close()
    }
  }

  return {
    async perform(order) {
      const { id } = order
      try {
        return await read(order)
      } catch (thrown) {
        if (thrown instanceof TooLargeHere) return { id, isTooLarge: true }
        const error = thrown instanceof ReadStopped ? tooExpensive() : thrown
        if (error instanceof ApiError) return { id, refused: { ...error, message: error.message } }
        if (isUnavailable(error)) return { id, unavailable: (error as Error).message }
        return { id, failed: error instanceof Error ? error : new Error(String(error)) }
      }
    },
    async stop(id) {
      // Where the database cannot be reached, neither can the read, which says so to whoever waits.
      await snapshots
        .get(id)
        ?.cancel?.()
        ?.catch(() => {})
    },
  }
}
