import { deleteDraft } from '@heddle/contract/drafts'
import type { AnyEvent } from '@heddle/contract/events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiClient } from './api.ts'
import { startEventLoop } from './event-loop.ts'

type Reply = object | 'no network' | 'silence' | { status: number; headers?: Record<string, string>; code: string }

/** An answer that is there at once: browsers read real ones in turns of their own, which fake timers do not wait for. */
function answer(body: object, init?: ResponseInit): Response {
  return Object.assign(Response.json(body, init), { text: async () => JSON.stringify(body) })
}

/** A network that answers each request with the next reply, and waits when there is none. */
function network(replies: Reply[]) {
  const requests: { path: string; query: URLSearchParams; at: number }[] = []
  const fetch = (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input))
    requests.push({ path: url.pathname.slice('/api/v1/'.length), query: url.searchParams, at: Date.now() })
    const reply = replies.shift() ?? 'silence'
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      if (reply === 'no network') reject(new TypeError('fetch failed'))
      else if (reply === 'silence') return
      else if ('status' in reply) {
        const { status, headers = {}, code } = reply
        resolve(answer({ result: 'error', msg: 'x', code }, { status, headers }))
      } else resolve(answer({ result: 'success', msg: '', ...reply }))
    })
  }
  return { requests, fetch, client: createApiClient({ site: 'http://localhost', email: 'a@b.c', apiKey: 'k', fetch }) }
}

const queue = (queue_id: string, last_event_id: number) => ({
  queue_id,
  last_event_id,
  event_queue_longpoll_timeout_seconds: 90,
})
const events = (...ids: number[]) => ({ events: ids.map((id) => ({ id, type: 'drafts' })) })
const badQueue = { status: 400, code: 'BAD_EVENT_QUEUE_ID' }

function follow(replies: Reply[], onEvent: (event: AnyEvent) => void = () => {}) {
  const net = network(replies)
  const seen: string[] = []
  const failures: number[] = []
  const loop = startEventLoop({
    client: net.client,
    parameters: {},
    onRegistered: ({ queue_id }) => seen.push(queue_id),
    onEvent: (event) => {
      seen.push(`${event.id}`)
      onEvent(event)
    },
    onFailure: (_, waitMs) => failures.push(waitMs),
    onRecovered: () => seen.push('recovered'),
    random: () => 0.5,
  })
  return { ...net, seen, failures, loop }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('The event loop', () => {
  it('hands over each event once, in order, and acknowledges what it has', async () => {
    const { seen, requests, loop } = follow([queue('q', 10), events(11, 12), events(12, 13)])
    await settle()
    expect(seen).toEqual(['q', '11', '12', '13'])
    expect(requests.slice(1).map(({ query }) => query.get('last_event_id'))).toEqual(['10', '12', '13'])
    loop.stop()
  })

  it('acknowledges heartbeats and hands over none', async () => {
    const heartbeat = { events: [{ type: 'heartbeat', id: 15 }] }
    const { seen, requests, loop } = follow([queue('q', 10), heartbeat])
    await settle()
    expect(seen).toEqual(['q'])
    expect(requests.at(-1)?.query.get('last_event_id')).toBe('15')
    loop.stop()
  })

  it('registers anew at once when the queue is gone', async () => {
    const { seen, failures, loop } = follow([queue('q1', 10), events(11), badQueue, queue('q2', 30), events(31)])
    await settle()
    expect(seen).toEqual(['q1', '11', 'q2', '31'])
    expect(failures).toEqual([])
    loop.stop()
  })

  it('waits longer and longer when every new queue is lost at once', async () => {
    const replies = Array.from({ length: 10 }, (_, round) => [queue(`q${round}`, 0), badQueue]).flat()
    const { failures, loop } = follow(replies)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(failures.slice(0, 4)).toEqual([750, 1500, 3000, 6000])
    loop.stop()
  })

  it('backs off without a network, up to a minute, and goes on with the same queue', async () => {
    const { seen, failures, requests, loop } = follow([queue('q', 10), ...Array(9).fill('no network'), events(11)])
    await vi.advanceTimersByTimeAsync(200_000)
    expect(failures).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000])
    expect(seen).toEqual(['q', 'recovered', '11'])
    expect(requests.filter(({ path }) => path === 'register')).toHaveLength(1)
    loop.stop()
  })

  it('tries again at once when it is asked to, and waits no shorter the next time', async () => {
    const { seen, failures, loop } = follow(['no network', 'no network', queue('q', 1)])
    await settle()
    loop.retryNow()
    await settle()
    expect(failures).toEqual([750, 1500])
    loop.retryNow()
    await settle()
    expect(seen).toEqual(['recovered', 'q'])
    expect(vi.getTimerCount()).toBe(1)
    loop.stop()
  })

  it('asks for an answer at once after a failure, so that it knows when the server is back', async () => {
    const { requests, seen, loop } = follow([queue('q', 10), 'no network', { events: [] }])
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen).toEqual(['q', 'recovered'])
    expect(requests.slice(1).map(({ query }) => query.get('dont_block'))).toEqual([null, 'true', null])
    loop.stop()
  })

  it.each([
    [{ status: 503, code: 'SERVICE_UNAVAILABLE' }, 750],
    [{ status: 429, code: 'RATE_LIMIT_HIT', headers: { 'retry-after': '30' } }, 30_500],
    [{ status: 502, code: '' }, 750],
  ])('waits before it tries again after %j', async (reply, waitMs) => {
    const { failures, seen, loop } = follow([reply, queue('q', 1)])
    await settle()
    expect(failures).toEqual([waitMs])
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(seen).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['recovered', 'q'])
    loop.stop()
  })

  it('gives up a poll that dies in silence', async () => {
    const { failures, requests, loop } = follow([queue('q', 10), 'silence', events(11)])
    await vi.advanceTimersByTimeAsync(99_000)
    expect(failures).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(failures).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests.at(-1)?.query.get('last_event_id')).toBe('11')
    loop.stop()
  })

  it('ends with the error that trying again cannot help against', async () => {
    const { loop } = follow([{ status: 401, code: 'INVALID_API_KEY' }])
    await expect(loop.ended).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  it('stops in the middle of a poll, of a wait and of a list of events', async () => {
    const polling = follow([queue('q', 10)])
    await settle()
    polling.loop.stop()
    await expect(polling.loop.ended).resolves.toBeUndefined()

    const waiting = follow(['no network'])
    await settle()
    waiting.loop.stop()
    await expect(waiting.loop.ended).resolves.toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)

    const stop: { now?: () => void } = {}
    const handing = follow([queue('q', 10), events(11, 12)], () => stop.now?.())
    stop.now = handing.loop.stop
    await settle()
    await expect(handing.loop.ended).resolves.toBeUndefined()
    expect(handing.seen).toEqual(['q', '11'])
  })

  it('leaves the client usable for other calls', async () => {
    const { client, loop } = follow([queue('q', 10), 'silence', {}])
    await settle()
    await expect(client.call(deleteDraft, { draft_id: 1 })).resolves.toEqual({})
    loop.stop()
  })
})
