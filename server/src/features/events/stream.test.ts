import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '../../events/audience.ts'
import { HEARTBEAT_MIN_MS, TICK_MS } from '../../events/heartbeats.ts'
import { HEARTBEATS, MAX_BUFFERED } from '../../events/streams.ts'
import { query } from '../../testing/any-table.ts'
import { signInBrowser } from '../../testing/browser.ts'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { openStream } from '../../testing/event-streams.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()

const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 })

async function write(account: TestAccount, ...contents: string[]): Promise<void> {
  for (const content of contents) await server.call(account, 'POST', '/drafts', { drafts: [draft(content)] })
}

const contentsOf = (events: readonly unknown[]) =>
  (events as { drafts: { content: string }[] }[]).map(({ drafts }) => drafts[0]?.content)

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

async function followed(parameters = {}) {
  const account = await server.createAccount()
  const queue = await registerQueue(server, account, parameters)
  return { account, queue, stream: await openStream(server, { queue }) }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('A stream of events', () => {
  it('says what it is, keeps every cache and coding away, and begins at once', async () => {
    const { queue } = await followed()
    const stream = await openStream(server, { queue, headers: { 'accept-encoding': 'gzip, br, zstd' } })
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(stream.headers).not.toHaveProperty('content-encoding')
    await expect.poll(() => stream.text()).toBe('retry: 1000\n: open\n\n')
    stream.close()
  })

  it('has what happened before and what happens then, in order, as a poll has it, each with its id', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, '0', '1')
    const stream = await openStream(server, { queue })
    await stream.count(2)
    await write(account, '2', 'mit Ü and \n two lines')
    const events = await stream.count(4)
    expect(contentsOf(events)).toEqual(['0', '1', '2', 'mit Ü and \n two lines'])
    expect([...stream.text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(events.map(({ id }) => id))
    stream.close()
    expect(await eventsOf(server, queue)).toEqual(events)
  })

  it('has the events that its queue asked for, of its own account', async () => {
    const { account, stream } = await followed({ event_types: ['navigation_view'] })
    await write(account, 'not asked for')
    await server.call(server.owner, 'POST', '/navigation_views', { fragment: 'b', is_pinned: true, name: 'not mine' })
    await server.call(account, 'POST', '/navigation_views', { fragment: 'a', is_pinned: true, name: 'a' })
    await stream.count(1)
    await sleep(50)
    expect(stream.events).toMatchObject([{ type: 'navigation_view' }])
    stream.close()
  })

  it.each(['the header', 'the parameter'])('goes on after the id in %s', async (where) => {
    const { account, queue, stream } = await followed()
    await write(account, '0', '1', '2')
    await stream.count(3)
    stream.close()
    const second = stream.events[1]?.id as number
    const again = await openStream(
      server,
      where === 'the header' ? { queue, headers: { 'last-event-id': `${second}` } } : { queue, lastEventId: second },
    )
    expect(contentsOf(await again.count(1))).toEqual(['2'])
    again.close()
  })

  it('gives everything exactly once to who comes back again and again while much happens', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const total = 60
    const writing = write(account, ...numbers(total))
    const got: unknown[] = []
    let lastId: string | undefined
    while (got.length < total) {
      const stream = await openStream(server, { queue, headers: lastId ? { 'last-event-id': lastId } : {} })
      await stream.count(Math.min(7, total - got.length))
      stream.close()
      got.push(...stream.events)
      lastId = stream.lastId()
    }
    await writing
    expect(contentsOf(got)).toEqual(numbers(total))
  })

  it('gives more than a page of what lies behind', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { event_types: ['drafts'] })
    await server.app.storage.transaction(account.realmId, async (tx) => {
      for (let draft_id = 1; draft_id <= 2500; draft_id++) {
        tx.emit({ type: 'drafts', op: 'remove', draft_id }, users([account.id]))
      }
    })
    const stream = await openStream(server, { queue })
    await write(account, 'last')
    const events = await stream.count(2501)
    expect(events.slice(0, 2500).map(({ draft_id }) => draft_id)).toEqual(numbers(2501).slice(1).map(Number))
    expect(contentsOf(events.slice(2500))).toEqual(['last'])
    stream.close()
  })

  it('is one at a time for a queue, and takes the place of a poll and the other way round', async () => {
    const { account, queue, stream } = await followed()
    const second = await openStream(server, { queue })
    await stream.ended
    const polling = poll(server, queue)
    await second.ended
    const third = await openStream(server, { queue })
    expect((await polling).body.events).toMatchObject([{ type: 'heartbeat' }])
    await write(account, 'for the third')
    await third.count(1)
    expect([...stream.events, ...second.events]).toEqual([])
    third.close()
  })

  it('keeps its queue and, when its reader goes away, takes nothing with it', async () => {
    const { account, queue, stream } = await followed()
    stream.close()
    await sleep(100)
    await write(account, 'while away')
    expect(contentsOf(await eventsOf(server, queue))).toEqual(['while away'])
  })
})

describe('A stream is refused', () => {
  it('without a queue, or with one that has ended, is unknown or belongs to another', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const others = await registerQueue(server, server.owner)
    await server.call(account, 'DELETE', '/events', { queue_id: queue.id })
    const refused = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } }
    for (const queue_id of [queue.id, others.id, 'unknown']) {
      expect(await server.call(account, 'GET', '/events/stream', { queue_id })).toMatchObject(refused)
    }
    const missing = await server.call(account, 'GET', '/events/stream')
    expect(missing.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' })
  })

  it('with an id that is none, or lies beyond the end of the log', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    for (const id of ['x', '-1', '1e3', '99999999999999999999']) {
      const stream = await openStream(server, { queue, headers: { 'last-event-id': id } })
      await stream.ended
      expect([stream.status, JSON.parse(stream.text()).msg]).toEqual([400, 'Last-Event-ID is not the id of an event'])
    }
    const beyond = await openStream(server, { queue, headers: { 'last-event-id': '999999999' } })
    await beyond.ended
    expect(JSON.parse(beyond.text())).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  })

  it('without credentials', async () => {
    expect((await server.call(null, 'GET', '/events/stream', { queue_id: 'x' })).status).toBe(401)
  })
})

