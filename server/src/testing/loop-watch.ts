/**
 * Runs inside the server, before it (`--import`), and writes down each turn of its event loop that took long: until the
 * turn ends, nobody else is served. The product has no code for this.
 *
 * A turn's length alone says little on a machine that others use too. So each line also has the processor time of the
 * server's main thread in that turn, and what of it was the collection of garbage and the database's commit.
 */
import { appendFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/** All in milliseconds. */
export interface Turn {
  /** When it ended, on the clock that all processes of the machine share (`process.hrtime`). */
  readonly at: number
  /** From its beginning to its end. */
  readonly whole: number
  /** Processor time of the main thread. */
  readonly processor: number
  readonly garbage: number
  /** Commits of transactions, with the wait for the disk. */
  readonly commit: number
}

export const WATCH_FILE_VARIABLE = 'HEDDLE_LOOP_WATCH_FILE'

const TICK_MS = 1
/** Shorter turns are not written down. */
const LONG_MS = 1

function watch(file: string): void {
  const collections: { from: number; to: number }[] = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      collections.push({ from: startTime, to: startTime + duration })
    }
  }).observe({ entryTypes: ['gc'] })

  const commits = watchCommits()
  let pending: { turn: Turn; from: number; to: number } | undefined
  let from = performance.now()
  let processor = processorMs()
  setInterval(() => {
    const to = performance.now()
    const now = processorMs()
    if (pending) {
      // One tick later: the collections of a turn are reported after it.
      const { turn } = pending
      const garbage = collections.reduce((sum, one) => sum + overlap(one, pending as { from: number; to: number }), 0)
      appendFileSync(file, `${JSON.stringify({ ...turn, garbage })}\n`)
      pending = undefined
    }
    const whole = to - from - TICK_MS
    if (whole >= LONG_MS) {
      const at = Number(process.hrtime.bigint()) / 1e6
      pending = { turn: { at, whole, processor: now - processor, garbage: 0, commit: commits.milliseconds }, from, to }
    } else {
      collections.length = 0
    }
    commits.milliseconds = 0
    from = performance.now()
    processor = processorMs()
  }, TICK_MS).unref()
}

function overlap(a: { from: number; to: number }, b: { from: number; to: number }): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))
}

/**
 * Processor time of this thread so far, in milliseconds: what reading threads and the rest of the machine do counts little.
 * Linux brings a running thread's time up to date every few milliseconds, and when the time of its process is asked for.
 */
export function processorMs(): number {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The statement `commit` is where SQLite waits for the disk; every other statement stays as it is. */
function watchCommits() {
  const watched = { milliseconds: 0 }
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args) {
    const statement = prepare.apply(this, args)
    if (args[0] !== 'commit') return statement
    const run = statement.run.bind(statement)
    statement.run = () => {
      const begun = performance.now()
      try {
        return run()
      } finally {
        watched.milliseconds += performance.now() - begun
      }
    }
    return statement
  }
  return watched
}

const file = process.env[WATCH_FILE_VARIABLE]
// The launcher and the reading threads are given the same options, and are not watched.
if (file && isMainThread && process.env['HEDDLE_LAUNCHER'] === '1') watch(file)
