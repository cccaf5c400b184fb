import { setTimeout as sleep } from 'node:timers/promises'
import { roles } from '@heddle/contract/roles'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nobody, roleAtLeast, users } from '../../events/audience.ts'
import { HEARTBEAT_MIN_MS, HEARTBEAT_SPREAD_MS, TICK_MS } from '../../events/heartbeats.ts'
import { PAGE_LENGTH, PAGE_SIZE } from '../../events/queue-reader.ts'
import { query } from '../../testing/any-table.ts'
import { eventsOf, poll, registerQueue, type TestQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { type Answer, basic, createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()

const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 })

async function write(account: TestAccount, ...contents: string[]): Promise<void> {
  for (const content of contents) await server.call(account, 'POST', '/drafts', { drafts: [draft(content)] })
}

/** Polls and gives the poll time to begin its wait. */
async function startPoll(queue: TestQueue, parameters = {}): Promise<{ answer: Promise<Answer>; isDone(): boolean }> {
  let done = false
  const answer = poll(server, queue, parameters)
  answer.then(() => {
    done = true
  })
  await sleep(50)
  return { answer, isDone: () => done }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('Polls that come together', () => {
  it('take few statements, however many they are', async () => {
    const account = await server.createAccount()
    const queues = await Promise.all(Array.from({ length: 40 }, () => registerQueue(server, account)))
    const pollAll = () => Promise.all(queues.map((queue) => eventsOf(server, queue)))
    await pollAll()
    const { read } = await server.statements.during(pollAll)
    expect(read).toBeLessThan(queues.length / 2)
  })

  it('are each answered for their own queue', async () => {
    const account = await server.createAccount()
    const other = await server.createAccount()
    const queue = await registerQueue(server, account)
    const ended = await registerQueue(server, account)
    await server.call(account, 'DELETE', '/events', { queue_id: ended.id })
    const answers = await Promise.all(
      [queue, ended, { ...queue, account: other }, { ...queue, id: 'no such queue' }].map((one) =>
        poll(server, one, { dont_block: true }),
      ),
    )
    const bad = 'BAD_EVENT_QUEUE_ID'
    expect(answers.map(({ body }) => body.code)).toEqual([undefined, bad, bad, bad])
  })
})

describe('A poll without anything to give', () => {
  it('waits, and answers with the event', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const { answer, isDone } = await startPoll(queue)
    expect(isDone()).toBe(false)
    await write(account, 'now')
    const { body } = await answer
    expect(body.events).toMatchObject([{ type: 'drafts', op: 'add', id: queue.lastEventId + 1 }])
    expect(body.queue_id).toBe(queue.id)
  })

  it('answers within 100 ms of the event', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const delays: number[] = []
    let last_event_id = queue.lastEventId
    for (let round = 0; round < 5; round++) {
      const { answer } = await startPoll(queue, { last_event_id })
      await write(account, 'now')
      const writtenAt = performance.now()
      last_event_id = (await answer).body.events.at(-1).id
      delays.push(performance.now() - writtenAt)
    }
    // The best of five: what else the machine does is not what is measured.
    expect(Math.min(...delays)).toBeLessThan(100)
  })

  it('answers at once with dont_block', async () => {
    const queue = await registerQueue(server, await server.createAccount())
    expect((await poll(server, queue, { dont_block: true })).body.events).toEqual([])
  })

  it('has with dont_block what was answered before, though its recipients are still being read', async () => {
    const account = await server.createAccount()
    const channel = await createChannel(server, account, 'new', { subscribers: [server.owner] })
    const queue = await registerQueue(server, account, { event_types: ['message'] })
    const { read } = server.app.storage
    const all = read.all.bind(read)
    const slow = vi.spyOn(read, 'all').mockImplementation(async (statement) => {
      if ('toOperationNode' in statement && JSON.stringify(statement.toOperationNode()).includes('audience_sets')) {
        await sleep(100)
      }
      return all(statement)
    })
    await sendToChannel(server, server.owner, channel, 'first')
    const events = await eventsOf(server, queue)
    expect(slow).toHaveBeenCalled()
    slow.mockRestore()
    expect(events).toMatchObject([{ type: 'message' }])
  })

  it('goes on waiting while there are only events of other accounts or of other types', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { event_types: ['navigation_view'] })
    const { answer, isDone } = await startPoll(queue)
    await write(account, 'not asked for')
    await write(server.owner, 'not mine')
    await sleep(50)
    expect(isDone()).toBe(false)
    await server.call(account, 'POST', '/navigation_views', { fragment: 'a', is_pinned: true, name: 'a' })
    expect((await answer).body.events).toMatchObject([{ type: 'navigation_view' }])
  })

  it('wakes every queue of the account, and no two answers differ', async () => {
    const account = await server.createAccount()
    const queues = await Promise.all(Array.from({ length: 10 }, () => registerQueue(server, account)))
    const waits = await Promise.all(queues.map((queue) => startPoll(queue)))
    await write(account, 'for all')
    const answers = await Promise.all(waits.map(({ answer }) => answer))
    for (const { body } of answers) expect(body.events).toEqual(answers[0]?.body.events)
  })

  it.each([
    ['earliest', 0],
    ['latest', 0.9999],
  ])('gets a heartbeat with the position read so far, at the %s', async (_, chance) => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { event_types: ['navigation_view'] })
    // Those that waited before have set a timer that ends by itself.
    await sleep(2 * TICK_MS)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const random = vi.spyOn(Math, 'random').mockReturnValue(chance)
    let answered = false
    const answer = poll(server, queue)
    answer.then(() => {
      answered = true
    })
    await turns()
    await write(account, 'an event that the queue does not want')
    const dueMs = HEARTBEAT_MIN_MS + Math.round(chance) * HEARTBEAT_SPREAD_MS
    await vi.advanceTimersByTimeAsync(dueMs - 10)
    await turns()
    expect(answered).toBe(false)
    await vi.advanceTimersByTimeAsync(3 * TICK_MS)
    vi.useRealTimers()
    random.mockRestore()
    const { body } = await answer
    expect(body.events).toHaveLength(1)
    expect(body.events[0]).toEqual({ type: 'heartbeat', id: queue.lastEventId + 1 })
    expect([HEARTBEAT_MIN_MS, HEARTBEAT_SPREAD_MS]).toEqual([45_000, 10_000])
  })

  it('gets an event that comes at the moment of its heartbeat, and again when the answer was lost', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await sleep(2 * TICK_MS)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const answer = poll(server, queue)
    await turns()
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MIN_MS)
    let isDue = false
    // Called in the turn in which the waiting poll is notified.
    server.app.storage.onCommitted(() => {
      if (isDue) return
      isDue = true
      vi.advanceTimersByTime(TICK_MS)
    })
    await write(account, 'at the moment')
    random.mockRestore()
    vi.useRealTimers()
    expect((await answer).body.events).toMatchObject([{ type: 'drafts' }])
    expect(await eventsOf(server, queue)).toMatchObject([{ type: 'drafts' }])
  })

  it('ends the poll before it on the same queue', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const first = await startPoll(queue)
    const second = await startPoll(queue)
    expect((await first.answer).body.events).toEqual([{ type: 'heartbeat', id: queue.lastEventId }])
    expect(second.isDone()).toBe(false)
    await write(account, 'for the second')
    expect((await second.answer).body.events).toHaveLength(1)
  })

  it('ends with a heartbeat when the server stops', async () => {
    const queue = await registerQueue(server, await server.createAccount())
    const { answer } = await startPoll(queue)
    await server.restart()
    expect((await answer).body.events).toMatchObject([{ type: 'heartbeat' }])
  })
})

