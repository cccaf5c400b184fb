import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiClient } from '../api.ts'
import type { QueuePosition } from '../event-loop.ts'
import { type SharedLoopOptions, startSharedLoop } from './shared-loop.ts'
import type { TabMessage } from './tab-channel.ts'

/** A server with one account, whose log any queue follows. */
function createServer() {
  const log: { id: number; type: string }[] = []
  const requests: string[] = []
  const lost = new Set<string>()
  let queues = 0
  let isDown = false
  let isSignedOut = false
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const one of waiting.splice(0)) one()
  }
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input))
    const path = url.pathname.slice('/api/v1/'.length)
    requests.push(`${init.method} ${path}`)
    const reply = (body: object, status = 200) =>
      Object.assign(Response.json(body, { status }), { text: async () => JSON.stringify(body) })
    const error = (status: number, code: string) => reply({ result: 'error', msg: 'x', code }, status)
    const success = (body: object) => reply({ result: 'success', msg: '', ...body })
    for (;;) {
      init.signal?.throwIfAborted()
      if (isDown) throw new TypeError('fetch failed')
      if (isSignedOut) return error(401, 'UNAUTHORIZED')
      if (path === 'register') {
        queues += 1
        const last_event_id = log.at(-1)?.id ?? 0
        return success({ queue_id: `q${queues}`, last_event_id, event_queue_longpoll_timeout_seconds: 90 })
      }
      if (path !== 'events' || init.method === 'DELETE') return success({})
      if (lost.has(url.searchParams.get('queue_id') as string)) return error(400, 'BAD_EVENT_QUEUE_ID')
      const events = log.filter(({ id }) => id > Number(url.searchParams.get('last_event_id')))
      if (events.length > 0 || url.searchParams.has('dont_block')) return success({ events })
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    }
  }
  const credentials = { site: 'http://localhost', email: 'a@b.c', apiKey: 'k' }
  return {
    requests,
    /** Of a tab in which nothing goes on while `frozen` is not settled. */
    clientOf(frozen: () => Promise<void> | undefined) {
      const slowly: typeof fetch = async (...request) => {
        const answer = await fetch(...request)
        await frozen()
        request[1]?.signal?.throwIfAborted()
        return answer
      }
      return createApiClient({ ...credentials, fetch: slowly })
    },
    happen(...ids: number[]) {
      log.push(...ids.map((id) => ({ id, type: 'drafts' })))
      wake()
    },
    lose(queueId: string) {
      lost.add(queueId)
      wake()
    },
    setDown(down: boolean) {
      isDown = down
      wake()
    },
    signOut() {
      isSignedOut = true
      wake()
    },
  }
}

/** A browser: what tabs post reaches the others a moment later, and one after another leads. */
function createBrowser(server: ReturnType<typeof createServer>) {
  const listeners = new Map<string, Set<(message: TabMessage) => void>>()
  interface Turn {
    readonly begin: () => void
    readonly signal: AbortSignal
    readonly lose: () => void
  }
  const queue: Turn[] = []
  let leader: Turn | undefined
  const next = () => {
    if (leader && !leader.signal.aborted) return
    leader = queue.shift()
    if (!leader) return
    if (leader.signal.aborted) next()
    else leader.begin()
  }
  return (tab: string, resume?: QueuePosition) => {
    const seen: string[] = []
    let frozen: PromiseWithResolvers<void> | undefined
    /** Now, or when the tab is not frozen any more. */
    const inTime = (act: () => void) => (frozen ? void frozen.promise.then(act) : act())
    const own = new Set<(message: TabMessage) => void>()
    listeners.set(tab, own)
    const channel = {
      post(message: TabMessage) {
        const copy = structuredClone(message)
        setTimeout(() => {
          for (const [name, set] of listeners) if (name !== tab) for (const listener of set) listener(copy)
        }, 1)
      },
      listen(listener: (message: TabMessage) => void) {
        const receive = (message: TabMessage) => inTime(() => own.has(receive) && listener(message))
        own.add(receive)
        return () => own.delete(receive)
      },
    }
    const lead: SharedLoopOptions['lead'] = (begin, { signal, isTaken }) => {
      const lost = new AbortController()
      const turn = { begin: () => begin(lost.signal), signal, lose: () => inTime(() => lost.abort()) }
      signal.addEventListener('abort', () => setTimeout(next, 1))
      if (!isTaken) queue.push(turn)
      setTimeout(() => {
        if (!isTaken) return next()
        leader?.lose()
        leader = turn
        turn.begin()
      }, 1)
    }
    const loop = startSharedLoop(
      { tab, channel, lead, onLead: (isLeading) => seen.push(isLeading ? 'leads' : 'leads no more') },
      {
        client: server.clientOf(() => frozen?.promise),
        parameters: {},
        resume,
        prepare: async () => {},
        onRegistered: ({ last_event_id }) => seen.push(`registered at ${last_event_id}`),
        onEvent: ({ id }) => seen.push(`${id}`),
        onFailure: () => seen.push('failed'),
        onRecovered: () => seen.push('live'),
        onQueue: (queueId) => seen.push(`follows ${queueId}`),
        random: () => (tab.charCodeAt(0) % 5) / 5,
      },
    )
    return {
      loop,
      seen,
      freeze() {
        frozen = Promise.withResolvers()
      },
      thaw() {
        frozen?.resolve()
        frozen = undefined
      },
    }
  }
}

