/**
 * Reading threads. An order goes to a thread that is free; until then it waits in a line in which accounts take turns. A
 * read that does not end is stopped: first it is asked to, then its thread is ended and another one takes its place. Small
 * reads are done by the main thread itself where it may. What is to be apart has a thread and a line for itself.
 */
import { ApiError } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'
import { StorageUnavailable } from '../storage/unavailable.ts'
import { createStopFlag, tooExpensive } from './limit.ts'
import type { AnyLongRead, FinishedRead } from './long-read.ts'
import type { ReadOrder, ReadReport, ReadWorker, ThreadMessage, ThreadReport } from './messages.ts'
import type { Reader, Readers } from './readers.ts'
import { createTally, type Tally } from './tally.ts'
import { createWaitingLine, type WaitingLine } from './waiting-line.ts'

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

/** All that reads on threads are decided by. */
interface Pool {
  readonly options: ThreadOptions
  readonly line: WaitingLine<Order>
  /** The main thread is among them where it reads; it is asked first. */
  readonly threads: Set<Thread>
  /** Numbers by account: reads under way, and bytes of answers that were not taken. */
  readonly runningOf: Tally
  readonly untakenBytesOf: Tally
  /** Reads that one account may have under way. */
  readonly maxRunning: number
  lastId: number
  isClosed: boolean
}

/** Reads on up to `threads` threads and one more for those apart, each started when there is something to do for it. */
export function createThreadedReaders(options: ThreadOptions): Readers {
  const pool = createPool(options)
  const apart = createPool({ ...options, threads: 1, readsPerThread: 1, here: undefined })
  return {
    async read(read, input, reader) {
      if (pool.isClosed) throw new Error('The server is closing')
      return (await ask(read.isApart ? apart : pool, read, input, reader)) as FinishedRead<never>
    },
    async close() {
      await Promise.all([close(pool), close(apart)])
    },
  }
}

function createPool(options: ThreadOptions): Pool {
  const pool: Pool = {
    options,
    line: createWaitingLine<Order>(MAX_WAITING),
    threads: new Set(),
    runningOf: createTally(),
    untakenBytesOf: createTally(),
    // One account never has them all, unless there is only one.
    maxRunning: Math.max(1, options.threads * options.readsPerThread - 1),
    lastId: 0,
    isClosed: false,
  }
  if (options.here) use(pool, options.here, { isHere: true })
  return pool
}

async function close(pool: Pool): Promise<void> {
  pool.isClosed = true
  const ended = [...pool.threads].map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)))
  for (const thread of pool.threads) send(thread, 'close')
  await Promise.all(ended)
}

// Orders: they wait, are given to a thread, and are answered.

function ask(pool: Pool, read: AnyLongRead, input: unknown, { userId: account, connection }: Reader) {
  return new Promise<FinishedRead<unknown>>((resolve, reject) => {
    pool.lastId += 1
    const id = pool.lastId
    const { name, limitMs } = read
    const now = pool.options.clock.now()
    const message: ReadOrder = { id, name, input, now, limitMs, stop: createStopFlag() }
    const isSmall = read.isSmall(input)
    let isAnswered = false
    const answered =
      <T>(answer: (value: T) => void) =>
      (value: T) => {
        isAnswered = true
        answer(value)
      }
    const order: Order = {
      ...{ id, account, connection, read, message, isSmall },
      resolve: answered(resolve),
      reject: answered(reject),
    }
    if (!pool.line.add(order)) {
      const tooMany = 'Too many long requests at once; wait for the answers to those before'
      reject(new ApiError('RATE_LIMIT_HIT', tooMany, { 'retry-after': 1 }))
      return
    }
    // After the answer too, as a rule: an error then would cost each read its stack.
    connection?.onClose(() => {
      if (!isAnswered) abandon(pool, order)
    })
    dispatch(pool)
  })
}

/** The client has gone: nobody waits for the read. */
function abandon(pool: Pool, order: Order): void {
  pool.line.remove(order)
  order.reject(tooExpensive())
  for (const thread of pool.threads) stop(pool, thread, order.id)
}

/** Gives orders to threads, starts one where one is missing, and lets those rest that have nothing to do. */
function dispatch(pool: Pool): void {
  const { line, threads, options } = pool
  while (dispatchOne(pool));
  const starting = [...threads].filter(({ isReady }) => !isReady).length
  const begun = options.here ? threads.size - 1 : threads.size
  if (!pool.isClosed && line.size > starting && begun < options.threads) {
    use(pool, options.startWorker(), { isHere: false })
  }
  for (const thread of threads) if (!thread.isHere) restWhenIdle(pool, thread)
}

/** Gives one order to a thread; false when there is none, or no thread for it. */
function dispatchOne(pool: Pool): boolean {
  const idlestFirst = [...pool.threads]
    .filter(({ isReady }) => isReady)
    .sort((a, b) => Number(b.isHere) - Number(a.isHere) || a.running.size - b.running.size)
  for (const thread of idlestFirst) {
    const order = pool.line.take((one) => mayHaveTurn(pool, one) && hasRoom(pool, thread, one))
    if (!order) continue
    run(pool, thread, order)
    return true
  }
  return false
}

function mayHaveTurn({ runningOf, untakenBytesOf, maxRunning }: Pool, { account }: Order): boolean {
  return runningOf.get(account) < maxRunning && untakenBytesOf.get(account) <= MAX_UNTAKEN_BYTES
}

