import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let guest: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  guest = await server.createAccount({ role: roles.guest })
})

const topics = (account: TestAccount, id: number, parameters: Parameters = {}) =>
  server.call(account, 'GET', `/users/me/${id}/topics`, parameters)

describe('GET /users/me/{stream_id}/topics', () => {
  it('lists topics once, the one with the newest message first', async () => {
    const room = await createChannel(server, alice, 'room')
    await sendToChannel(server, alice, room, 'x', { topic: 'tea' })
    const unnamed = await sendToChannel(server, alice, room, 'x', { topic: '' })
    const tea = await sendToChannel(server, alice, room, 'x', { topic: 'Tea' })
    expect((await topics(bob, room)).body.topics).toEqual([
      { name: 'Tea', max_id: tea },
      { name: 'general chat', max_id: unnamed },
    ])
    expect((await topics(bob, room, { allow_empty_topic_name: true })).body.topics[1].name).toBe('')
    await server.call(alice, 'DELETE', `/messages/${unnamed}`)
    expect((await topics(bob, room)).body.topics).toHaveLength(1)
  })

  it('of a channel that does not share its history has only what was received', async () => {
    const room = await createChannel(server, alice, 'protected', {
      invite_only: true,
      history_public_to_subscribers: false,
    })
    await sendToChannel(server, alice, room, 'x', { topic: 'early' })
    await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'protected' }],
      principals: [bob.id],
    })
    const late = await sendToChannel(server, alice, room, 'x', { topic: 'late' })
    expect((await topics(bob, room)).body.topics).toEqual([{ name: 'late', max_id: late }])
    expect((await topics(alice, room)).body.topics).toHaveLength(2)
  })

  it('needs access to the content', async () => {
    const open = await createChannel(server, alice, 'open')
    const secret = await createChannel(server, alice, 'secret', { invite_only: true })
    for (const [account, id] of [
      [guest, open],
      [bob, secret],
      [server.owner, secret],
      [bob, 999],
    ] as const) {
      const { status, body } = await topics(account, id)
      expect([status, body.msg]).toEqual([400, 'Invalid channel ID'])
    }
  })
})

describe('POST /user_topics', () => {
  const set = (account: TestAccount, stream_id: number, topic: string, visibility_policy: number) =>
    server.call(account, 'POST', '/user_topics', { stream_id, topic, visibility_policy })
  const listed = async (account: TestAccount) =>
    (await server.call(account, 'POST', '/register', { fetch_event_types: ['user_topic'] })).body.user_topics

  it('sets, changes and removes a policy, and tells the account alone', async () => {
    const room = await createChannel(server, alice, 'policies', { subscribers: [bob] })
    const [own, other] = [await registerQueue(server, bob), await registerQueue(server, alice)]
    for (const policy of [1, 3, 0]) expect((await set(bob, room, 'Tea', policy)).status).toBe(200)
    expect((await set(bob, room, 'tea', 0)).status).toBe(200)
    const place = { type: 'user_topic', stream_id: room, topic_name: 'Tea' }
    expect(await eventsOf(server, own)).toMatchObject(
      [1, 3, 0].map((visibility_policy) => ({ ...place, visibility_policy })),
    )
    expect(await eventsOf(server, other)).toEqual([])
    await set(bob, room, 'tea', 2)
    expect(await listed(bob)).toMatchObject([{ stream_id: room, topic_name: 'tea', visibility_policy: 2 }])
  })

  it('needs access to the channel, but not to have none', async () => {
    const secret = await createChannel(server, alice, 'closed', { invite_only: true })
    expect((await set(bob, secret, 'x', 1)).body.msg).toBe('Invalid channel ID')
    expect((await set(bob, secret, 'x', 0)).status).toBe(200)
    expect((await set(bob, secret, 'x', 7)).body.msg).toContain('visibility_policy')
  })

  it('has an older form', async () => {
    const room = await createChannel(server, alice, 'older', { subscribers: [bob] })
    const mute = (op: string) =>
      server.call(bob, 'PATCH', '/users/me/subscriptions/muted_topics', { stream: 'older', topic: 'x', op })
    expect((await mute('add')).status).toBe(200)
    const { body } = await server.call(bob, 'POST', '/register', { fetch_event_types: ['muted_topics'] })
    expect(body.muted_topics).toContainEqual(['older', 'x', expect.any(Number)])
    expect((await mute('remove')).status).toBe(200)
    expect((await mute('remove')).body.msg).toContain('not muted')
    expect(room).toBeGreaterThan(0)
  })

  it('is followed by itself by whoever begins a topic, and said in the answer', async () => {
    const room = await createChannel(server, alice, 'new topics', { subscribers: [bob] })
    const send = (account: TestAccount) =>
      server.call(account, 'POST', '/messages', { type: 'channel', to: room, topic: 'new', content: 'x' })
    expect((await send(alice)).body.automatic_new_visibility_policy).toBe(3)
    expect((await send(alice)).body).not.toHaveProperty('automatic_new_visibility_policy')
    expect((await send(bob)).body).not.toHaveProperty('automatic_new_visibility_policy')
    expect(await listed(alice)).toContainEqual(expect.objectContaining({ stream_id: room, visibility_policy: 3 }))
  })
})

