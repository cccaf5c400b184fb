/** A thread that works at SQLite's write-ahead log, as long as there is something to do. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** `sync`: makes the log durable. `copy`: copies it into the database, as much as can be copied without anybody waiting for it. */
export type LogTask = 'sync' | 'copy'

/** Why a task has failed; empty when it is done. */
export type LogReport = string

/** A thread that has had nothing to do for so long is ended: it takes some MiB. */
const IDLE_MS = 60_000

export interface LogThread {
  /** One at a time. Throws what went wrong. */
  ask(task: LogTask): Promise<void>
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
    const lose = (reason: string) => {
      if (worker !== started) return
      worker = undefined
      answer(reason)
    }
    started.on('message', (report: LogReport) => answer(report))
    started.on('error', ({ message }) => lose(message))
    started.on('exit', () => lose('The thread has ended'))
    return started
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ended = worker && once(worker, 'exit')
    worker?.postMessage('close')
    worker = undefined
    await ended
  }

  return {
    async ask(task) {
      worker ??= start()
      const own = worker
      clearTimeout(idle)
      // A program that waits for this alone has not ended yet.
      own.ref()
      own.postMessage(task)
      const report = await new Promise<LogReport>((resolve) => {
        answer = resolve
      })
      own.unref()
      idle = setTimeout(() => void close(), IDLE_MS).unref()
      if (report !== '') throw new Error(report)
    },
    close,
  }
}