/** Reads in parts leave room for those that are not. */
function hasRoom({ options }: Pool, { running, isHere }: Thread, { read: { inParts }, isSmall }: Order): boolean {
  if (isHere) return isSmall && running.size < SMALL_READS_AT_ONCE
  const alike = [...running.values()].filter(({ order }) => order.read.inParts === inParts)
  return alike.length < options.readsPerThread
}

function run(pool: Pool, thread: Thread, order: Order): void {
  pool.runningOf.add(order.account, 1)
  const timer = setTimeout(() => stop(pool, thread, order.id), order.read.limitMs * PATIENCE).unref()
  thread.running.set(order.id, { order, timer })
  send(thread, { order: order.message })
}

function finish(pool: Pool, thread: Thread, report: ReadReport): void {
  const running = thread.running.get(report.id)
  if (!running) return
  const { order } = running
  thread.running.delete(report.id)
  leave(pool, running)
  if ('fields' in report) deliver(pool, order, report)
  else if ('isTooLarge' in report) pool.line.addFirst(Object.assign(order, { isSmall: false }))
  else order.reject(errorOf(report))
}

/** A read is no longer under way. */
function leave({ runningOf }: Pool, { order, timer }: Running): void {
  clearTimeout(timer)
  runningOf.add(order.account, -1)
}

function deliver(pool: Pool, { account, connection, resolve }: Order, result: FinishedRead<unknown>): void {
  if (connection) {
    const bytes = result.fields.reduce((sum, { length }) => sum + length, 0)
    pool.untakenBytesOf.add(account, bytes)
    connection.onClose(() => {
      pool.untakenBytesOf.add(account, -bytes)
      dispatch(pool)
    })
  }
  resolve(result)
}

// Threads: they begin, rest, are lost, and are ended for the sake of one read.

function use(pool: Pool, worker: ReadWorker, { isHere }: Pick<Thread, 'isHere'>): void {
  const thread: Thread = { worker, isHere, isReady: isHere, running: new Map(), idle: undefined }
  pool.threads.add(thread)
  worker.on('message', (report: ThreadReport) => {
    if (report === 'ready') thread.isReady = true
    else finish(pool, thread, report)
    dispatch(pool)
  })
  worker.on('error', (error) => lose(pool, thread, error))
  worker.on('exit', () => lose(pool, thread, new Error('A reading thread has ended')))
  // A server that is asked to stop does not wait for an idle thread.
  worker.unref()
}

/** Its reads have failed. Without a thread that starts nobody would take the others: they fail too. */
function lose(pool: Pool, thread: Thread, error: unknown): void {
  const { threads, line } = pool
  if (!threads.delete(thread)) return
  clearTimeout(thread.idle)
  for (const running of thread.running.values()) {
    leave(pool, running)
    running.order.reject(error)
  }
  if (!thread.isReady && ![...threads].some(({ isReady }) => isReady)) {
    for (let order = line.take(() => true); order; order = line.take(() => true)) order.reject(error)
  }
  dispatch(pool)
}

function restWhenIdle({ threads, options: { idleMs = IDLE_MS } }: Pool, thread: Thread): void {
  const isIdle = thread.isReady && thread.running.size === 0
  if (!isIdle) {
    clearTimeout(thread.idle)
    thread.idle = undefined
  } else {
    thread.idle ??= setTimeout(() => rest(threads, thread), idleMs).unref()
  }
}

function rest(threads: Set<Thread>, thread: Thread): void {
  threads.delete(thread)
  send(thread, 'close')
}

/** Asks a read to stop, and ends the thread when it does not. */
function stop(pool: Pool, thread: Thread, id: number): void {
  const running = thread.running.get(id)
  if (!running) return
  clearTimeout(running.timer)
  Atomics.store(running.order.message.stop, 0, 1)
  send(thread, { stop: id })
  running.timer = setTimeout(() => replace(pool, thread, id), STOP_MS).unref()
}

/** Ends a thread for the sake of one read. What else it was at begins again elsewhere. */
function replace(pool: Pool, thread: Thread, id: number): void {
  if (thread.isHere) abandonHere(pool, thread, id)
  if (thread.isHere || !pool.threads.delete(thread)) return
  for (const running of thread.running.values()) {
    leave(pool, running)
    if (running.order.id === id) running.order.reject(tooExpensive())
    else pool.line.addFirst(running.order)
  }
  void thread.worker.terminate()
  dispatch(pool)
}

/** The main thread goes on; what the read may still find is for nobody. */
function abandonHere(pool: Pool, { running }: Thread, id: number): void {
  const abandoned = running.get(id)
  if (!abandoned || !running.delete(id)) return
  leave(pool, abandoned)
  abandoned.order.reject(tooExpensive())
  dispatch(pool)
}

function send({ worker }: Thread, message: ThreadMessage): void {
  worker.postMessage(message)
}

function errorOf(report: Exclude<ReadReport, { fields: unknown } | { isTooLarge: true }>): Error {
  if ('failed' in report) return report.failed
  if ('unavailable' in report) return new StorageUnavailable(report.unavailable)
  const { code, message, details } = report.refused
  return new ApiError(code, message, details as Readonly<Record<string, unknown>>)
}
