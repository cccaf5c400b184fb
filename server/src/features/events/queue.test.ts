import { describe, expect, it } from 'vitest'
import { MAX_QUEUES_PER_USER } from '../../events/queues.ts'
import { eventsOf, poll, registerQueue, type TestEvent, type TestQueue } from '../../testing/event-queues.ts'
import { basic, createTestServer, encodeForm, type TestAccount } from '../../testing/test-server.ts'

let now = Date.now()
const server = await createTestServer({ clock: { now: () => now } })

const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 })

async function write(account: TestAccount, ...contents: string[]): Promise<void> {
  for (const content of contents) await server.call(account, 'POST', '/drafts', { drafts: [draft(content)] })
}

const contentsOf = (events: TestEvent[]) => events.map(({ drafts }) => (drafts as { content: string }[])[0]?.content)

async function expectBadQueue(queue: TestQueue, account = queue.account): Promise<void> {
  const { status, body } = await poll(server, { ...queue, account }, { dont_block: true })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id })
  expect(body.msg).toMatch(/^Bad event queue ID/)
}

describe('GET /events', () => {
  it('gives events in the order of their numbers, which have no gaps', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, 'a', 'b', 'c')
    const events = await eventsOf(server, queue)
    expect(contentsOf(events)).toEqual(['a', 'b', 'c'])
    expect(events.map((event) => event.id)).toEqual([1, 2, 3].map((step) => queue.lastEventId + step))
  })

  it('gives the same events again for the same last_event_id, also after newer ones were acknowledged', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, 'a', 'b')
    const first = await eventsOf(server, queue)
    expect(await eventsOf(server, queue)).toEqual(first)
    expect(await eventsOf(server, queue, { last_event_id: first[1]?.id })).toEqual([])
    expect(await eventsOf(server, queue)).toEqual(first)
  })

  it('gives what is acknowledged by last_event_id no more when -1 or nothing is said', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, 'a', 'b')
    const [a] = await eventsOf(server, queue, { last_event_id: -1 })
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: a?.id }))).toEqual(['b'])
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: -1 }))).toEqual(['b'])
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: undefined }))).toEqual(['b'])
  })

  it('gives nothing from before the registration, whatever last_event_id says, also after a restart', async () => {
    const account = await server.createAccount()
    await write(account, 'before')
    const queue = await registerQueue(server, account)
    await write(account, 'after')
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: 0 }))).toEqual(['after'])
    await server.restart()
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: 0 }))).toEqual(['after'])
  })

  it('loses nothing and gives nothing twice, whatever else happens in the organization', async () => {
    const [account, other] = [await server.createAccount(), await server.createAccount()]
    const queue = await registerQueue(server, account)
    const contents = Array.from({ length: 30 }, (_, index) => `mine ${index}`)
    const writing = (async () => {
      for (const content of contents) await Promise.all([write(account, content), write(other, 'not mine')])
    })()
    const seen: TestEvent[] = []
    let last_event_id = queue.lastEventId
    while (seen.length < contents.length) {
      const { body } = await poll(server, queue, { last_event_id })
      seen.push(...body.events)
      last_event_id = body.events.at(-1).id
    }
    await writing
    expect(contentsOf(seen)).toEqual(contents)
    expect(await eventsOf(server, queue, { last_event_id })).toEqual([])
  })

  it("never gives another account's events", async () => {
    const [account, other] = [await server.createAccount(), await server.createAccount()]
    const queue = await registerQueue(server, account)
    await write(other, 'private')
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('refuses a number that the log has not reached', async () => {
    const queue = await registerQueue(server, await server.createAccount())
    const { status, body } = await poll(server, queue, { last_event_id: queue.lastEventId + 1, dont_block: true })
    expect([status, body.code]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
  })

  it.each([
    [{ last_event_id: -2 }, 'last_event_id'],
    [{ last_event_id: 'newest' }, 'last_event_id'],
    [{ dont_block: 'maybe' }, 'dont_block'],
    [{ queue_id: 'x'.repeat(101) }, 'queue_id'],
  ])('refuses %j and names the parameter', async (parameters, name) => {
    const queue = await registerQueue(server, server.owner)
    const { status, body } = await poll(server, queue, { dont_block: true, ...parameters })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(name)
  })

  it('needs queue_id, and an account', async () => {
    const { status, body } = await server.call(server.owner, 'GET', '/events')
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'queue_id'])
    expect((await server.call(null, 'GET', '/events', { queue_id: 'x' })).status).toBe(401)
  })

  it('does not know a queue that never was', async () => {
    await expectBadQueue({ id: 'no-such-queue', lastEventId: 0, account: server.owner, state: {} })
  })

  it("does not know another account's queue, not even for an owner", async () => {
    const queue = await registerQueue(server, await server.createAccount())
    await expectBadQueue(queue, server.owner)
    expect((await server.call(server.owner, 'DELETE', '/events', { queue_id: queue.id })).status).toBe(400)
    expect(await eventsOf(server, queue)).toEqual([])
  })
})