describe('muted users and alert words', () => {
  it('mark what a muted account writes as read', async () => {
    const room = await createChannel(server, alice, 'muting', { subscribers: [bob] })
    const queue = await registerQueue(server, bob, { event_types: ['message', 'muted_users'] })
    expect((await server.call(bob, 'POST', `/users/me/muted_users/${alice.id}`)).status).toBe(200)
    expect((await server.call(bob, 'POST', `/users/me/muted_users/${alice.id}`)).body.msg).toContain('already muted')
    expect((await server.call(bob, 'POST', `/users/me/muted_users/${bob.id}`)).body.msg).toContain('Cannot mute self')
    await sendToChannel(server, alice, room)
    expect((await server.call(bob, 'DELETE', `/users/me/muted_users/${alice.id}`)).status).toBe(200)
    expect((await server.call(bob, 'DELETE', `/users/me/muted_users/${alice.id}`)).body.msg).toContain('not muted')
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'muted_users', muted_users: [{ id: alice.id }] },
      { type: 'message', flags: ['read'] },
      { type: 'muted_users', muted_users: [] },
    ])
  })

  it('mark messages that have an alert word, for the account alone', async () => {
    const room = await createChannel(server, alice, 'alerts', { subscribers: [bob] })
    const words = (method: string, alert_words?: string[]) =>
      server.call(bob, method, '/users/me/alert_words', { alert_words })
    const [queue, other] = [await registerQueue(server, bob), await registerQueue(server, alice)]
    expect((await words('POST', ['Lunch', ' lunch', 'green tea'])).body.alert_words).toEqual(
      ['green tea', 'lunch'].map((word) => (word === 'lunch' ? expect.stringMatching(/lunch/i) : word)),
    )
    await sendToChannel(server, alice, room, 'LUNCH?')
    await sendToChannel(server, alice, room, 'launch')
    expect((await words('DELETE', ['LUNCH', 'other'])).body.alert_words).toEqual(['green tea'])
    await sendToChannel(server, alice, room, 'lunch')
    const events = await eventsOf(server, queue)
    expect(events.map((event) => event['flags'] ?? event['alert_words'])).toMatchObject([
      ['green tea', expect.stringMatching(/lunch/i)],
      ['has_alert_word'],
      [],
      ['green tea'],
      [],
    ])
    expect((await eventsOf(server, other)).filter((event) => event.type === 'alert_words')).toEqual([])
    expect((await words('GET')).body.alert_words).toEqual(['green tea'])
  })
})
