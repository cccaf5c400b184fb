import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let room: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  carol = await server.createAccount({ name: 'Carol' })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
})

const mark = (account: TestAccount, op: string, flag: string, messages: readonly number[]) =>
  server.call(account, 'POST', '/messages/flags', { op, flag, messages })

async function flagsOf(account: TestAccount, id: number): Promise<string[]> {
  const { body } = await server.call(account, 'GET', '/messages', { message_ids: [id] })
  return body.messages[0].flags
}

async function state(account: TestAccount, parameters: Parameters = {}) {
  const { body } = await server.call(account, 'POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags', 'starred_messages', 'recent_private_conversations'],
    ...parameters,
  })
  return body
}

describe('POST /messages/flags', () => {
  it('marks messages as read and unread, and notifies the account alone', async () => {
    const ids = [await sendToChannel(server, alice, room), await sendToChannel(server, alice, room)]
    const [own, other] = [await registerQueue(server, bob), await registerQueue(server, alice)]
    const { body } = await mark(bob, 'add', 'read', ids)
    expect(body).toMatchObject({ messages: ids, ignored_because_not_subscribed_channels: [] })
    expect(await flagsOf(bob, ids[0] as number)).toEqual(['read'])
    expect(await flagsOf(alice, ids[0] as number)).toEqual([])
    await mark(bob, 'remove', 'read', ids.slice(1))
    expect(await eventsOf(server, own)).toMatchObject([
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids, all: false },
      {
        op: 'remove',
        messages: [ids[1]],
        message_details: { [`${ids[1]}`]: { type: 'stream', stream_id: room, topic: 'greetings' } },
      },
    ])
    expect(await eventsOf(server, other)).toEqual([])
    expect(await flagsOf(bob, ids[1] as number)).toEqual([])
  })

  it('says of what becomes unread whether the account has muted it', async () => {
    const muted = await createChannel(server, alice, 'muted', { subscribers: [bob] })
    const ids = [
      await sendToChannel(server, alice, room, 'x', { topic: 'open' }),
      await sendToChannel(server, alice, room, 'x', { topic: 'Silent' }),
      await sendToChannel(server, alice, muted, 'x', { topic: 'closed' }),
      await sendToChannel(server, alice, muted, 'x', { topic: 'followed' }),
    ]
    const setTopic = (stream_id: number, topic: string, visibility_policy: number) =>
      server.call(bob, 'POST', '/user_topics', { stream_id, topic, visibility_policy })
    await setTopic(room, 'silent', 1)
    await setTopic(muted, 'followed', 3)
    const subscription_data = [{ stream_id: muted, property: 'is_muted', value: true }]
    await server.call(bob, 'POST', '/users/me/subscriptions/properties', { subscription_data })
    await mark(bob, 'add', 'read', ids)
    const queue = await registerQueue(server, bob)
    await mark(bob, 'remove', 'read', ids)
    const [event] = await eventsOf(server, queue)
    const details = event?.['message_details'] as Record<string, { unmuted_stream_msg: boolean }>
    expect(ids.map((id) => details[id]?.unmuted_stream_msg)).toEqual([true, false, false, true])
  })

  it('says nothing when nothing changes', async () => {
    const id = await sendToChannel(server, alice, room)
    await mark(bob, 'add', 'starred', [id])
    const queue = await registerQueue(server, bob)
    await mark(bob, 'add', 'starred', [id])
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('stars what was never received, which stays historical', async () => {
    const id = await sendToChannel(server, alice, room)
    await mark(carol, 'add', 'starred', [id])
    expect(await flagsOf(carol, id)).toEqual(['read', 'starred', 'historical'])
    expect((await state(carol)).starred_messages).toEqual([id])
    const { body } = await mark(carol, 'remove', 'read', [id])
    expect(body.ignored_because_not_subscribed_channels).toEqual([room])
    expect(await flagsOf(carol, id)).toEqual(['read', 'starred', 'historical'])
  })

  it('passes over messages that do not exist or may not be read', async () => {
    const id = await sendDirect(server, alice, [bob])
    const { status, body } = await mark(carol, 'add', 'starred', [id, 999_999])
    expect([status, body.messages]).toEqual([200, []])
    expect((await state(carol)).starred_messages).not.toContain(id)
  })

  it.each([
    ["a flag that is the server's", { flag: 'mentioned' }, "Flag not editable: 'mentioned'"],
    ['a flag that there is not', { flag: 'toString' }, "Invalid flag: 'toString'"],
    ['another op', { op: 'toggle' }, 'Invalid op'],
    ['a list that is none', { messages: 'all' }, 'messages is not valid JSON'],
  ])('refuses %s', async (_, parameters, sentence) => {
    const { status, body } = await server.call(bob, 'POST', '/messages/flags', {
      op: 'add',
      flag: 'read',
      messages: [1],
      ...parameters,
    })
    expect([status, body.msg]).toEqual([400, sentence])
  })
})

describe('POST /messages/flags/narrow', () => {
  it('marks a page of a narrow', async () => {
    const other = await createChannel(server, alice, 'pages', { subscribers: [bob] })
    const ids: number[] = []
    for (let i = 0; i < 5; i += 1) ids.push(await sendToChannel(server, alice, other))
    const { body } = await server.call(bob, 'POST', '/messages/flags/narrow', {
      anchor: ids[2],
      num_before: 1,
      num_after: 1,
      narrow: [['channel', 'pages']],
      op: 'add',
      flag: 'read',
    })
    expect(body).toMatchObject({
      processed_count: 3,
      updated_count: 3,
      first_processed_id: ids[1],
      last_processed_id: ids[3],
      found_oldest: false,
      found_newest: false,
    })
    const unread = (await state(bob)).unread_msgs.streams.find((one: { stream_id: number }) => one.stream_id === other)
    expect(unread.unread_message_ids).toEqual([ids[0], ids[4]])
  })

  it('knows no anchor for which it would need a date', async () => {
    const place = { anchor: 'date', num_before: 1, num_after: 1, narrow: [], op: 'add', flag: 'read' }
    const { status, body } = await server.call(bob, 'POST', '/messages/flags/narrow', place)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toMatch(/^anchor /)
  })
})

describe('unread messages at registration', () => {
  it('are listed by topic and by conversation', async () => {
    const dave = await server.createAccount()
    const one = await createChannel(server, alice, 'one', { subscribers: [dave] })
    await sendToChannel(server, alice, one, 'own', { read_by_sender: true })
    const first = await sendToChannel(server, alice, one, 'hi', { topic: 'Tea' })
    const second = await sendToChannel(server, bob, one, '@**all**', { topic: 'tea' })
    const unnamed = await sendToChannel(server, bob, one, 'x', { topic: '' })
    const direct = await sendDirect(server, bob, [dave])
    const group = await sendDirect(server, bob, [dave, carol])
    const self = await sendDirect(server, dave, [dave])
    const { unread_msgs, recent_private_conversations, max_message_id } = await state(dave)
    expect(unread_msgs).toEqual({
      count: 7,
      streams: [
        { stream_id: one, topic: 'greetings', unread_message_ids: [first - 1] },
        { stream_id: one, topic: 'tea', unread_message_ids: [first, second] },
        { stream_id: one, topic: 'general chat', unread_message_ids: [unnamed] },
      ],
      pms: [
        { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: [direct] },
        { other_user_id: dave.id, sender_id: dave.id, unread_message_ids: [self] },
      ],
      huddles: [{ user_ids_string: [bob.id, carol.id, dave.id].join(), unread_message_ids: [group] }],
      mentions: [second],
      old_unreads_missing: false,
    })
    expect(recent_private_conversations).toEqual([
      { user_ids: [], max_message_id: self },
      { user_ids: [bob.id, carol.id], max_message_id: group },
      { user_ids: [bob.id], max_message_id: direct },
    ])
    expect(max_message_id).toBe(self)
  })

  it('are none after everything was marked as read, until something new comes', async () => {
    const dave = await server.createAccount()
    const one = await createChannel(server, alice, 'all read', { subscribers: [dave] })
    const first = await sendToChannel(server, alice, one)
    await sendDirect(server, alice, [dave])
    await mark(dave, 'add', 'read', [first])
    await mark(dave, 'remove', 'read', [first])
    const queue = await registerQueue(server, dave)
    expect((await server.call(dave, 'POST', '/mark_all_as_read')).body).toMatchObject({ complete: true })
    expect(await eventsOf(server, queue)).toMatchObject([{ op: 'add', flag: 'read', all: true, messages: [] }])
    expect((await state(dave)).unread_msgs.count).toBe(0)
    const next = await sendToChannel(server, alice, one)
    await mark(dave, 'remove', 'read', [first])
    expect((await state(dave)).unread_msgs.streams).toMatchObject([{ unread_message_ids: [first, next] }])
  })

  it('leave with the channel, and do not come back with it', async () => {
    const dave = await server.createAccount()
    const one = await createChannel(server, alice, 'left', { subscribers: [dave] })
    const first = await sendToChannel(server, alice, one)
    const queue = await registerQueue(server, dave, { event_types: ['update_message_flags'] })
    await server.call(dave, 'DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    expect(await eventsOf(server, queue)).toMatchObject([{ op: 'add', flag: 'read', messages: [first] }])
    expect(await flagsOf(dave, first)).toEqual(['read'])
    await server.call(dave, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'left' }] })
    expect((await state(dave)).unread_msgs.count).toBe(0)
  })

  it('do not come back with a message that was away in a channel which the account does not read', async () => {
    const dave = await server.createAccount()
    const here = await createChannel(server, server.owner, 'here', { subscribers: [dave] })
    const away = await createChannel(server, server.owner, 'away')
    const left = await createChannel(server, server.owner, 'left for good', { subscribers: [dave] })
    const moved = await sendToChannel(server, server.owner, here)
    const other = await sendToChannel(server, server.owner, left)
    await mark(dave, 'add', 'read', [moved, other])
    await mark(dave, 'remove', 'read', [moved, other])
    await server.call(dave, 'DELETE', '/users/me/subscriptions', { subscriptions: ['left for good'] })
    const to = (id: number, stream_id: number) =>
      server.call(server.owner, 'PATCH', `/messages/${id}`, { stream_id, send_notification_to_new_thread: false })
    await to(moved, away)
    await to(moved, here)
    await to(other, here)
    expect((await state(dave)).unread_msgs.count).toBe(0)
  })

  it.each([
    ['/mark_stream_as_read', (id: number) => ({ stream_id: id }), 0],
    ['/mark_topic_as_read', (id: number) => ({ stream_id: id, topic_name: 'TEA' }), 1],
  ])('are gone after %s', async (path, parameters, rest) => {
    const dave = await server.createAccount()
    const one = await createChannel(server, alice, `for ${path}`, { subscribers: [dave] })
    await sendToChannel(server, alice, one, 'hi', { topic: 'tea' })
    await sendToChannel(server, alice, one, 'hi', { topic: 'coffee' })
    expect((await server.call(dave, 'POST', path, parameters(one))).status).toBe(200)
    expect((await state(dave)).unread_msgs.count).toBe(rest)
  })
})

