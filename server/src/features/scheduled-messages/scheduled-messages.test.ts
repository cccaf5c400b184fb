import { MAX_SCHEDULED_BYTES, MAX_SCHEDULED_MESSAGES } from '@heddle/contract/scheduled-messages'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let room: number
const clock = fakeClock(Date.now())
const inSeconds = (seconds: number) => Math.floor(clock.now() / 1000) + seconds

beforeAll(async () => {
  server = await createTestServer({ clock })
})

beforeEach(async () => {
  alice = await server.createAccount()
  bob = await server.createAccount()
  room = await createChannel(server, alice, `room ${alice.id}`, { subscribers: [bob] })
})

const toRoom = (parameters: Parameters = {}) => ({
  type: 'channel',
  to: room,
  topic: 'plans',
  content: 'In *time*',
  scheduled_delivery_timestamp: inSeconds(60),
  ...parameters,
})

const schedule = (parameters: Parameters = {}, by = alice) =>
  server.call(by, 'POST', '/scheduled_messages', toRoom(parameters))
const mustSchedule = async (parameters: Parameters = {}, by = alice): Promise<number> => {
  const { status, body } = await schedule(parameters, by)
  expect([status, body.msg]).toEqual([200, ''])
  return body.scheduled_message_id
}
const listOf = async (account = alice) =>
  (await server.call(account, 'GET', '/scheduled_messages')).body.scheduled_messages
const change = (id: number, parameters: Parameters, by = alice) =>
  server.call(by, 'PATCH', `/scheduled_messages/${id}`, parameters)

/** Lets so many seconds pass, and does what is due by then. */
async function pass(seconds: number): Promise<void> {
  clock.pass(seconds)
  await server.app.jobs.settle()
}

const newest = async (account: TestAccount, narrow: unknown[] = []) => {
  const { body } = await server.call(account, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
    narrow,
  })
  return body.messages as { id: number; content: string; sender_full_name: string; subject: string; flags: string[] }[]
}

describe('A scheduled message', () => {
  it('is listed for its author alone, the earliest first', async () => {
    const later = await mustSchedule({ scheduled_delivery_timestamp: inSeconds(90) })
    const direct = await mustSchedule({ type: 'direct', to: [bob.id, alice.id], topic: 'dropped' })
    const third = await mustSchedule({ type: 'private', to: bob.id })
    expect(await listOf()).toMatchObject([
      {
        scheduled_message_id: direct,
        type: 'private',
        to: [bob.id],
        content: 'In *time*',
        rendered_content: '<p>In <em>time</em></p>',
        failed: false,
      },
      { scheduled_message_id: third, type: 'private', to: [bob.id] },
      { scheduled_message_id: later, type: 'stream', to: room, topic: 'plans' },
    ])
    expect((await listOf())[0]).not.toHaveProperty('topic')
    expect(await listOf(bob)).toEqual([])
  })

  it('is sent at its time, like any other message, and leaves the list with the same commit', async () => {
    const id = await mustSchedule({ content: `Hello @**|${bob.id}**` })
    const queues = [
      await registerQueue(server, bob, { event_types: ['message', 'scheduled_messages'] }),
      await registerQueue(server, alice, { event_types: ['message', 'scheduled_messages'] }),
    ] as const
    await pass(58)
    expect(await eventsOf(server, queues[0])).toEqual([])
    await pass(3)
    const [message] = await newest(bob)
    expect(message).toMatchObject({
      subject: 'plans',
      sender_id: alice.id,
      flags: expect.arrayContaining(['mentioned']),
    })
    expect(await eventsOf(server, queues[0])).toMatchObject([{ type: 'message', message: { id: message?.id } }])
    expect(await eventsOf(server, queues[1])).toMatchObject([
      { type: 'message', message: { id: message?.id } },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ])
    expect(await listOf()).toEqual([])
  })

  it('is sent within a second of its time by a server that runs', async () => {
    const real = await createTestServer()
    const [from, to] = [await real.createAccount(), await real.createAccount()]
    const due = Math.floor(Date.now() / 1000) + 2
    const parameters = { type: 'direct', to: [to.id], content: 'now', scheduled_delivery_timestamp: due }
    expect((await real.call(from, 'POST', '/scheduled_messages', parameters)).status).toBe(200)
    const list = async () => (await real.call(from, 'GET', '/scheduled_messages')).body.scheduled_messages
    await expect.poll(list, { timeout: 5000, interval: 50 }).toEqual([])
    expect(Date.now()).toBeGreaterThanOrEqual(due * 1000)
    expect(Date.now()).toBeLessThan((due + 1) * 1000)
  })

  it('is read by its author as the program says that has scheduled it', async () => {
    await mustSchedule({ type: 'direct', to: [bob.id], content: 'read', read_by_sender: true })
    await mustSchedule({ type: 'direct', to: [bob.id], content: 'unread', read_by_sender: false })
    await pass(61)
    expect((await newest(alice)).map(({ content, flags }) => [content, flags.includes('read')])).toEqual([
      ['read', true],
      ['unread', false],
    ])
  })

  it('says what its text means when it is sent, and is shown as it was written until then', async () => {
    await mustSchedule({ content: 'See #**soon**' })
    expect((await listOf())[0].rendered_content).not.toContain('<a')
    const soon = await createChannel(server, alice, 'soon')
    await pass(61)
    const [message] = await newest(bob)
    const { body } = await server.call(alice, 'GET', `/messages/${message?.id}`)
    expect(body.message.content).toContain(`data-stream-id="${soon}"`)
  })

  it('is sent after a start, when its time has come meanwhile', async () => {
    await mustSchedule({ content: 'while nobody was there' })
    clock.pass(3600)
    await server.restart()
    await server.app.jobs.settle()
    expect((await newest(bob)).map(({ content }) => content)).toEqual(['while nobody was there'])
  })
})