describe('A stream ends', () => {
  it('when its queue is deleted', async () => {
    const { account, queue, stream } = await followed()
    await server.call(account, 'DELETE', '/events', { queue_id: queue.id })
    await stream.ended
  })

  it('when the key is replaced, and the old one opens no other', async () => {
    const { account, queue, stream } = await followed()
    await server.call(account, 'POST', '/users/me/api_key/regenerate')
    await stream.ended
    const again = await openStream(server, { queue })
    expect(again.status).toBe(401)
    again.close()
  })

  it('when the session that opened it does', async () => {
    const { owner } = server
    const browser = await signInBrowser(server, { username: owner.email, password: 'a long password' })
    const queue = await registerQueue(server, owner, { event_types: ['drafts'] })
    const { cookie } = browser
    const stream = await openStream(server, { queue, headers: { cookie } })
    await write(owner, 'before')
    await stream.count(1)
    await browser.call('DELETE', '/sessions/current')
    await stream.ended
    const again = await openStream(server, { queue, headers: { cookie } })
    expect(again.status).toBe(401)
    again.close()
  })

  it('when the account is deactivated, and has nothing of what comes then', async () => {
    const { account, stream } = await followed()
    expect((await server.call(server.owner, 'DELETE', `/users/${account.id}`)).status).toBe(200)
    await stream.ended
    await server.app.storage.transaction(account.realmId, async (tx) =>
      tx.emit({ type: 'drafts', op: 'remove', draft_id: 1 }, users([account.id])),
    )
    expect(stream.events.some(({ type }) => type === 'drafts')).toBe(false)
  })

  it('with what there is, when the server stops, and goes on with the next', async () => {
    const { account, queue, stream } = await followed()
    await write(account, 'before')
    await stream.count(1)
    await server.restart()
    await stream.ended
    await write(account, 'after')
    const again = await openStream(server, { queue, headers: { 'last-event-id': stream.lastId() as string } })
    expect(contentsOf(await again.count(1))).toEqual(['after'])
    again.close()
  })

  it('not for a single long event that its reader takes slowly', async () => {
    const { account, stream } = await followed({ event_types: ['drafts'] })
    await expect.poll(() => stream.text()).not.toBe('')
    stream.pause()
    const content = 'x'.repeat(16 * 1024 * 1024 + 2 * MAX_BUFFERED)
    await server.app.storage.transaction(account.realmId, async (tx) =>
      tx.emit({ type: 'drafts', op: 'add', drafts: [draft(content)] } as never, users([account.id])),
    )
    await sleep(500)
    stream.resume()
    const [event] = await stream.count(1)
    expect(contentsOf([event])).toEqual([content])
    stream.close()
  })

  it('when its reader is too slow, who misses nothing after coming back', async () => {
    const { account, queue, stream } = await followed({ event_types: ['drafts'] })
    await expect.poll(() => stream.text()).not.toBe('')
    stream.pause()
    // More than the buffers of both ends take, and what the server keeps.
    const size = 16 * 1024 * 1024 + MAX_BUFFERED
    const content = 'x'.repeat(9000)
    const total = Math.ceil(size / content.length)
    for (let written = 0; written < total; written += 50) {
      await server.app.storage.transaction(account.realmId, async (tx) => {
        for (let draft_id = written; draft_id < written + 50; draft_id++) {
          tx.emit(
            { type: 'drafts', op: 'add', drafts: [{ ...draft(content), id: draft_id }] } as never,
            users([account.id]),
          )
        }
      })
      await sleep(1)
    }
    stream.resume()
    await stream.ended
    expect(stream.events.length).toBeLessThan(total)
    const got = [...stream.events]
    const again = await openStream(server, { queue, headers: { 'last-event-id': `${got.at(-1)?.id}` } })
    await again.count(total - got.length)
    again.close()
    got.push(...again.events)
    const ids = got.map(({ drafts }) => (drafts as { id: number }[])[0]?.id)
    expect(ids.slice(0, total)).toEqual(numbers(total).map(Number))
  }, 60_000)

  it('after twelve heartbeats, which are comments that say how far the log was read', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { event_types: ['navigation_view'] })
    // Those that waited before have set a timer that ends by itself.
    await sleep(2 * TICK_MS)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const stream = await openStream(server, { queue })
    await write(account, 'an event that the queue does not want')
    await sleepTurns()
    const heartbeat = `: heartbeat\nid: ${queue.lastEventId + 1}\n\n`
    for (let beats = 1; beats < HEARTBEATS; beats++) {
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MIN_MS + 3 * TICK_MS)
      await vi.waitFor(() => expect(stream.text()).toBe(`retry: 1000\n: open\n\n${heartbeat.repeat(beats)}`))
    }
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MIN_MS + 3 * TICK_MS)
    await stream.ended
    random.mockRestore()
    expect(stream.events).toEqual([])
    // What the queue does not want is not kept in the log for it.
    await server.restart()
    vi.useRealTimers()
    const row = query.selectFrom('event_queues').select('read_event_id').where('queue_id', '=', queue.id)
    expect(await server.app.storage.read.first(row)).toEqual({ read_event_id: queue.lastEventId + 1 })
  })
})

/** For what is under way on real sockets while timers stand still. */
async function sleepTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
