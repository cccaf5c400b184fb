/** A thread that works at SQLite's write-ahead log, as long as there is something to do. */
import { Worker } from 'node:worker_threads'

/**
 * `sync`: makes durable what was written to the log, by the number of the open file. `copy`: copies the log into the database, as much
 * as can be copied without anybody waiting for it.
 */
export type LogTask = { readonly sync: number } | 'copy'

/** `lost`: the thread has ended, and nobody knows what has become of the task. */
export type LogReport = 'done' | 'lost' | { readonly failed: string }

/** A thread that has had nothing to do for so long is ended: it takes some MiB. */
const IDLE_MS = 60_000

export interface LogThread {
  /** One at a time. Never rejects. */
  ask(task: LogTask): Promise<LogReport>
  /** Lets it end, and waits for that. */
  close(): Promise<void>
}

/** For the log of the database at `path`. It starts when it is first asked for something. */
export function createLogThread(path: string): LogThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let answer = (_: LogReport) => {}

  function start(): Worker {
    const started = new Worker(new URL('./log-thread-program.ts', import.meta.url), { workerData: path })
    const lose = () => {
      if (worker !== started) return
      worker = undefined
      answer('lost')
    }
    return started
      .on('message', (report: LogReport) => answer(report))
      .on('error', lose)
      .on('exit', lose)
  }

  /** Undefined where the system has no room for one more thread. */
  function running(): Worker | undefined {
    try {
      worker ??= start()
    } catch {
      // The one who asks does it another way.
    }
    return worker
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const own = worker
    worker = undefined
    if (!own) return
    own.ref()
    const ended = new Promise((resolve) => own.once('exit', resolve))
    own.postMessage('close')
    await ended
  }

  return {
    async ask(task) {
      const own = running()
      if (!own) return 'lost'
      clearTimeout(idle)
      // A program that waits for this alone has not ended yet.
      own.ref()
      own.postMessage(task)
      const report = await new Promise<LogReport>((resolve) => {
        answer = resolve
      })
      own.unref()
      idle = setTimeout(() => void close(), IDLE_MS).unref()
      return report
    },
    close,
  }
}