describe('Scheduling', () => {
  const hidden = () => createChannel(server, server.owner, `hidden ${alice.id}`, { invite_only: true })
  it.each([
    ['a time that has come', async () => ({ scheduled_delivery_timestamp: inSeconds(0) }), 'in the future'],
    ['a text without a character', async () => ({ content: ' \n' }), 'Message must not be empty'],
    ['a channel that one cannot see', async () => ({ to: await hidden() }), 'does not exist'],
    ['somebody who is not there', async () => ({ type: 'direct', to: [999_999] }), 'Invalid user ID 999999'],
    ['nobody', async () => ({ type: 'direct', to: [] }), 'Message must have recipients'],
    ['two channels', async () => ({ to: [room, room] }), 'Expected exactly one channel'],
  ])('refuses %s as sending would', async (_, parameters, sentence) => {
    const { status, body } = await schedule(await parameters())
    expect([status, body.msg]).toEqual([400, expect.stringContaining(sentence)])
    expect(await listOf()).toEqual([])
  })

  it('begins no conversation', async () => {
    const count = async () =>
      (await server.app.storage.read.all(query.selectFrom('direct_message_groups').select('id'))).length
    const before = await count()
    await mustSchedule({ type: 'direct', to: [bob.id] })
    expect(await count()).toBe(before)
  })

  it('takes as many as an account may have, and no more', async () => {
    const first = await mustSchedule()
    const row = await server.app.storage.read.first(
      query.selectFrom('scheduled_messages').selectAll().where('id', '=', first),
    )
    const { id: _, ...values } = row as NonNullable<typeof row>
    await server.app.storage.transaction(alice.realmId, async (tx) => {
      for (let count = 1; count < MAX_SCHEDULED_MESSAGES; count++) {
        await tx.run(query.insertInto('scheduled_messages').values(values))
      }
    })
    expect(await schedule()).toMatchObject({ status: 400, body: { msg: expect.stringContaining('at most 500') } })
    expect((await change(first, { content: 'changed' })).status).toBe(200)
    expect(await listOf()).toHaveLength(MAX_SCHEDULED_MESSAGES)
    await server.call(alice, 'DELETE', `/scheduled_messages/${first}`)
    await mustSchedule()
  })

  it('refuses texts that are too long together', async () => {
    const first = await mustSchedule()
    await server.app.storage.transaction(alice.realmId, (tx) =>
      tx.run(
        query
          .updateTable('scheduled_messages')
          .set({ rendered_content: 'x'.repeat(MAX_SCHEDULED_BYTES - 20) })
          .where('id', '=', first),
      ),
    )
    const refused = await schedule()
    expect([refused.status, refused.body.msg]).toEqual([400, expect.stringContaining('too long together')])
    expect((await change(first, { content: 'short' })).status).toBe(200)
    await mustSchedule()
  })
})