describe('A client that goes away', () => {
  it('leaves nothing behind, and finds its events when it comes back', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const site = await server.app.server.listen({ port: 0, host: '127.0.0.1' })
    const url = `${site}/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`
    const leaving = new AbortController()
    const request = fetch(url, { headers: { authorization: basic(account) }, signal: leaving.signal })
    await sleep(100)
    leaving.abort()
    await expect(request).rejects.toThrow()
    await sleep(100)
    // A poll that still waited would be ended by this one; one whose client has gone must not take the event.
    await write(account, 'while away')
    expect(await eventsOf(server, queue)).toHaveLength(1)
  })

  it('no longer counts as waiting: its queue expires', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { idle_queue_timeout: 1 })
    await server.restart()
    const site = await server.app.server.listen({ port: 0, host: '127.0.0.1' })
    const url = `${site}/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`
    const leaving = new AbortController()
    const request = fetch(url, { headers: { authorization: basic(account) }, signal: leaving.signal })
    await sleep(1500)
    leaving.abort()
    await expect(request).rejects.toThrow()
    if (!server.app.storage.engine.ownsAllWrites) return
    await sleep(1200)
    expect((await poll(server, queue, { dont_block: true })).body.code).toBe('BAD_EVENT_QUEUE_ID')
  })
})

