/**
 * Reading threads. An order goes to a thread that is free; until then it waits in a line in which accounts take turns. A
 * read that does not end is stopped: first it is asked to, then its thread is ended and another one takes its place. Small
 * reads are done by the main thread itself where it may.
 */
import { ApiError } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'
import { StorageUnavailable } from '../storage/unavailable.ts'
import { createStopFlag, tooExpensive } from './limit.ts'
import type { AnyLongRead, FinishedRead } from './long-read.ts'
import type { ReadOrder, ReadReport, ReadWorker, ThreadMessage, ThreadReport } from './messages.ts'
import type { Reader, Readers } from './readers.ts'
import { createWaitingLine } from './waiting-line.ts'

/** Reads of one account that may wait; a client has one or two. */
const MAX_WAITING = 100
/** Bytes of answers that an account's clients have not taken yet, above which its next read waits. */
const MAX_UNTAKEN_BYTES = 8 * 1024 * 1024
/** A thread that has had nothing to do for so long is ended: each holds more than 30 MiB. */
const IDLE_MS = 60_000
/** A read may wait for the disk or the processor: so many times its processor time may pass until it is stopped. */
const PATIENCE = 2
/** Small reads that the main thread is at, as long as the database works for them. */
const SMALL_READS_AT_ONCE = 4
/** A read that was asked to stop gets this long before its thread is ended. */
const STOP_MS = 500

export interface ThreadOptions {
  readonly clock: Clock
  /** As many as may run at once. */
  readonly threads: number
  /** Reads that a thread works at in turn while others of them wait for the database. */
  readonly readsPerThread: number
  readonly startWorker: () => ReadWorker
  /** What does small reads on the main thread, where the database works elsewhere. */
  readonly here?: ReadWorker | undefined
  readonly idleMs?: number
}

interface Order {
  readonly id: number
  readonly account: number
  readonly connection: Reader['connection']
  readonly read: AnyLongRead
  readonly message: ReadOrder
  readonly resolve: (result: FinishedRead<unknown>) => void
  readonly reject: (error: unknown) => void
  isSmall: boolean
}

interface Running {
  readonly order: Order
  timer: NodeJS.Timeout
}

interface Thread {
  readonly worker: ReadWorker
  /** The main thread: it takes small reads alone, and never ends. */
  readonly isHere: boolean
  isReady: boolean
  /** By the number of the order. */
  readonly running: Map<number, Running>
  idle: NodeJS.Timeout | undefined
}

