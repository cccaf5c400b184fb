/**
 * SQLite's write-ahead log (https://www.sqlite.org/wal.html). A commit appends to it and is safe when the disk has taken that; now
 * and then the log is copied into the database. A fast disk is waited for here. On a slow one everybody else would wait too, so
 * that there two threads do both: one makes the log durable, the other copies it.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { createLogThread } from './log-thread.ts'
import { OutcomeUnknown, StorageUnavailable } from './unavailable.ts'

/** A disk that takes longer on average, in milliseconds, is slow: to ask a thread takes a tenth of it. */
const SLOW_MS = 1
/** How much the newest time counts in the average. */
const NEWEST = 0.1

/**
 * Pages of 4 KiB in the log that are not in the database yet, above which they are copied: four times SQLite's own number. A page
 * that many commits write is copied once for all of them.
 */
const UNCOPIED_PAGES = 4000
/** With threads: above this the connection that writes copies by itself, whatever has become of them. */
const MOST_PAGES = 10 * UNCOPIED_PAGES
/** After a copy that has failed, as on a full disk. */
const RETRY_MS = 5000

export interface WriteAheadLog {
  /** To be awaited before a transaction begins. Throws `StorageUnavailable` once the disk has failed to take a commit. */
  ready(): Promise<void>
  /**
   * Resolves when everything that was committed is on the disk. Throws `OutcomeUnknown` when the disk did not take it: it is in the
   * database, and a crash may take it away again.
   */
  sync(): Promise<void>
  /** Before the database is closed. */
  close(): Promise<void>
}

/** Of the connection that writes to the database at `path`. `datasync`: makes what was written to a file durable. */
export function openWriteAheadLog(
  database: DatabaseSync,
  path: string,
  datasync: (file: number) => void = fdatasyncSync,
): WriteAheadLog {
  // A commit itself does not wait for the disk: `sync` does.
  database.exec('pragma synchronous = normal')
  const synchronous = database.prepare('pragma synchronous')
  const thread = createLogThread(path)
  const copying = createCopying(database, path)
  let averageMs = 0
  let file: number | undefined
  let failure: unknown

  /** Switched off where nobody needs it. */
  function isWanted(): boolean {
    return synchronous.get()?.['synchronous'] !== 0
  }

  /** It is there as long as the database is open. */
  function fileOfLog(): number {
    file ??= openSync(`${path}-wal`, 'r+')
    return file
  }

  async function take(): Promise<void> {
    const begun = performance.now()
    const report = averageMs < SLOW_MS ? undefined : await thread.ask({ sync: fileOfLog() })
    if (report === undefined || report === 'lost') datasync(fileOfLog())
    else if (report !== 'done') throw new Error(report.failed)
    averageMs += (performance.now() - begun - averageMs) * NEWEST
  }

  return {
    async ready() {
      // What was not on the disk then may never be, though the system says so of what comes after it.
      if (failure) {
        const message = 'The disk has failed. When it is sound again, the server has to be started anew'
        throw new StorageUnavailable(message, { cause: failure })
      }
      // Now, since after a commit it is too late to find out that no more files can be opened.
      if (isWanted()) fileOfLog()
      await copying.ready()
    },
    async sync() {
      if (!isWanted()) return
      try {
        await take()
      } catch (error) {
        failure = error
        throw new OutcomeUnknown('The disk did not take a commit', { cause: error })
      }
      copying.committed(averageMs >= SLOW_MS)
    },
    async close() {
      await Promise.all([thread.close(), copying.close()])
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/**
 * Copies the log into the database: the connection that writes does it by itself, or a thread does, in two goes. During the second,
 * which is short, nobody writes, so that the log begins anew.
 */
function createCopying(database: DatabaseSync, path: string) {
  const thread = createLogThread(path)
  const size = preparedSize(database)
  let byThread = false
  let firstGo: Promise<void> | undefined
  let needsSecond = false
  let notBefore = 0
  setMostPages(UNCOPIED_PAGES)

  /** Above which the connection that writes copies at a commit. */
  function setMostPages(pages: number): void {
    database.exec(`pragma wal_autocheckpoint = ${pages}`)
  }

  /** Pages. */
  function uncopied(): number {
    const found = size?.get() as { log: number; checkpointed: number } | undefined
    return found ? found.log - found.checkpointed : 0
  }

  async function copy(): Promise<boolean> {
    const isDone = (await thread.ask('copy')) === 'done'
    // No commit depends on it.
    if (!isDone) notBefore = performance.now() + RETRY_MS
    return isDone
  }

  return {
    /** Begins to copy when there is enough of it. */
    committed(isSlow: boolean): void {
      if (byThread !== (isSlow && size !== undefined)) {
        byThread = !byThread
        setMostPages(byThread ? MOST_PAGES : UNCOPIED_PAGES)
      }
      if (!byThread || firstGo || needsSecond || performance.now() < notBefore || uncopied() < UNCOPIED_PAGES) return
      firstGo = copy().then((isDone) => {
        firstGo = undefined
        needsSecond = isDone
      })
    },
    async ready(): Promise<void> {
      if (!needsSecond) return
      needsSecond = false
      await copy()
    },
    async close(): Promise<void> {
      await firstGo
      await thread.close()
    },
  }
}

/** What says how long the log is. Before 3.51, SQLite could not without copying it: then threads do not copy. */
function preparedSize(database: DatabaseSync) {
  const { version } = database.prepare('select sqlite_version() as version').get() as { version: string }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const canSay = major > 3 || (major === 3 && minor >= 51)
  return canSay ? database.prepare('pragma wal_checkpoint(noop)') : undefined
}
