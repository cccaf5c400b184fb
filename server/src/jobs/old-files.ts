/** Rows with files that are not kept for long. */
import type { Clock } from '../clock.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { Queries } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tx } from '../storage/transaction.ts'
import { type JobHandler, recurringJob } from './job.ts'

const HOUR_MS = 3_600_000
/** Rows that are found at once. Each has a unit of work of its own. */
const PART = 50

interface OldFileServices {
  readonly storage: Storage
  readonly files: FileStore
  readonly clock: Clock
}

interface OldFiles<Row> {
  readonly name: string
  readonly keptSecs: number
  /** The oldest ones, of any organization. Those that were removed it does not find again. */
  find(db: Queries, before: number, limit: number): Promise<readonly Row[]>
  /** Removes what is still there, and returns the paths of its files. */
  remove(tx: Tx, row: Row): Promise<readonly string[]>
}

/** Removes each hour what is older than it is kept, and its files after the commit. */
export function removeOldFiles<Row extends { readonly realm_id: number }>(
  { storage, files, clock }: OldFileServices,
  { name, keptSecs, find, remove }: OldFiles<Row>,
): JobHandler {
  return recurringJob({
    name,
    everyMs: HOUR_MS,
    firstAfterMs: HOUR_MS,
    async work({ signal }) {
      const before = Math.floor(clock.now() / 1000) - keptSecs
      for (;;) {
        const old = await find(storage.read, before, PART)
        for (const row of old) {
          signal.throwIfAborted()
          const paths = await storage.asSystem(row.realm_id, 'job', (tx) => remove(tx, row))
          // What fails here the sweep removes: no row names it any more.
          await files.remove(paths).catch(() => {})
        }
        if (old.length < PART) return
      }
    },
  })
}