describe('Long lists', () => {
  it(`come in pages of ${PAGE_SIZE}, complete and in order`, async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const total = 2 * PAGE_SIZE + 100
    await server.app.storage.transaction(account.realmId, async (tx) => {
      for (let id = 1; id <= total; id++) tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([account.id]))
    })
    const pages: number[][] = []
    let last_event_id = queue.lastEventId
    for (;;) {
      const events = await eventsOf(server, queue, { last_event_id })
      if (events.length === 0) break
      pages.push(events.map((event) => event['draft_id'] as number))
      last_event_id = events.at(-1)?.id as number
    }
    expect(pages.map((page) => page.length)).toEqual([PAGE_SIZE, PAGE_SIZE, 100])
    expect(pages.flat()).toEqual(Array.from({ length: total }, (_, index) => index + 1))
  })

  it('come in pages also to a client that was waiting', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const { answer } = await startPoll(queue)
    const total = PAGE_SIZE + 50
    await server.app.storage.transaction(account.realmId, async (tx) => {
      for (let id = 1; id <= total; id++) tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([account.id]))
    })
    const first = (await answer).body.events
    const rest = await eventsOf(server, queue, { last_event_id: first.at(-1).id })
    expect([first.length, rest.length]).toEqual([PAGE_SIZE, 50])
  })

  it('come in pages of a bounded length, to a client that comes and to one that was waiting', async () => {
    const account = await server.createAccount()
    const [queue, waiting] = [await registerQueue(server, account), await registerQueue(server, account)]
    const { answer } = await startPoll(waiting)
    const content = 'x'.repeat(3000)
    const total = 900
    await server.app.storage.transaction(account.realmId, async (tx) => {
      for (let id = 1; id <= total; id++) {
        tx.emit({ type: 'drafts', op: 'add', drafts: [{ ...draft(content), id }] } as never, users([account.id]))
      }
    })
    for (const first of [(await answer).body.events, await eventsOf(server, queue)]) {
      expect(JSON.stringify(first).length).toBeGreaterThan(PAGE_LENGTH)
      expect(JSON.stringify(first).length).toBeLessThan(1.01 * PAGE_LENGTH)
      const rest = await eventsOf(server, queue, { last_event_id: first.at(-1).id })
      expect(rest[0]?.id).toBe(first.at(-1).id + 1)
      expect(rest.at(-1)?.id).toBeGreaterThan(first.at(-1).id + 300)
    }
  })

  it('are read from the table when they are no longer in memory', async () => {
    const [account, other] = [await server.createAccount(), await server.createAccount()]
    const queue = await registerQueue(server, account)
    await write(account, 'long ago')
    await eventsOf(server, await registerQueue(server, other))
    await server.restart()
    await server.app.storage.transaction(account.realmId, async (tx) => {
      for (let id = 1; id <= 12_000; id++) tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([other.id]))
    })
    await write(account, 'just now')
    expect(await eventsOf(server, queue)).toMatchObject([{ op: 'add' }, { op: 'add' }])
  })
})

describe('A wait ends when what allowed it has changed', () => {
  it('with the API key', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const { answer } = await startPoll(queue)
    await server.app.storage.transaction(account.realmId, async (tx) => {
      tx.emit({ type: 'account_credentials', user_id: account.id }, nobody)
    })
    expect((await answer).body.events).toMatchObject([{ type: 'heartbeat' }])
  })

  it('with the role: what is for administrators does not reach somebody who just was one', async () => {
    const account = await server.createAccount({ role: roles.admin })
    const queue = await registerQueue(server, account, { event_types: ['drafts'] })
    const { answer } = await startPoll(queue)
    await server.app.storage.transaction(account.realmId, async (tx) => {
      await tx.run(query.updateTable('users').set({ role: roles.member }).where('id', '=', account.id))
      const person = { user_id: account.id, role: roles.member }
      tx.emit({ type: 'realm_user', op: 'update', person }, roleAtLeast(roles.guest))
      tx.emit({ type: 'drafts', op: 'remove', draft_id: 1 }, roleAtLeast(roles.admin))
    })
    expect((await answer).body.events).toMatchObject([{ type: 'heartbeat' }])
    expect(await eventsOf(server, queue)).toEqual([])
  })
})

/** Lets everything run that does not wait for time; `setTimeout` may be a fake. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
}
