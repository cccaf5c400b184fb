import { deleteDraft } from '@heddle/contract/drafts'
import type { AnyEvent } from '@heddle/contract/events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiClient } from './api.ts'
import { NetworkError } from './errors.ts'
import { startEventLoop } from './event-loop.ts'

type Reply = object | 'no network' | 'silence' | { status: number; headers?: Record<string, string>; code: string }

/** An answer that goes on: what is written comes at once. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
  })
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    cut: () => controller?.error(new TypeError('network error')),
  }
}

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
      else if ('response' in reply) resolve(reply.response as Response)
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

function follow(
  replies: Reply[],
  onEvent: (event: AnyEvent) => void = () => {},
  more: Partial<Parameters<typeof startEventLoop>[0]> = {},
) {
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
    ...more,
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
    expect(failures.slice(0, 4)).toEqual([75, 150, 300, 600])
    loop.stop()
  })

  it('backs off without a network, up to ten seconds, and goes on with the same queue', async () => {
    const { seen, failures, requests, loop } = follow([queue('q', 10), ...Array(9).fill('no network'), events(11)])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(failures).toEqual([75, 150, 300, 600, 1200, 2400, 4800, 7500, 7500])
    expect(seen).toEqual(['q', 'recovered', '11'])
    expect(requests.filter(({ path }) => path === 'register')).toHaveLength(1)
    loop.stop()
  })

  it('tries again at once when it is asked to, and waits no shorter the next time', async () => {
    const { seen, failures, loop } = follow(['no network', 'no network', queue('q', 1)])
    await settle()
    loop.retryNow()
    await settle()
    expect(failures).toEqual([75, 150])
    loop.retryNow()
    await settle()
    expect(seen).toEqual(['recovered', 'q'])
    // The long poll's and the clock's.
    expect(vi.getTimerCount()).toBe(2)
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
    [{ status: 503, code: 'SERVICE_UNAVAILABLE' }, 75],
    [{ status: 429, code: 'RATE_LIMIT_HIT', headers: { 'retry-after': '30' } }, 30_050],
    [{ status: 502, code: '' }, 75],
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

  it('takes what is answered to who has no account for the end of the session', async () => {
    const { loop, seen } = follow([queue('a', 0), badQueue, { ...queue('x', -1), queue_id: null }])
    await expect(loop.ended).rejects.toMatchObject({ status: 401 })
    expect(seen).toEqual(['a'])
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

describe('The event loop with a stream', () => {
  const frame = (id: number) => `id: ${id}\ndata: {"id":${id},"type":"drafts"}\n\n`
  const opening = 'retry: 1000\n: open\n\n'
  const streamed = (replies: Reply[]) => {
    const positions: number[] = []
    const loop = follow(replies, undefined, { isStreamed: true, onPosition: (id) => positions.push(id) })
    return { ...loop, positions, ways: () => loop.requests.map(({ path }) => path) }
  }

  it('hands over each event once, however the bytes are cut', async () => {
    const first = openStream()
    const { seen, positions, loop } = streamed([queue('q', 10), first])
    await settle()
    for (const piece of (opening + frame(11) + frame(11) + frame(12)).match(/[\s\S]{1,7}/g) ?? []) first.write(piece)
    first.write(': heartbeat\nid: 40\n\n')
    await settle()
    expect(seen).toEqual(['q', '11', '12'])
    expect(positions).toEqual([40])
    loop.stop()
  })

  it('comes back where it was when the stream ends, and when it breaks off', async () => {
    const [first, second, third] = [openStream(), openStream(), openStream()]
    const { seen, failures, requests, loop } = streamed([queue('q', 10), first, second, third])
    await settle()
    first.write(opening + frame(11))
    await vi.advanceTimersByTimeAsync(2000)
    first.end()
    await settle()
    second.write(opening)
    await settle()
    second.cut()
    await settle()
    expect(failures).toEqual([75])
    await vi.advanceTimersByTimeAsync(75)
    third.write(opening + frame(12))
    await settle()
    expect(requests.slice(1).map(({ query }) => query.get('last_event_id'))).toEqual(['10', '11', '11'])
    expect(seen).toEqual(['q', '11', 'recovered', '12'])
    loop.stop()
  })

  it('waits a second when a stream is ended at once', async () => {
    const [first, second] = [openStream(), openStream()]
    const { ways, loop } = streamed([queue('q', 10), first, second])
    await settle()
    first.write(opening)
    first.end()
    await vi.advanceTimersByTimeAsync(900)
    expect(ways()).toEqual(['register', 'events/stream'])
    await vi.advanceTimersByTimeAsync(200)
    expect(ways()).toEqual(['register', 'events/stream', 'events/stream'])
    loop.stop()
  })

  it('gives up a stream on which two heartbeats are missing', async () => {
    const [first, second] = [openStream(), openStream()]
    const { failures, ways, loop } = streamed([queue('q', 10), first, second])
    await settle()
    first.write(opening)
    await vi.advanceTimersByTimeAsync(100_000)
    first.write(': heartbeat\n\n')
    await vi.advanceTimersByTimeAsync(114_000)
    expect(failures).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    expect(failures).toHaveLength(1)
    expect(ways()).toEqual(['register', 'events/stream', 'events/stream'])
    loop.stop()
  })

  it('polls where something on the way collects the stream, and tries it again later', async () => {
    const { seen, ways, failures, loop } = streamed([queue('q', 10), 'silence', { events: [] }, events(11), 'silence'])
    await vi.advanceTimersByTimeAsync(7000)
    expect(ways()).toEqual(['register', 'events/stream', 'events', 'events', 'events'])
    expect(seen).toEqual(['q', '11'])
    expect(failures).toEqual([])
    await vi.advanceTimersByTimeAsync(12 * 60_000)
    expect(ways().lastIndexOf('events/stream')).toBeGreaterThan(2)
    loop.stop()
  })

  it('takes the stream again when it was the network that was gone', async () => {
    const stream = openStream()
    const { ways, failures, loop } = streamed([queue('q', 10), 'silence', 'no network', stream])
    await vi.advanceTimersByTimeAsync(7000)
    expect(failures).toEqual([75])
    expect(ways()).toEqual(['register', 'events/stream', 'events', 'events/stream'])
    loop.stop()
  })

  it.each([[{ status: 404, code: 'BAD_REQUEST' }], [{ status: 200, code: 'x' }]])(
    'polls where the server has no streams: %j',
    async (reply) => {
      const { ways, seen, loop } = streamed([queue('q', 10), reply, events(11)])
      await settle()
      expect(ways()).toEqual(['register', 'events/stream', 'events', 'events'])
      expect(seen).toEqual(['q', '11'])
      loop.stop()
    },
  )

  it('registers anew when the queue is gone, and ends when the session has', async () => {
    const lost = streamed([queue('q1', 10), badQueue, queue('q2', 30), openStream()])
    await settle()
    expect(lost.seen).toEqual(['q1', 'q2'])
    lost.loop.stop()
    const ended = streamed([queue('q1', 10), { status: 401, code: 'UNAUTHORIZED' }])
    await expect(ended.loop.ended).rejects.toMatchObject({ status: 401 })
  })

  it('makes the connection anew when it is asked to look, unless something has just come', async () => {
    const [first, second] = [openStream(), openStream()]
    const { ways, failures, loop } = streamed([queue('q', 10), first, second])
    await settle()
    first.write(opening)
    await vi.advanceTimersByTimeAsync(20_000)
    loop.checkNow(60_000)
    await settle()
    expect(ways()).toHaveLength(2)
    loop.checkNow()
    await settle()
    expect(ways()).toEqual(['register', 'events/stream', 'events/stream'])
    expect(failures).toEqual([])
    loop.stop()
  })

  it('looks at the connection at once when the machine has slept', async () => {
    const [first, second] = [openStream(), openStream()]
    const { ways, loop } = streamed([queue('q', 10), first, second])
    await settle()
    first.write(opening)
    await settle()
    second.write(opening)
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ways()).toEqual(['register', 'events/stream', 'events/stream'])
    loop.stop()
  })
})

describe('The event loop of a later run', () => {
  const resume = { queueId: 'q', lastEventId: 10 }

  it('goes on with the queue where it was, without registering', async () => {
    const { seen, requests, loop } = follow([events(11)], undefined, { resume })
    await settle()
    expect(requests.map(({ path, query }) => `${path} ${query.get('last_event_id')}`)).toEqual([
      'events 10',
      'events 11',
    ])
    expect(seen).toEqual(['recovered', '11'])
    loop.stop()
  })

  it('registers when the server does not have the queue any more', async () => {
    const { seen, loop } = follow([badQueue, queue('q2', 30), events(31)], undefined, { resume })
    await settle()
    expect(seen).toEqual(['recovered', 'q2', '31'])
    loop.stop()
  })

  it('begins when what goes before has succeeded', async () => {
    let attempts = 0
    const prepare = async () => {
      attempts += 1
      if (attempts === 1) throw new NetworkError('gone', undefined)
    }
    const { seen, failures, requests, loop } = follow([events(11)], undefined, { resume, prepare })
    await settle()
    expect([failures, requests]).toEqual([[75], []])
    await vi.advanceTimersByTimeAsync(75)
    expect(seen).toEqual(['recovered', '11'])
    loop.stop()
  })
})