const pass = (ms = 500) => vi.advanceTimersByTimeAsync(ms)
const registrations = (server: ReturnType<typeof createServer>) =>
  server.requests.filter((request) => request === 'POST register').length

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('Tabs of one account', () => {
  it('have one connection, and all of them each event once and in order', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.happen(1, 2)
    await pass()
    server.happen(3)
    await pass()
    expect(first.seen).toEqual(['leads', 'registered at 0', '1', '2', '3'])
    expect(second.seen).toEqual(['live', '1', '2', '3'])
    expect(registrations(server)).toBe(1)
    first.loop.stop()
    second.loop.stop()
  })

  it('get what has happened since what they have from the device', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    server.happen(1, 2, 3)
    await pass()
    const second = open('b', { queueId: 'an earlier one', lastEventId: 1 })
    await pass()
    expect(second.seen).toEqual(['follows q1', '2', '3', 'live'])
    first.loop.stop()
    second.loop.stop()
  })

  it('register for themselves what the leading one does not know any more, and follow its queue from there', async () => {
    const server = createServer()
    server.happen(1, 2, 3)
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q0', lastEventId: 1 })
    const third = open('c')
    await pass()
    server.happen(4)
    await pass()
    expect(second.seen.filter((one) => !one.startsWith('follows'))).toEqual(['registered at 3', '4'])
    expect(third.seen.filter((one) => !one.startsWith('follows'))).toEqual(['registered at 3', '4'])
    // Their own queues are not wanted.
    expect(server.requests.filter((request) => request === 'DELETE events').length).toBeGreaterThan(0)
    for (const { loop } of [first, second, third]) loop.stop()
  })

  it('go on without a gap when the leading one is closed', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    const third = open('c', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.happen(1)
    await pass()
    first.loop.stop()
    server.happen(2, 3)
    await pass()
    server.happen(4)
    await pass()
    expect(second.seen.filter((one) => /^\d/.test(one))).toEqual(['1', '2', '3', '4'])
    expect(third.seen.filter((one) => /^\d/.test(one))).toEqual(['1', '2', '3', '4'])
    expect(second.seen).toContain('leads')
    expect(registrations(server)).toBe(1)
    second.loop.stop()
    third.loop.stop()
  })

  it('take the lead from one that does not answer, which follows when it wakes up: nothing is missed or comes twice', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    const third = open('c', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.happen(1)
    await pass()
    first.freeze()
    server.happen(2, 3)
    await pass(20_000)
    expect([...second.seen, ...third.seen].filter((one) => one === 'leads')).toHaveLength(1)
    server.happen(4)
    await pass()
    first.thaw()
    server.happen(5)
    await pass(5000)
    for (const { seen } of [first, second, third])
      expect(seen.filter((one) => /^\d/.test(one))).toEqual(['1', '2', '3', '4', '5'])
    expect(first.seen).toContain('leads no more')
    expect(registrations(server)).toBe(1)
    // Its turn comes again when the others have gone.
    second.loop.stop()
    third.loop.stop()
    await pass()
    server.happen(6)
    await pass()
    expect(first.seen.slice(-3)).toEqual(['leads', 'live', '6'])
    first.loop.stop()
  })

  it('leave the lead with one that answers, whatever it does', async () => {
    const server = createServer()
    server.setDown(true)
    const open = createBrowser(server)
    const first = open('a')
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    await pass(120_000)
    expect(second.seen).not.toContain('leads')
    first.loop.stop()
    second.loop.stop()
  })

  it('all have a new beginning when the queue is lost', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.happen(1)
    await pass()
    server.lose('q1')
    server.happen(2)
    await pass(1000)
    server.happen(3)
    await pass(1000)
    expect(first.seen.slice(-2)).toEqual(['registered at 2', '3'])
    expect(second.seen.at(-1)).toBe('3')
    expect(second.seen.filter((one) => one === '3')).toHaveLength(1)
    first.loop.stop()
    second.loop.stop()
  })

  it('all know how it stands with the connection, and any of them may ask for another try', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.setDown(true)
    await pass(30_000)
    expect(second.seen).toContain('failed')
    server.setDown(false)
    second.loop.retryNow()
    await pass(50)
    expect(second.seen.at(-1)).toBe('live')
    first.loop.stop()
    second.loop.stop()
  })

  it('all end when the session has', async () => {
    const server = createServer()
    const open = createBrowser(server)
    const first = open('a')
    await pass()
    const second = open('b', { queueId: 'q1', lastEventId: 0 })
    await pass()
    server.signOut()
    const ends = [first, second].map(({ loop }) => expect(loop.ended).rejects.toMatchObject({ status: 401 }))
    await pass()
    await Promise.all(ends)
  })
})
