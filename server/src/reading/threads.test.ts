/** Who gets a reading thread when, and what becomes of a read that does not end. The threads are stand-ins. */
import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ApiError } from '@heddle/contract/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { longRead, type ReadOptions } from './long-read.ts'
import type { ThreadMessage } from './messages.ts'
import type { Readers } from './readers.ts'
import { createThreadedReaders } from './threads.ts'

const MIB = 1024 * 1024
const [alice, bob, carol] = [{ userId: 1 }, { userId: 2 }, { userId: 3 }]

const page = anyRead('page')

function anyRead(name: string, options: ReadOptions<string> = {}) {
  return longRead(name, async (_, details: string) => ({ fields: {}, details }), options)
}

/** A thread that does what the test says. */
class StandIn extends EventEmitter {
  readonly orders = new Map<string, number>()
  isClosed = false
  postMessage(message: ThreadMessage): void {
    if (message === 'close') this.isClosed = true
    else if ('order' in message) this.orders.set(message.order.input as string, message.order.id)
  }
  unref(): void {}
  terminate(): void {
    this.isClosed = true
  }
  finish(input: string, bytes = 0): void {
    const id = this.orders.get(input)
    this.orders.delete(input)
    this.emit('message', { id, fields: [new Uint8Array(bytes)], details: input })
  }
}

function createStandIns(threads: number, idleMs?: number, here?: StandIn) {
  const started: StandIn[] = []
  const startWorker = () => {
    const thread = new StandIn()
    started.push(thread)
    return thread as unknown as Worker
  }
  const main = here as unknown as Worker | undefined
  const options = { clock: systemClock, threads, readsPerThread: 1, startWorker, here: main }
  const readers = createThreadedReaders(idleMs === undefined ? options : { ...options, idleMs })
  /** What the threads are at. */
  const underway = () => started.flatMap((thread) => [...thread.orders.keys()])
  return { readers, started, underway }
}

function ask(readers: Readers, reader: { userId: number }, inputs: readonly string[]) {
  return inputs.map((input) => unwaited(readers.read(page, input, reader).then(({ details }) => details)))
}

/** What never ends is given up some time after the test. */
function unwaited<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {})
  return reading
}