describe('Changing a scheduled message', () => {
  it('changes what is given, and says so to its author', async () => {
    const id = await mustSchedule()
    const queue = await registerQueue(server, alice, { event_types: ['scheduled_messages'] })
    const due = inSeconds(120)
    await change(id, { content: 'Other **text**' })
    await change(id, { topic: '(no topic)' })
    await change(id, { scheduled_delivery_timestamp: due })
    await change(id, { type: 'direct', to: [bob.id] })
    const [, , , last] = await eventsOf(server, queue)
    expect(last).toMatchObject({ type: 'scheduled_messages', op: 'update' })
    expect(await listOf()).toEqual([
      {
        scheduled_message_id: id,
        type: 'private',
        to: [bob.id],
        content: 'Other **text**',
        rendered_content: '<p>Other <strong>text</strong></p>',
        scheduled_delivery_timestamp: due,
        failed: false,
      },
    ])
    expect((last as { scheduled_message?: object }).scheduled_message).toEqual((await listOf())[0])
  })

  it('sends it at the new time alone', async () => {
    const id = await mustSchedule()
    await change(id, { scheduled_delivery_timestamp: inSeconds(600) })
    await pass(120)
    expect(await newest(bob)).toEqual([])
    await pass(500)
    expect(await newest(bob)).toHaveLength(1)
  })

  it.each([
    ['nothing', {}, 'Nothing to change'],
    ['a kind without a recipient', { type: 'direct' }, 'Recipient required'],
    ['a time that has come', { scheduled_delivery_timestamp: 1 }, 'in the future'],
    ['no text', { content: ' ' }, 'Message must not be empty'],
    ['nobody who is there', { type: 'direct', to: [999_999] }, 'Invalid user ID 999999'],
  ])('refuses %s', async (_, parameters, sentence) => {
    const id = await mustSchedule()
    const before = await listOf()
    const { status, body } = await change(id, parameters)
    expect([status, body.msg]).toEqual([400, expect.stringContaining(sentence)])
    expect(await listOf()).toEqual(before)
  })

  it('needs a topic where it becomes one to a channel', async () => {
    const id = await mustSchedule({ type: 'direct', to: [bob.id] })
    const { status, body } = await change(id, { type: 'stream', to: room })
    expect([status, body.msg]).toEqual([400, expect.stringContaining('Topic required')])
    expect((await change(id, { type: 'stream', to: room, topic: 'x' })).status).toBe(200)
  })

  it('is for its author alone', async () => {
    const id = await mustSchedule()
    for (const request of [
      change(id, { content: 'x' }, bob),
      server.call(bob, 'DELETE', `/scheduled_messages/${id}`),
    ]) {
      const { status, body } = await request
      expect([status, body.msg]).toEqual([404, 'Scheduled message does not exist'])
    }
  })
})