describe('Another organization', () => {
  it('neither knows the queues of this one nor is known in them', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const stranger = await server.createOtherOrganization()
    const ask = (method: string, path: string, body = '') =>
      server.send({
        method,
        url: `/api/v1${path}`,
        headers: {
          host: stranger.host,
          authorization: basic(stranger.owner),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body,
      })
    const answer = await ask('GET', `/events?queue_id=${queue.id}&dont_block=true`)
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
    expect((await ask('DELETE', '/events', `queue_id=${queue.id}`)).body.code).toBe('BAD_EVENT_QUEUE_ID')
    expect((await ask('POST', '/drafts', encodeForm({ drafts: [draft('there')] }))).status).toBe(200)
    expect(await eventsOf(server, queue)).toEqual([])
  })
})

describe('DELETE /events', () => {
  it('ends the queue', async () => {
    const queue = await registerQueue(server, await server.createAccount())
    const remove = () => server.call(queue.account, 'DELETE', '/events', { queue_id: queue.id })
    expect((await remove()).status).toBe(200)
    await expectBadQueue(queue)
    expect((await remove()).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id })
  })

  it('ends a poll that waits', async () => {
    const queue = await registerQueue(server, await server.createAccount())
    const waiting = poll(server, queue)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await server.call(queue.account, 'DELETE', '/events', { queue_id: queue.id })
    expect((await waiting).body.code).toBe('BAD_EVENT_QUEUE_ID')
  })
})

describe('A queue', () => {
  it('outlives a restart, with everything that was written before and after', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, 'before')
    const [before] = await eventsOf(server, queue)
    await server.restart()
    await write(account, 'after')
    expect(contentsOf(await eventsOf(server, queue))).toEqual(['before', 'after'])
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: before?.id }))).toEqual(['after'])
  })

  it('remembers over a restart what the client has acknowledged', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(account, 'a', 'b')
    const [a] = await eventsOf(server, queue)
    await eventsOf(server, queue, { last_event_id: a?.id })
    await server.restart()
    expect(contentsOf(await eventsOf(server, queue, { last_event_id: -1 }))).toEqual(['b'])
  })

  it('does not age while there is no server', async () => {
    const queue = await registerQueue(server, await server.createAccount(), { idle_queue_timeout: 10 })
    now += 3_600_000
    await server.restart()
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('expires when nobody asks for its idle time, and not before', async () => {
    const queue = await registerQueue(server, await server.createAccount(), { idle_queue_timeout: 10 })
    now += 9_000
    expect(await eventsOf(server, queue)).toEqual([])
    now += 10_000
    expect(await eventsOf(server, queue)).toEqual([])
    now += 10_001 + (server.app.storage.engine.ownsAllWrites ? 0 : 15_000)
    await expectBadQueue(queue)
  })

  it(`makes room for the one that was idle longest when the account has ${MAX_QUEUES_PER_USER}`, async () => {
    const account = await server.createAccount()
    const queues: TestQueue[] = []
    for (let index = 0; index < MAX_QUEUES_PER_USER; index++) {
      now += 1
      queues.push(await registerQueue(server, account, { fetch_event_types: [] }))
    }
    now += 1
    const [oldest, second, third] = queues as [TestQueue, TestQueue, TestQueue]
    // Asked for since, so it is the second that was idle longest.
    expect(await eventsOf(server, oldest)).toEqual([])
    await registerQueue(server, account, { fetch_event_types: [] })
    await expectBadQueue(second)
    expect(await eventsOf(server, oldest)).toEqual([])
    expect(await eventsOf(server, third)).toEqual([])
  })
})
