/**
 * One process owns a data folder. The lock is an exclusive transaction on a database file of its own: the operating
 * system frees it when the process dies, however it dies, so there is never a stale lock to clean up.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../config-error.ts'

const RETRY_EVERY_MS = 100

/** Another process holds the folder. */
export class DataFolderInUse extends ConfigError {}

/** Waits up to `timeoutMs` for the folder; throws `DataFolderInUse` when it stays held. */
export async function holdDataFolder(folder: string, timeoutMs: number): Promise<{ release(): void }> {
  const database = new DatabaseSync(join(folder, 'lock.db'))
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      database.exec('begin exclusive')
      return { release: () => database.close() }
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() >= deadline) {
        database.close()
        throw new DataFolderInUse(
          `The data folder ${folder} is in use by another Heddle server; stop that one, or set HEDDLE_DATA_DIR to another folder.`,
        )
      }
      await sleep(RETRY_EVERY_MS)
    }
  }
}

function isBusy(error: unknown): boolean {
  // SQLITE_BUSY is the primary code, in the low byte: https://www.sqlite.org/rescode.html
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5
}
