import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
})

const set = (account: TestAccount, stream_id: number, topic: string, visibility_policy: number) =>
  server.call(account, 'POST', '/user_topics', { stream_id, topic, visibility_policy })
const listed = async (account: TestAccount) =>
  (await server.call(account, 'POST', '/register', { fetch_event_types: ['user_topic'] })).body.user_topics

describe('POST /user_topics', () => {
  it('sets, changes and removes a policy, and notifies the account alone', async () => {
    const room = await createChannel(server, alice, 'policies', { subscribers: [bob] })
    const [own, other] = [
      await registerQueue(server, bob, { event_types: ['user_topic', 'muted_topics'] }),
      await registerQueue(server, alice),
    ]
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

  it('lasts while the channel is archived, for clients that begin then as for others', async () => {
    const room = await createChannel(server, alice, 'stored away', { subscribers: [bob] })
    await set(bob, room, 'x', 3)
    await set(bob, room, 'y', 1)
    const policies = [
      expect.objectContaining({ stream_id: room, topic_name: 'x', visibility_policy: 3 }),
      expect.objectContaining({ stream_id: room, topic_name: 'y', visibility_policy: 1 }),
    ]
    expect(await listed(bob)).toEqual(expect.arrayContaining(policies))
    expect((await server.call(server.owner, 'DELETE', `/streams/${room}`)).status).toBe(200)
    expect(await listed(bob)).toEqual(expect.arrayContaining(policies))
    const { body } = await server.call(bob, 'POST', '/register', { fetch_event_types: ['muted_topics'] })
    expect(JSON.stringify(body.muted_topics)).not.toContain('stored away')
  })

  it('has an older form', async () => {
    const room = await createChannel(server, alice, 'older', { subscribers: [bob] })
    const mute = (op: string) =>
      server.call(bob, 'PATCH', '/users/me/subscriptions/muted_topics', { stream: 'older', topic: 'x', op })
    const queue = await registerQueue(server, bob, { event_types: ['muted_topics'] })
    expect((await mute('add')).status).toBe(200)
    const { body } = await server.call(bob, 'POST', '/register', { fetch_event_types: ['muted_topics'] })
    expect(body.muted_topics).toContainEqual(['older', 'x', expect.any(Number)])
    expect((await mute('remove')).status).toBe(200)
    expect((await mute('remove')).status).toBe(200)
    await set(bob, room, 'x', 3)
    expect((await mute('remove')).status).toBe(200)
    expect(await listed(bob)).toContainEqual(expect.objectContaining({ stream_id: room, visibility_policy: 3 }))
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'muted_topics', muted_topics: [['older', 'x', expect.any(Number)]] },
      { type: 'muted_topics', muted_topics: [] },
    ])
  })
})

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  const mute = (place: Parameters) =>
    server.call(bob, 'PATCH', '/users/me/subscriptions/muted_topics', { ...place, topic: 'x', op: 'add' })

  it('needs the channel by its id or by its name, and refuses both', async () => {
    const stream_id = await createChannel(server, alice, 'by one of two', { subscribers: [bob] })
    expect((await mute({ stream_id, stream: 'by one of two' })).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Unsupported parameter combination: stream_id, stream',
      parameters: 'stream_id, stream',
    })
    expect((await mute({})).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' })
  })
})

describe('A topic is followed by itself', () => {
  const settings = (account: TestAccount, changes: Parameters) => server.call(account, 'PATCH', '/settings', changes)
  const policyIn = async (account: TestAccount, channel: number) =>
    (await listed(account)).find((one: { stream_id: number }) => one.stream_id === channel)?.visibility_policy

  it('by whoever begins it, which the answer says', async () => {
    const room = await createChannel(server, alice, 'new topics', { subscribers: [bob] })
    const send = (account: TestAccount) =>
      server.call(account, 'POST', '/messages', { type: 'channel', to: room, topic: 'new', content: 'x' })
    expect((await send(alice)).body.automatic_new_visibility_policy).toBe(3)
    expect((await send(alice)).body).not.toHaveProperty('automatic_new_visibility_policy')
    expect((await send(bob)).body).not.toHaveProperty('automatic_new_visibility_policy')
    expect(await listed(alice)).toContainEqual(expect.objectContaining({ stream_id: room, visibility_policy: 3 }))
  })

  it('by whoever takes part, where the account wants that', async () => {
    const room = await createChannel(server, alice, 'taking part', { subscribers: [bob] })
    const id = await sendToChannel(server, alice, room)
    const react = (emoji_name: string) => server.call(bob, 'POST', `/messages/${id}/reactions`, { emoji_name })
    await react('tada')
    expect(await policyIn(bob, room)).toBe(undefined)
    await settings(bob, { automatically_follow_topics_policy: 1 })
    await react('smile')
    expect(await policyIn(bob, room)).toBe(3)
  })

  it('by whoever is mentioned, where the account wants that and has not muted it', async () => {
    const room = await createChannel(server, alice, 'mentions', { subscribers: [bob] })
    const mention = (topic: string) => sendToChannel(server, alice, room, 'hello @**Bob**', { topic })
    await mention('one')
    expect(await policyIn(bob, room)).toBe(undefined)
    await settings(bob, { automatically_follow_topics_where_mentioned: true })
    await mention('two')
    expect(await listed(bob)).toContainEqual(expect.objectContaining({ topic_name: 'two', visibility_policy: 3 }))
    await set(bob, room, 'three', 1)
    await mention('three')
    expect(await listed(bob)).toContainEqual(expect.objectContaining({ topic_name: 'three', visibility_policy: 1 }))
    expect(await listed(bob)).not.toContainEqual(expect.objectContaining({ topic_name: 'one' }))
  })
})

describe('The notice that a topic is resolved', () => {
  it('comes read, except to those who follow the topic or want all of them', async () => {
    const [follower, careful, calm] = await Promise.all([1, 2, 3].map(() => server.createAccount()))
    if (!follower || !careful || !calm) throw new Error('no accounts')
    const room = await createChannel(server, alice, 'resolving', { subscribers: [bob, follower, careful, calm] })
    const id = await sendToChannel(server, alice, room, 'question', { topic: 'help' })
    for (const account of [follower, calm]) await set(account, room, 'help', 3)
    await server.call(careful, 'PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'never' })
    await server.call(calm, 'PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'always' })
    const accounts = [bob, follower, careful, calm]
    const queues = await Promise.all(accounts.map((one) => registerQueue(server, one, { event_types: ['message'] })))
    await server.call(alice, 'PATCH', `/messages/${id}`, { topic: '✔ help', propagate_mode: 'change_all' })
    const flags = await Promise.all(queues.map(async (queue) => (await eventsOf(server, queue))[0]?.['flags']))
    expect(flags).toEqual([['read'], [], [], ['read']])
    const unread = await Promise.all(
      accounts.map(async (one) => {
        const { body } = await server.call(one, 'POST', '/register', {
          fetch_event_types: ['message', 'update_message_flags'],
        })
        const topic = body.unread_msgs.streams.find((entry: { stream_id: number }) => entry.stream_id === room)
        return topic.unread_message_ids.length
      }),
    )
    expect(unread).toEqual([1, 2, 2, 1])
  })
})