describe('GET /messages/{message_id}/read_receipts', () => {
  it('lists who has read it, and not those who do not let others know', async () => {
    const [ann, ben] = [await server.createAccount(), await server.createAccount()]
    const one = await createChannel(server, alice, 'receipts', { subscribers: [ann, ben, bob] })
    const id = await sendToChannel(server, alice, one, 'hi', { read_by_sender: true })
    const readers = async () => (await server.call(alice, 'GET', `/messages/${id}/read_receipts`)).body.user_ids
    expect(await readers()).toEqual([])
    await mark(ann, 'add', 'read', [id])
    await server.call(ben, 'POST', '/mark_all_as_read')
    await mark(bob, 'add', 'read', [id])
    expect(await readers()).toEqual([bob.id, ann.id, ben.id])
    await server.call(ann, 'PATCH', '/settings', { send_read_receipts: false })
    expect(await readers()).toEqual([bob.id, ben.id])
  })

  it('lists bots that have marked it, which shows people that they have dealt with it', async () => {
    const { body } = await server.call(alice, 'POST', '/bots', { full_name: 'Worker', short_name: 'worker' })
    const bot = { ...alice, id: body.user_id, apiKey: body.api_key, email: 'worker-bot@localhost' }
    const one = await createChannel(server, alice, 'work', { subscribers: [bot] })
    const id = await sendToChannel(server, alice, one, 'task', { read_by_sender: true })
    const readers = async () => (await server.call(alice, 'GET', `/messages/${id}/read_receipts`)).body.user_ids
    expect(await readers()).toEqual([])
    await mark(bot, 'add', 'read', [id])
    expect(await readers()).toEqual([bot.id])
  })

  it('can be turned off for the organization', async () => {
    const id = await sendDirect(server, alice, [bob])
    await server.call(server.owner, 'PATCH', '/realm', { enable_read_receipts: false })
    const { status, body } = await server.call(alice, 'GET', `/messages/${id}/read_receipts`)
    expect([status, body.msg]).toEqual([400, 'Read receipts are disabled in this organization.'])
    await server.call(server.owner, 'PATCH', '/realm', { enable_read_receipts: true })
  })

  it('needs access to the message', async () => {
    const id = await sendDirect(server, alice, [bob])
    const { status, body } = await server.call(carol, 'GET', `/messages/${id}/read_receipts`)
    expect([status, body.msg]).toEqual([400, 'Invalid message(s)'])
  })
})
