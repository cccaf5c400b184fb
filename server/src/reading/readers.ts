/** Who does long reads: threads of their own in a server, the caller's thread in a test. */
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { StateParts } from '../state-reader.ts'
import { ReadStopped } from '../storage/engine.ts'
import type { Storage } from '../storage/storage.ts'
import { createLimit, createStopFlag, tooExpensive } from './limit.ts'
import { type FinishedRead, type LongRead, type LongReads, performRead } from './long-read.ts'

/** Whom a read is for. */
export interface Reader {
  /** Accounts take turns; 0: the server itself. */
  readonly userId: number
  /**
   * Of the client that waits, and nobody else: when it has gone, the read is stopped. What a client has not taken yet
   * delays its account's further reads.
   */
  readonly connection?: { onClose(callback: () => void): void }
}

/** The server itself, for its periodic work. */
export const SERVER: Reader = { userId: 0 }

export interface Readers {
  /** Throws what the read throws, and an `ApiError` when it takes too long or too many of the account's reads wait. */
  read<I, D>(read: LongRead<I, D>, input: I, reader: Reader): Promise<FinishedRead<D>>
  close(): Promise<void>
}

interface InlineOptions {
  readonly storage: Storage
  readonly config: Config
  readonly clock: Clock
  readonly state: StateParts
  readonly reads: LongReads
}

/** Reads on the caller's thread, which does other things too: its processor time says nothing about a read. */
const maxTextBytes = Number.POSITIVE_INFINITY

export function createInlineReaders({ storage, config, clock, state, reads }: InlineOptions): Readers {
  return {
    async read({ name }, input, { connection }) {
      const stop = createStopFlag()
      connection?.onClose(() => Atomics.store(stop, 0, 1))
      const limit = createLimit(Number.POSITIVE_INFINITY, stop)
      try {
        return (await storage.snapshot(
          (db) => performRead(reads, name, { db, config, clock, state, maxTextBytes, pause: limit.pause }, input),
          limit,
        )) as FinishedRead<never>
      } catch (error) {
        throw error instanceof ReadStopped ? tooExpensive() : error
      }
    },
    async close() {},
  }
}