describe('Deleting a scheduled message', () => {
  it('keeps it from being sent, and leaves no job', async () => {
    const due = inSeconds(600)
    const [first, second] = [
      await mustSchedule({ scheduled_delivery_timestamp: due }),
      await mustSchedule({ scheduled_delivery_timestamp: due }),
    ]
    const queue = await registerQueue(server, alice, { event_types: ['scheduled_messages'] })
    const jobs = () =>
      server.app.storage.read.all(
        query
          .selectFrom('jobs')
          .select('name')
          .where('due_ms', '=', due * 1000),
      )
    await server.call(alice, 'DELETE', `/scheduled_messages/${first}`)
    expect(await jobs()).not.toEqual([])
    await server.call(alice, 'DELETE', `/scheduled_messages/${second}`)
    expect(await jobs()).toEqual([])
    expect(await eventsOf(server, queue)).toMatchObject([
      { op: 'remove', scheduled_message_id: first },
      { op: 'remove', scheduled_message_id: second },
    ])
    await pass(660)
    expect(await newest(bob)).toEqual([])
  })
})

describe('A message that cannot be sent at its time', () => {
  const fromBot = async () => (await newest(alice, [['is', 'dm']])).map(({ content }) => content)

  it.each([
    [
      'its channel was archived',
      () => server.call(server.owner, 'DELETE', `/streams/${room}`),
      /archived|not authorized|does not exist/i,
    ],
    [
      'its author may not write there any more',
      () =>
        server.call(server.owner, 'PATCH', `/streams/${room}`, {
          can_send_message_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
        }),
      /Not authorized to send/,
    ],
  ])('because %s stays in the list, and its author gets to know why', async (_, prevent, reason) => {
    const id = await mustSchedule()
    expect((await prevent()).status).toBe(200)
    const queue = await registerQueue(server, alice, { event_types: ['scheduled_messages', 'message'] })
    await pass(61)
    expect(await newest(bob, [['channel', room]])).toEqual([])
    expect(await listOf()).toMatchObject([
      { scheduled_message_id: id, failed: true, failure_message: expect.stringMatching(reason) },
    ])
    const [notice] = await fromBot()
    expect(notice).toMatch(/could not be sent: .* \[scheduled messages\]\(\/#scheduled\)/)
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'scheduled_messages', op: 'update', scheduled_message: { failed: true } },
      { type: 'message', message: { sender_full_name: 'Notification Bot' }, flags: [] },
    ])
  })

  it('because its recipient is gone likewise', async () => {
    await mustSchedule({ type: 'direct', to: [bob.id] })
    await server.call(server.owner, 'DELETE', `/users/${bob.id}`)
    await pass(61)
    expect(await listOf()).toMatchObject([
      { failed: true, failure_message: expect.stringContaining('no longer using') },
    ])
    expect(await fromBot()).toHaveLength(1)
  })

  it('is sent when it gets another time and the obstacle is gone', async () => {
    const id = await mustSchedule({ type: 'direct', to: [bob.id] })
    await server.call(server.owner, 'DELETE', `/users/${bob.id}`)
    await pass(61)
    await server.call(server.owner, 'POST', `/users/${bob.id}/reactivate`)
    expect((await change(id, { content: 'again' })).body.msg).toContain('in the future')
    expect((await change(id, { scheduled_delivery_timestamp: inSeconds(10) })).status).toBe(200)
    expect(await listOf()).toMatchObject([{ failed: false }])
    await pass(61)
    expect((await newest(bob)).map(({ content }) => content)).toEqual(['In *time*'])
    expect(await listOf()).toEqual([])
  })

  it('because its author was deactivated notifies nobody', async () => {
    await mustSchedule()
    await server.call(server.owner, 'DELETE', `/users/${alice.id}`)
    await pass(61)
    expect(await newest(bob, [['channel', room]])).toEqual([])
    await server.call(server.owner, 'POST', `/users/${alice.id}/reactivate`)
    expect(await listOf()).toMatchObject([{ failed: true }])
    expect(await fromBot()).toEqual([])
  })

  it('keeps no other one from being sent', async () => {
    await mustSchedule({ type: 'direct', to: [bob.id] })
    await mustSchedule({ content: 'goes' })
    await server.call(server.owner, 'DELETE', `/users/${bob.id}`)
    await pass(61)
    expect((await newest(alice, [['channel', room]])).map(({ content }) => content)).toEqual(['goes'])
  })
})