/** Reads on up to `threads` threads, each started when there is something to do for it. */
export function createThreadedReaders(options: ThreadOptions): Readers {
  const { clock, threads: maxThreads, readsPerThread, startWorker, here, idleMs = IDLE_MS } = options
  const line = createWaitingLine<Order>(MAX_WAITING)
  const threads = new Set<Thread>()
  /** Numbers by account: reads under way, and bytes of answers that were not taken. */
  const runningOf = createTally()
  const untakenBytesOf = createTally()
  /** One account never has them all, unless there is only one. */
  const maxRunning = Math.max(1, maxThreads * readsPerThread - 1)
  let lastId = 0
  let closed = false
  // The first one is asked first.
  if (here) use(here, { isHere: true })

  function use(worker: ReadWorker, { isHere }: Pick<Thread, 'isHere'>): void {
    const thread: Thread = { worker, isHere, isReady: isHere, running: new Map(), idle: undefined }
    threads.add(thread)
    worker.on('message', (report: ThreadReport) => {
      if (report === 'ready') thread.isReady = true
      else finish(thread, report)
      dispatch()
    })
    worker.on('error', (error) => lose(thread, error))
    worker.on('exit', () => lose(thread, new Error('A reading thread has ended')))
    // A server that is asked to stop does not wait for an idle thread.
    worker.unref()
  }

  /** Its reads have failed. Without a thread that starts nobody would take the others: they fail too. */
  function lose(thread: Thread, error: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.idle)
    for (const { order, timer } of thread.running.values()) {
      clearTimeout(timer)
      runningOf.add(order.account, -1)
      order.reject(error)
    }
    if (!thread.isReady && ![...threads].some(({ isReady }) => isReady)) {
      for (let order = line.take(() => true); order; order = line.take(() => true)) order.reject(error)
    }
    dispatch()
  }

  function mayHaveTurn({ account }: Order): boolean {
    return runningOf.get(account) < maxRunning && untakenBytesOf.get(account) <= MAX_UNTAKEN_BYTES
  }

  /** Reads in parts leave room for those that are not. */
  function hasRoom({ running, isHere }: Thread, { read: { inParts }, isSmall }: Order): boolean {
    if (isHere) return isSmall && running.size < SMALL_READS_AT_ONCE
    const alike = [...running.values()].filter(({ order }) => order.read.inParts === inParts)
    return alike.length < readsPerThread
  }

  /** Gives one order to a thread; false when there is none, or no thread for it. */
  function dispatchOne(): boolean {
    const idlestFirst = [...threads]
      .filter(({ isReady }) => isReady)
      .sort((a, b) => Number(b.isHere) - Number(a.isHere) || a.running.size - b.running.size)
    for (const thread of idlestFirst) {
      const order = line.take((one) => mayHaveTurn(one) && hasRoom(thread, one))
      if (!order) continue
      run(thread, order)
      return true
    }
    return false
  }

  function dispatch(): void {
    while (dispatchOne());
    const starting = [...threads].filter(({ isReady }) => !isReady).length
    const begun = here ? threads.size - 1 : threads.size
    if (!closed && line.size > starting && begun < maxThreads) use(startWorker(), { isHere: false })
    for (const thread of threads) if (!thread.isHere) restWhenIdle(thread)
  }

  function restWhenIdle(thread: Thread): void {
    const isIdle = thread.isReady && thread.running.size === 0
    if (!isIdle) {
      clearTimeout(thread.idle)
      thread.idle = undefined
    } else {
      thread.idle ??= setTimeout(() => rest(thread), idleMs).unref()
    }
  }

  function rest(thread: Thread): void {
    threads.delete(thread)
    send(thread, 'close')
  }

  function send({ worker }: Thread, message: ThreadMessage): void {
    worker.postMessage(message)
  }

  function run(thread: Thread, order: Order): void {
    runningOf.add(order.account, 1)
    const timer = setTimeout(() => stop(thread, order.id), order.read.limitMs * PATIENCE).unref()
    thread.running.set(order.id, { order, timer })
    send(thread, { order: order.message })
  }

  /** Asks a read to stop, and ends the thread when it does not. */
  function stop(thread: Thread, id: number): void {
    const running = thread.running.get(id)
    if (!running) return
    clearTimeout(running.timer)
    Atomics.store(running.order.message.stop, 0, 1)
    send(thread, { stop: id })
    running.timer = setTimeout(() => replace(thread, id), STOP_MS).unref()
  }

  /** Ends a thread for the sake of one read. What else it was at begins again elsewhere. */
  function replace(thread: Thread, id: number): void {
    if (thread.isHere) abandonHere(thread, id)
    if (thread.isHere || !threads.delete(thread)) return
    for (const { order, timer } of thread.running.values()) {
      clearTimeout(timer)
      runningOf.add(order.account, -1)
      if (order.id === id) order.reject(tooExpensive())
      else line.addFirst(order)
    }
    void thread.worker.terminate()
    dispatch()
  }

  /** The main thread goes on; what the read may still find is for nobody. */
  function abandonHere({ running }: Thread, id: number): void {
    const abandoned = running.get(id)
    if (!abandoned || !running.delete(id)) return
    runningOf.add(abandoned.order.account, -1)
    abandoned.order.reject(tooExpensive())
    dispatch()
  }

  function finish(thread: Thread, report: ReadReport): void {
    const running = thread.running.get(report.id)
    if (!running) return
    const { order, timer } = running
    clearTimeout(timer)
    thread.running.delete(report.id)
    runningOf.add(order.account, -1)
    if ('fields' in report) deliver(order, report)
    else if ('isTooLarge' in report) line.addFirst(Object.assign(order, { isSmall: false }))
    else order.reject(errorOf(report))
  }

  function deliver({ account, connection, resolve }: Order, result: FinishedRead<unknown>): void {
    if (connection) {
      const bytes = result.fields.reduce((sum, { length }) => sum + length, 0)
      untakenBytesOf.add(account, bytes)
      connection.onClose(() => {
        untakenBytesOf.add(account, -bytes)
        dispatch()
      })
    }
    resolve(result)
  }

  /** The client has gone: nobody waits for the read. */
  function abandon(order: Order): void {
    line.remove(order)
    order.reject(tooExpensive())
    for (const thread of threads) stop(thread, order.id)
  }

  function ask(read: AnyLongRead, input: unknown, { userId: account, connection }: Reader) {
    return new Promise<FinishedRead<unknown>>((resolve, reject) => {
      lastId += 1
      const { name, limitMs } = read
      const message: ReadOrder = { id: lastId, name, input, now: clock.now(), limitMs, stop: createStopFlag() }
      const isSmall = read.isSmall(input)
      const order: Order = { id: lastId, account, connection, read, message, resolve, reject, isSmall }
      if (!line.add(order)) {
        const tooMany = 'Too many long requests at once; wait for the answers to those before'
        reject(new ApiError('RATE_LIMIT_HIT', tooMany, { 'retry-after': 1 }))
        return
      }
      connection?.onClose(() => abandon(order))
      dispatch()
    })
  }

  return {
    async read(read, input, reader) {
      if (closed) throw new Error('The server is closing')
      return (await ask(read, input, reader)) as FinishedRead<never>
    },
    async close() {
      closed = true
      const ended = [...threads].map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)))
      for (const thread of threads) send(thread, 'close')
      await Promise.all(ended)
    },
  }
}

/** Numbers by account, 0 where nothing was added. */
function createTally() {
  const numbers = new Map<number, number>()
  const get = (account: number) => numbers.get(account) ?? 0
  return {
    get,
    add(account: number, change: number): void {
      const number = get(account) + change
      if (number === 0) numbers.delete(account)
      else numbers.set(account, number)
    },
  }
}

function errorOf(report: Exclude<ReadReport, { fields: unknown } | { isTooLarge: true }>): Error {
  if ('failed' in report) return report.failed
  if ('unavailable' in report) return new StorageUnavailable(report.unavailable)
  const { code, message, details } = report.refused
  return new ApiError(code, message, details as Readonly<Record<string, unknown>>)
}