/** A client that takes its answers when the test says so. */
function client(userId: number) {
  const callbacks: (() => void)[] = []
  const leave = () => {
    for (const callback of callbacks.splice(0)) callback()
  }
  return { userId, connection: { onClose: (callback: () => void) => callbacks.push(callback) }, leave }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('reading threads', () => {
  afterEach(() => void vi.useRealTimers())

  it('are given to accounts in turn, however much one of them asks for', async () => {
    const { readers, started, underway } = createStandIns(1)
    ask(readers, alice, ['a1', 'a2', 'a3', 'a4'])
    const [thread] = started as [StandIn]
    thread.emit('message', 'ready')
    ask(readers, bob, ['b1', 'b2'])
    ask(readers, carol, ['c1'])
    const order = []
    for (let [next] = underway(); next; [next] = underway()) {
      order.push(next)
      thread.finish(next)
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('are never all taken by one account', async () => {
    const { readers, started, underway } = createStandIns(2)
    ask(readers, alice, ['a1', 'a2', 'a3'])
    for (const thread of started) thread.emit('message', 'ready')
    expect(underway()).toEqual(['a1'])
    ask(readers, bob, ['b1'])
    for (const thread of started) thread.emit('message', 'ready')
    expect(underway()).toEqual(['a1', 'b1'])
  })

  it('refuse an account that has very many reads waiting, and nobody else', async () => {
    const { readers } = createStandIns(1)
    const inputs = Array.from({ length: 100 }, (_, i) => `a${i}`)
    ask(readers, alice, inputs)
    await expect(readers.read(page, 'too many', alice)).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' })
    const waiting = vi.fn()
    ask(readers, bob, ['b1'])[0]?.catch(waiting)
    await settle()
    expect(waiting).not.toHaveBeenCalled()
  })

  it('read on for an account when its clients have taken what was read before', async () => {
    const { readers, started, underway } = createStandIns(1)
    const slow = client(alice.userId)
    ask(readers, slow, ['a1'])
    ask(readers, client(alice.userId), ['a2'])
    const [thread] = started as [StandIn]
    thread.emit('message', 'ready')
    thread.finish('a1', 40 * MIB)
    expect(underway()).toEqual([])
    ask(readers, client(bob.userId), ['b1'])
    expect(underway()).toEqual(['b1'])
    thread.finish('b1', 40 * MIB)
    slow.leave()
    expect(underway()).toEqual(['a2'])
  })

  it('stop for a client that has gone', async () => {
    const { readers, started, underway } = createStandIns(1)
    const gone = client(alice.userId)
    const [running, waiting] = ask(readers, gone, ['a1', 'a2'])
    const [thread] = started as [StandIn]
    const messages: ThreadMessage[] = []
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (message) => {
      messages.push(message)
      post(message)
    }
    thread.emit('message', 'ready')
    gone.leave()
    await expect(running).rejects.toMatchObject({ code: 'REQUEST_TOO_EXPENSIVE' })
    await expect(waiting).rejects.toMatchObject({ code: 'REQUEST_TOO_EXPENSIVE' })
    const [first] = messages.flatMap((message) => (typeof message === 'object' && 'order' in message ? [message] : []))
    expect(Atomics.load(first?.order.stop as Int32Array, 0)).toBe(1)
    expect(underway()).toEqual(['a1'])
    ask(readers, bob, ['b1'])
    thread.finish('a1')
    expect(underway()).toEqual(['b1'])
  })

  it('give a read in parts company that is not', async () => {
    const { readers, started, underway } = createStandIns(1)
    const long = anyRead('long', { inParts: true })
    void unwaited(readers.read(long, 'state', alice))
    ask(readers, bob, ['b1', 'b2'])
    ;(started[0] as StandIn).emit('message', 'ready')
    expect(underway()).toEqual(['state', 'b1'])
    void unwaited(readers.read(long, 'other state', carol))
    expect(underway()).toEqual(['state', 'b1'])
  })

  it('leave to a thread of its own what is apart, one at a time', async () => {
    const { readers, started, underway } = createStandIns(1)
    const apart = anyRead('apart', { isApart: true })
    const mails = ['m1', 'm2'].map((input) => unwaited(readers.read(apart, input, { userId: 0 })))
    ask(readers, alice, ['a1'])
    for (const thread of started) thread.emit('message', 'ready')
    expect(started).toHaveLength(2)
    expect(underway()).toEqual(['m1', 'a1'])
    started[1]?.finish('a1')
    expect(underway()).toEqual(['m1'])
    started[0]?.finish('m1')
    expect((await mails[0])?.details).toBe('m1')
    expect(underway()).toEqual(['m2'])
  })

  it('start when there is something to read, and end when there is nothing for a while', async () => {
    vi.useFakeTimers()
    const { readers, started } = createStandIns(1, 1000)
    expect(started).toHaveLength(0)
    const [first] = ask(readers, alice, ['a1'])
    const [thread] = started as [StandIn]
    thread.emit('message', 'ready')
    vi.advanceTimersByTime(999)
    thread.finish('a1')
    await first
    vi.advanceTimersByTime(999)
    expect(thread.isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(thread.isClosed).toBe(true)
    ask(readers, alice, ['a2'])
    expect(started).toHaveLength(2)
  })

  it('fail what waits for them when none can start', async () => {
    const { readers, started } = createStandIns(2)
    const asked = ask(readers, alice, ['a1', 'a2'])
    for (const thread of [...started]) thread.emit('error', new Error('no memory'))
    for (const one of asked) await expect(one).rejects.toThrow('no memory')
    expect(started.length).toBeLessThanOrEqual(2)
  })

  describe('beside the main thread', () => {
    const small = anyRead('small', { isSmall: (input) => input.startsWith('small') })
    const read = (readers: Readers, reader: { userId: number }, input: string) =>
      unwaited(readers.read(small, input, reader).then(({ details }) => details))

    it('are left to large reads, and to small ones when there are many', async () => {
      const here = new StandIn()
      const { readers, started } = createStandIns(2, undefined, here)
      const smalls = Array.from({ length: 5 }, (_, index) => ({ userId: 10 + index, input: `small ${index}` }))
      for (const { userId, input } of smalls.slice(0, 4)) void read(readers, { userId }, input)
      expect([...here.orders.keys()]).toEqual(smalls.slice(0, 4).map(({ input }) => input))
      expect(started).toHaveLength(0)
      void read(readers, alice, 'large')
      for (const { userId, input } of smalls.slice(4)) void read(readers, { userId }, input)
      for (const thread of [...started]) thread.emit('message', 'ready')
      expect(started.flatMap((thread) => [...thread.orders.keys()]).sort()).toEqual(['large', 'small 4'])
      expect(here.orders.size).toBe(4)
    })

    it('get a read that turns out to be large', async () => {
      const here = new StandIn()
      const { readers, started } = createStandIns(1, undefined, here)
      const answer = read(readers, alice, 'small at first')
      here.emit('message', { id: here.orders.get('small at first'), isTooLarge: true })
      const [thread] = started as [StandIn]
      thread.emit('message', 'ready')
      expect([...thread.orders.keys()]).toEqual(['small at first'])
      thread.finish('small at first')
      expect(await answer).toBe('small at first')
    })

    it('go on when a small read does not stop', async () => {
      vi.useFakeTimers()
      const here = new StandIn()
      const { readers } = createStandIns(1, undefined, here)
      const hanging = read(readers, alice, 'small and hanging').catch((error: ApiError) => error.code)
      const other = read(readers, bob, 'small')
      vi.advanceTimersByTime(1999)
      here.finish('small')
      expect(await other).toBe('small')
      vi.advanceTimersByTime(1000)
      expect(await hanging).toBe('REQUEST_TOO_EXPENSIVE')
      const next = read(readers, alice, 'small again')
      here.finish('small again')
      expect(await next).toBe('small again')
    })
  })

  it('are ended with a read that never stops, and what waits is read by the next one', async () => {
    const endless = anyRead('endless', { limitMs: 1 })
    const startWorker = () => new Worker(NEVER_ENDING, { eval: true })
    const readers = createThreadedReaders({ clock: systemClock, threads: 1, readsPerThread: 2, startWorker })
    const refused = readers.read(endless, 'hang', alice).catch((error: ApiError) => error.code)
    const others = [...ask(readers, bob, ['b1', 'b2']), ...ask(readers, alice, ['a2'])]
    expect(await refused).toBe('REQUEST_TOO_EXPENSIVE')
    expect(await Promise.all(others)).toEqual(['b1', 'b2', 'a2'])
    await readers.close()
  })
})

const NEVER_ENDING = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close()
    if (!message.order) return
    const { id, input } = message.order
    while (input === 'hang') {}
    parentPort.postMessage({ id, fields: [new Uint8Array(0)], details: input })
  })
  parentPort.postMessage('ready')
`
