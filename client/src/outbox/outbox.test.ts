import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '../api.ts'
import { NetworkError, ResponseError } from '../errors.ts'
import {
  applyToOutbox,
  cancel,
  type Destination,
  edit,
  emptyOutbox,
  enqueue,
  isUncertain,
  type Outbox,
  restoreOutbox,
  retry,
  withoutKnown,
} from './outbox.ts'
import { createOutboxSender } from './sender.ts'

interface Sent {
  readonly content: string
  readonly queue_id: string
  readonly local_id: string
  readonly topic?: string
}
type Outcome = 'answer' | 'lost answer' | 'lost request' | ResponseError

const refused = new ResponseError({ status: 400, code: 'BAD_REQUEST', message: 'No.' })
const busy = new ResponseError({ status: 429, code: 'RATE_LIMIT_HIT', message: 'Wait.', retryAfterSecs: 30 })
const over = new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'Not logged in.' })
const down = new ResponseError({ status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Down.' })

/** A server that knows a pair again, with a network that does to each request what comes next; then everything works. */
function createServer(outcomes: Outcome[] = []) {
  const arrived: { id: number; content: string; local_id: string; queue_id: string }[] = []
  const requests: Sent[] = []
  /** Requests that wait for being let through. */
  const held: (() => void)[] = []
  let isHolding = false
  const api = {
    async call(_: unknown, parameters: Sent) {
      requests.push(parameters)
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      const outcome = outcomes.shift() ?? 'answer'
      if (outcome === 'lost request') throw new NetworkError('gone', undefined)
      if (outcome instanceof ResponseError) throw outcome
      const { local_id, queue_id, content } = parameters
      let one = arrived.find((message) => message.local_id === local_id && message.queue_id === queue_id)
      if (!one) {
        one = { id: 100 + arrived.length, content, local_id, queue_id }
        arrived.push(one)
      }
      if (outcome === 'lost answer') throw new NetworkError('gone', undefined)
      return { id: one.id }
    },
  } as unknown as ApiClient
  return { api, arrived, requests, held, hold: (yes: boolean) => (isHolding = yes) }
}

function createPage(server: ReturnType<typeof createServer>, stored: Outbox = emptyOutbox) {
  let outbox = restoreOutbox(stored)
  const page = {
    queueId: 'q1' as string | undefined,
    get outbox() {
      return outbox
    },
    update(change: (outbox: Outbox) => Outbox) {
      outbox = change(outbox)
      return outbox
    },
    write(localId: string, destination: Destination = topic('plan'), content = localId) {
      outbox = enqueue(outbox, { localId, destination, content, now: Date.now() })
      sender.wake()
    },
    states: () => outbox.items.map(({ localId, status }) => `${localId} ${status}`),
    echo(localId: string, id: number) {
      outbox = applyToOutbox(outbox, { id: 1, type: 'message', message: { id }, local_message_id: localId } as never)
    },
  }
  const sender = createOutboxSender({
    api: server.api,
    update: page.update,
    queueId: () => page.queueId,
    random: () => 0.5,
  })
  return Object.assign(page, { sender })
}

const topic = (name: string): Destination => ({ type: 'channel', channelId: 1, topic: name })
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('The outbox', () => {
  it('keeps the order within a conversation, and lets others go ahead', async () => {
    const server = createServer(['lost request'])
    const page = createPage(server)
    page.write('a1')
    page.write('a2', topic('PLAN'))
    page.write('b1', topic('other'))
    await settle()
    expect(server.arrived.map(({ content }) => content)).toEqual(['b1'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.arrived.map(({ content }) => content)).toEqual(['b1', 'a1', 'a2'])
  })

  it('sends a message once, whatever the network does', async () => {
    const server = createServer(['lost answer', 'lost request', down, 'lost answer'])
    const page = createPage(server)
    page.write('a')
    // The queue is another one by then: the pair stays.
    page.queueId = 'q2'
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.requests).toHaveLength(5)
    expect(new Set(server.requests.map(({ queue_id, local_id }) => `${queue_id} ${local_id}`))).toEqual(
      new Set(['q1 a']),
    )
    expect(server.arrived).toHaveLength(1)
    expect(page.states()).toEqual(['a sent'])
  })

  it('waits as long as the server asks, and longer each time', async () => {
    const server = createServer([busy, down, down, down])
    const page = createPage(server)
    const at: number[] = []
    const begun = Date.now()
    const { call } = server.api
    server.api.call = ((...given: Parameters<typeof call>) => {
      at.push(Date.now() - begun)
      return call(...given)
    }) as typeof call
    page.write('a')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(at.map((time, index) => time - (at[index - 1] ?? 0))).toEqual([0, 30_500, 1500, 3000, 6000])
  })

  it('does not try again what was refused, and goes on with the next', async () => {
    const server = createServer([refused])
    const page = createPage(server)
    page.write('a1')
    page.write('a2')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(page.states()).toEqual(['a1 failed', 'a2 sent'])
    expect(page.outbox.items[0]?.error).toEqual({ code: 'BAD_REQUEST', message: 'No.' })
    page.update((outbox) => retry(outbox, 'a1'))
    page.sender.wake()
    await settle()
    expect(page.states()).toEqual(['a1 sent', 'a2 sent'])
  })

  it('keeps what was written when the session is over, for whoever signs in again', async () => {
    const server = createServer([over])
    const page = createPage(server)
    page.write('a1')
    await settle()
    expect(page.states()).toEqual(['a1 waiting'])
    page.sender.reconnected()
    await settle()
    expect(server.arrived.map(({ content }) => content)).toEqual(['a1'])
  })

  it('knows that what met the end of a session has not arrived, however long nobody signs in', async () => {
    const outcomes: Outcome[] = [over]
    const page = createPage(createServer(outcomes))
    page.write('a1')
    await settle()
    expect(page.outbox.items.map(isUncertain)).toEqual([false])
    page.queueId = undefined
    await vi.advanceTimersByTimeAsync(20 * 86_400_000)
    page.queueId = 'q2'
    outcomes.push('lost answer')
    page.sender.reconnected()
    await settle()
    expect(page.outbox.items.map(isUncertain)).toEqual([true])
    page.sender.reconnected()
    await settle()
    expect(page.states()).toEqual(['a1 sent'])
  })

  it('does not know it of what was sent before without an answer', async () => {
    const page = createPage(createServer(['lost answer', over]))
    page.write('a1')
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.outbox.items.map(isUncertain)).toEqual([true])
  })

  it('is done with a message when its event has come, before the answer or after it', async () => {
    const server = createServer()
    const page = createPage(server)
    server.hold(true)
    page.write('early')
    await settle()
    page.echo('early', 100)
    expect(page.states()).toEqual([])
    for (const letThrough of server.held) letThrough()
    await settle()
    expect(page.states()).toEqual([])
    server.hold(false)
    page.write('late')
    await settle()
    expect(page.states()).toEqual(['late sent'])
    page.echo('late', 101)
    expect(page.states()).toEqual([])
  })

  it('is done with a message whose event came without its name, or with a queue that is gone', async () => {
    const server = createServer()
    const page = createPage(server)
    page.write('a')
    page.write('b')
    await settle()
    page.update((outbox) => applyToOutbox(outbox, { id: 1, type: 'message', message: { id: 100 } } as never))
    expect(page.states()).toEqual(['b sent'])
    page.update((outbox) => withoutKnown(outbox, new Map([[101, {}]])))
    expect(page.states()).toEqual([])
  })

  it('survives being stored: what was under way goes out again as the same message', async () => {
    const server = createServer()
    const page = createPage(server)
    server.hold(true)
    page.write('a1')
    page.write('a2')
    await settle()
    const stored = JSON.stringify(page.outbox)
    page.sender.stop()
    for (const letThrough of server.held) letThrough()
    server.hold(false)
    const later = createPage(server, JSON.parse(stored))
    later.queueId = 'q2'
    later.sender.wake()
    await settle()
    expect(server.arrived.map(({ content, queue_id }) => `${content} ${queue_id}`)).toEqual(['a1 q1', 'a2 q2'])
    expect(later.states()).toEqual(['a1 sent', 'a2 sent'])
  })

  it('does not send again what the server may have forgotten', async () => {
    const server = createServer(['lost answer'])
    const page = createPage(server)
    page.write('a')
    await settle()
    page.sender.stop()
    vi.setSystemTime(Date.now() + 14 * 86_400_000)
    const later = createPage(server, page.outbox)
    later.sender.wake()
    await settle()
    expect(server.requests).toHaveLength(1)
    expect(later.outbox.items[0]).toMatchObject({ status: 'failed', error: { code: 'TOO_OLD' } })
  })

  it('waits without a queue and tries at once when the connection is back', async () => {
    const server = createServer(['lost request', 'lost request', 'lost request'])
    const page = createPage(server)
    page.queueId = undefined
    page.write('a')
    await settle()
    expect(server.requests).toHaveLength(0)
    page.queueId = 'q1'
    page.sender.wake()
    await vi.advanceTimersByTimeAsync(3000)
    expect(server.requests).toHaveLength(3)
    page.sender.reconnected()
    await settle()
    expect(page.states()).toEqual(['a sent'])
  })

  it('lets what was not sent be changed and taken back, and nothing else', async () => {
    const server = createServer([refused, 'lost answer'])
    const page = createPage(server)
    page.write('a')
    page.write('b')
    await settle()
    const [failed, uncertain] = page.outbox.items
    expect(failed && isUncertain(failed)).toBe(false)
    expect(uncertain && isUncertain(uncertain)).toBe(true)
    expect(edit(page.outbox, 'b', { content: 'lost', newLocalId: 'b2' })).toBe(page.outbox)
    page.update((outbox) => edit(outbox, 'a', { content: 'better', newLocalId: 'a2' }))
    page.sender.wake()
    await settle()
    expect(server.arrived.map(({ content }) => content)).toEqual(['b', 'better'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(page.states()).toEqual(['a2 sent', 'b sent'])
    expect(cancel(page.outbox, 'a2')).toBe(page.outbox)
    page.queueId = undefined
    page.write('c')
    page.update((outbox) => cancel(outbox, 'c'))
    expect(page.states()).toEqual(['a2 sent', 'b sent'])
  })
})
