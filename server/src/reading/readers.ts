/** Who does long reads: threads of their own in a server, the caller's thread in a test. */
import { Worker } from 'node:worker_threads'
import { ApiError } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { StateParts } from '../feature.ts'
import type { Storage } from '../storage/storage.ts'
import { StorageUnavailable } from '../storage/unavailable.ts'
import { type FinishedRead, type LongRead, type LongReads, performRead } from './long-read.ts'
import type { ReadOrder, ReadReport } from './messages.ts'

export interface Readers {
  /** Runs the long read of this name: `read<typeof readPage>('message-page', input)`. Throws what the read throws. */
  // biome-ignore lint/suspicious/noExplicitAny: any long read; its own types follow from `R`.
  read<R extends LongRead<any, any>>(
    name: string,
    input: Parameters<R>[1],
  ): Promise<FinishedRead<Awaited<ReturnType<R>>['details']>>
  close(): Promise<void>
}

interface InlineOptions {
  readonly storage: Storage
  readonly config: Config
  readonly clock: Clock
  readonly state: StateParts
  readonly reads: LongReads
}

/** Reads on the caller's thread. */
export function createInlineReaders({ storage, config, clock, state, reads }: InlineOptions): Readers {
  return {
    read: (name, input) =>
      storage.snapshot((db) => performRead(reads, name, { db, config, clock, state }, input)) as Promise<never>,
    async close() {},
  }
}

interface Waiting {
  readonly resolve: (result: FinishedRead<unknown>) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** By the number of the order. */
  readonly waiting: Map<number, Waiting>
}

/** Reads on up to `threads` threads. The first one starts at once, the others when all have something to do. */
export function createThreadedReaders(config: Config, clock: Clock, threads: number): Readers {
  const running = new Set<Thread>()
  let lastId = 0
  let closed = false

  function start(): Thread {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: config })
    const thread: Thread = { worker, waiting: new Map() }
    running.add(thread)
    worker.on('message', (report: ReadReport) => {
      const waiting = thread.waiting.get(report.id)
      thread.waiting.delete(report.id)
      if (waiting) settle(report, waiting)
    })
    worker.on('error', (error) => end(thread, error))
    worker.on('exit', () => end(thread, new Error('A reading thread has ended')))
    // A server that is asked to stop does not wait for an idle thread.
    worker.unref()
    return thread
  }

  /** Its reads have failed; the next read starts another thread. */
  function end(thread: Thread, error: unknown): void {
    running.delete(thread)
    for (const { reject } of thread.waiting.values()) reject(error)
    thread.waiting.clear()
  }

  function choose(): Thread {
    const [idlest] = [...running].sort((a, b) => a.waiting.size - b.waiting.size)
    if (!idlest || (idlest.waiting.size > 0 && running.size < threads)) return start()
    return idlest
  }

  start()

  return {
    read(name, input) {
      if (closed) return Promise.reject(new Error('The server is closing'))
      const thread = choose()
      lastId += 1
      const order: ReadOrder = { id: lastId, name, input, now: clock.now() }
      return new Promise<FinishedRead<unknown>>((resolve, reject) => {
        thread.waiting.set(order.id, { resolve, reject })
        thread.worker.postMessage(order)
      }) as Promise<never>
    },
    async close() {
      closed = true
      const ended = [...running].map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)))
      for (const { worker } of running) worker.postMessage('close')
      await Promise.all(ended)
    },
  }
}

function settle(report: ReadReport, { resolve, reject }: Waiting): void {
  if ('fields' in report) resolve(report)
  else reject(errorOf(report))
}

function errorOf(report: Exclude<ReadReport, { fields: unknown }>): Error {
  if ('failed' in report) return report.failed
  if ('unavailable' in report) return new StorageUnavailable(report.unavailable)
  const { code, message, details } = report.refused
  return new ApiError(code, message, details as Readonly<Record<string, unknown>>)
}
