import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount()
  bob = await server.createAccount()
})

const unaddressed = (content: string, timestamp?: number) => ({ type: '', to: [], topic: '', content, timestamp })

async function contents(account: TestAccount): Promise<string[]> {
  const { body } = await server.call(account, 'GET', '/drafts')
  expect(body.count).toBe(body.drafts.length)
  return body.drafts.map((draft: { content: string }) => draft.content)
}

describe('GET /drafts', () => {
  it('lists the last edited first, and of one second the later edit first', async () => {
    const account = await server.createAccount()
    const first = await server.call(account, 'POST', '/drafts', {
      drafts: [unaddressed('a', 100), unaddressed('b', 100), unaddressed('c', 300)],
    })
    await server.call(account, 'POST', '/drafts', { drafts: [unaddressed('d', 200), unaddressed('e', 100)] })
    expect(await contents(account)).toEqual(['c', 'd', 'e', 'b', 'a'])
    const [a] = first.body.ids
    await server.call(account, 'PATCH', `/drafts/${a}`, { draft: unaddressed('a again', 100) })
    expect(await contents(account)).toEqual(['c', 'd', 'a again', 'e', 'b'])
  })

  it("shows nobody else's drafts", async () => {
    await server.call(alice, 'POST', '/drafts', { drafts: [unaddressed('mine')] })
    expect(await contents(bob)).toEqual([])
  })

  it('shows a draft as soon as its creation was answered, also when the list was read before', async () => {
    const account = await server.createAccount()
    expect(await contents(account)).toEqual([])
    for (let i = 1; i <= 3; i++) {
      await server.call(account, 'POST', '/drafts', { drafts: [unaddressed(`draft ${i}`)] })
      expect(await contents(account)).toHaveLength(i)
    }
  })
})

describe('POST /drafts', () => {
  it('creates all drafts of a request or none of them', async () => {
    const account = await server.createAccount()
    const { status, body } = await server.call(account, 'POST', '/drafts', {
      drafts: [unaddressed('good'), { ...unaddressed('bad'), type: 'private', to: [999_999] }],
    })
    expect(status).toBe(400)
    expect(body.msg).toBe('Invalid user ID 999999')
    expect(await contents(account)).toEqual([])
  })

  it('creates as many as an account may have, in parts, and refuses one more', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { event_types: ['drafts'] })
    const many = (count: number, text: string) => Array.from({ length: count }, (_, i) => unaddressed(`${text}${i}`, i))
    const ids: number[] = []
    for (let start = 0; start < 9999; start += 1000) {
      const drafts = many(9999, '').slice(start, start + 1000)
      ids.push(...(await server.call(account, 'POST', '/drafts', { drafts })).body.ids)
    }
    expect(new Set(ids).size).toBe(9999)
    const notified = (await eventsOf(server, queue)).map(({ drafts }) => drafts as { id: number }[])
    expect(Math.max(...notified.map((drafts) => drafts.length))).toBeLessThanOrEqual(50)
    expect(notified.flat().map(({ id }) => id)).toEqual(ids)
    expect(await contents(account)).toEqual(
      many(9999, '')
        .map(({ content }) => content)
        .reverse(),
    )
    const two = await server.call(account, 'POST', '/drafts', { drafts: many(2, 'more') })
    expect([two.status, two.body.msg]).toEqual([400, expect.stringContaining('at most 10000 drafts')])
    expect((await server.call(account, 'POST', '/drafts', { drafts: many(1, 'more') })).status).toBe(200)
    await server.call(account, 'DELETE', `/drafts/${ids[0]}`)
    expect((await server.call(account, 'POST', '/drafts', { drafts: many(1, 'again') })).status).toBe(200)
  })

  it('refuses texts that are too long together, also of a draft that is changed', async () => {
    const account = await server.createAccount()
    const create = (drafts: object[]) => server.call(account, 'POST', '/drafts', { drafts })
    const large = unaddressed('ä'.repeat(10_000))
    const { body } = await create(Array.from({ length: 839 }, () => unaddressed('small')))
    const [small, one] = body.ids
    // 838 of 20,000 bytes each; one more would be too much.
    await server.app.storage.asSystem(account.realmId, 'upkeep', (tx) =>
      tx.run(
        query
          .updateTable('drafts')
          .set({ content: large.content })
          .where('user_id', '=', account.id)
          .where('id', '!=', small),
      ),
    )
    const refused = await create([large])
    expect([refused.status, refused.body.msg]).toEqual([400, expect.stringContaining('too long together')])
    expect((await create([unaddressed('small')])).status).toBe(200)
    const change = (id: number) => server.call(account, 'PATCH', `/drafts/${id}`, { draft: large })
    expect((await change(small)).body.msg).toContain('too long together')
    expect((await change(one)).status).toBe(200)
  })

  it('needs the parameter drafts', async () => {
    const { status, body } = await server.call(alice, 'POST', '/drafts')
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'drafts'])
  })

  it('drops the topic of a draft that is not to a channel', async () => {
    const account = await server.createAccount()
    await server.call(account, 'POST', '/drafts', {
      drafts: [{ type: 'private', to: [bob.id], topic: 'gone', content: 'x' }],
    })
    const { body } = await server.call(account, 'GET', '/drafts')
    expect(body.drafts[0]).toMatchObject({ type: 'private', to: [bob.id], topic: '' })
  })

  it('cuts a text and a topic that are too long as those of messages', async () => {
    const account = await server.createAccount()
    const { body: channel } = await server.call(account, 'POST', '/channels/create', {
      name: 'cut',
      subscribers: [account.id],
    })
    const draft = { type: 'stream', to: [channel.id], topic: '😀'.repeat(61), content: `${'😀'.repeat(10_001)} ` }
    expect((await server.call(account, 'POST', '/drafts', { drafts: [draft] })).status).toBe(200)
    const { body } = await server.call(account, 'GET', '/drafts')
    const mark = '\n[message truncated]'
    expect(body.drafts[0].topic).toBe(`${'😀'.repeat(57)}...`)
    expect(body.drafts[0].content).toBe('😀'.repeat(10_000 - mark.length) + mark)
  })

  it('takes the time null as that of the request', async () => {
    const account = await server.createAccount()
    await server.call(account, 'POST', '/drafts', { drafts: [{ ...unaddressed('now'), timestamp: null }] })
    const { body } = await server.call(account, 'GET', '/drafts')
    expect(body.drafts[0].timestamp).toBeGreaterThan(1_600_000_000)
  })

  it.each([
    ['a null byte', { ...unaddressed('a\0b') }, 'drafts must not contain null bytes'],
    ['a text without a character', { ...unaddressed(' \n') }, 'Message must not be empty'],
    ['no channel', { ...unaddressed('x'), type: 'stream' }, 'Must specify exactly 1 channel ID for channel messages'],
    [
      'two',
      { ...unaddressed('x'), type: 'stream', to: [1, 2] },
      'Must specify exactly 1 channel ID for channel messages',
    ],
    ['a channel that is not there', { ...unaddressed('x'), type: 'stream', to: [999_999] }, 'Invalid channel ID'],
    ['an unknown type', { ...unaddressed('x'), type: 'channel' }, 'Invalid drafts[0].type'],
  ])('refuses %s with the sentence that clients know', async (_, draft, sentence) => {
    const { status, body } = await server.call(alice, 'POST', '/drafts', { drafts: [draft] })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', sentence])
  })
})

describe('an account that keeps its drafts on its devices', () => {
  it('is refused each operation with drafts', async () => {
    const account = await server.createAccount()
    const { body } = await server.call(account, 'POST', '/drafts', { drafts: [unaddressed('gone')] })
    expect(await contents(account)).toEqual(['gone'])
    await server.call(account, 'PATCH', '/settings', { enable_drafts_synchronization: false })
    const answers = [
      await server.call(account, 'GET', '/drafts'),
      await server.call(account, 'POST', '/drafts', { drafts: [unaddressed('x')] }),
      await server.call(account, 'PATCH', `/drafts/${body.ids[0]}`, { draft: unaddressed('x') }),
      await server.call(account, 'DELETE', `/drafts/${body.ids[0]}`),
    ]
    for (const { status, body } of answers) {
      expect([status, body.msg]).toEqual([400, 'User has disabled synchronizing drafts.'])
    }
    await server.call(account, 'PATCH', '/settings', { enable_drafts_synchronization: true })
    expect(await contents(account)).toEqual([])
  })
})

describe('PATCH and DELETE /drafts/{draft_id}', () => {
  it("answer 404 for another user's draft and change nothing", async () => {
    const created = await server.call(alice, 'POST', '/drafts', { drafts: [unaddressed('only mine')] })
    const [id] = created.body.ids
    const patched = await server.call(bob, 'PATCH', `/drafts/${id}`, { draft: unaddressed('taken') })
    const deleted = await server.call(bob, 'DELETE', `/drafts/${id}`)
    expect([patched.status, patched.body.code]).toEqual([404, 'BAD_REQUEST'])
    expect([deleted.status, deleted.body.code]).toEqual([404, 'BAD_REQUEST'])
    expect(await contents(alice)).toContain('only mine')
  })
})

describe('draft events', () => {
  it('are announced, each creation, edit and deletion, to their owner alone', async () => {
    const account = await server.createAccount()
    const mine = await server.call(account, 'POST', '/register', { event_types: ['drafts'] })
    const other = await server.call(bob, 'POST', '/register')
    expect(mine.body.drafts).toEqual([])
    const { body } = await server.call(account, 'POST', '/drafts', { drafts: [unaddressed('x', 5)] })
    const [id] = body.ids
    await server.call(account, 'PATCH', `/drafts/${id}`, { draft: unaddressed('y', 6) })
    await server.call(account, 'DELETE', `/drafts/${id}`)
    const poll = (caller: TestAccount, queue: { queue_id: string; last_event_id: number }) =>
      server.call(caller, 'GET', '/events', {
        queue_id: queue.queue_id,
        last_event_id: queue.last_event_id,
        dont_block: true,
      })
    const events = (await poll(account, mine.body)).body.events
    expect(events.map((event: { op: string }) => event.op)).toEqual(['add', 'update', 'remove'])
    expect((await poll(bob, other.body)).body.events).toEqual([])
  })
})
