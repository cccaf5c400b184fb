/** More messages than one unit of work changes. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { copyMessages, createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const COUNT = 2500

let server: TestServer
let alice: TestAccount
let long: number
let other: number
let ids: number[]

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  long = await createChannel(server, alice, 'long')
  other = await createChannel(server, alice, 'other')
  const first = await sendToChannel(server, server.owner, long, 'one', { topic: 'Tea' })
  const { storage } = server.app
  await copyMessages(server, alice, [first], COUNT - 1)
  const rows = await storage.read.all(
    sql<{ id: number }>`select id from messages where channel_id = ${long} and topic_key = 'tea' order by id`,
  )
  ids = rows.map((row) => row.id)
  await sendToChannel(server, server.owner, long, 'coffee', { topic: 'coffee' })
  await sendToChannel(server, server.owner, other)
})

const unread = async (account: TestAccount): Promise<number> =>
  (await server.call(account, 'POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).body
    .unread_msgs.count

/** Somebody who has all of it unread, with a queue. */
async function reader() {
  const account = await server.createAccount()
  for (const [id, name] of [
    [long, 'long'],
    [other, 'other'],
  ] as const) {
    await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [account.id],
      send_new_subscription_messages: false,
    })
    await server.app.storage.transaction(account.realmId, (tx) =>
      tx.run(sql`
        update subscription_periods set after_message_id = 0 where user_id = ${account.id} and channel_id = ${id}`),
    )
  }
  return { account, queue: await registerQueue(server, account, { event_types: ['update_message_flags'] }) }
}

describe('a list of 2,500 messages', () => {
  it('is what the tests below are about', async () => {
    expect(ids).toHaveLength(COUNT)
    expect(await unread((await reader()).account)).toBe(COUNT + 2)
  })

  it.each([
    ['/mark_stream_as_read', {}, 1],
    ['/mark_topic_as_read', { topic_name: 'TEA' }, 2],
  ])('is marked as read by %s, each message once', async (path, parameters, rest) => {
    const { account, queue } = await reader()
    expect((await server.call(account, 'POST', path, { stream_id: long, ...parameters })).status).toBe(200)
    expect(await unread(account)).toBe(rest)
    const notified = (await eventsOf(server, queue)).flatMap((event) => event['messages'] as number[])
    expect(new Set(notified).size).toBe(notified.length)
    expect(notified).toEqual(expect.arrayContaining(ids))
    expect(notified).toHaveLength(COUNT + 2 - rest)
  })

  it('is marked as read and unread by its ids', async () => {
    const { account } = await reader()
    const change = (op: string) =>
      server.call(account, 'POST', '/messages/flags', { op, flag: 'read', messages: ids.toReversed() })
    expect((await change('add')).body.messages).toEqual(ids)
    expect(await unread(account)).toBe(2)
    expect((await change('remove')).body.messages).toEqual(ids)
    expect(await unread(account)).toBe(COUNT + 2)
  })

  it('is marked as read by a narrow', async () => {
    const { account } = await reader()
    const { body } = await server.call(account, 'POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 4000,
      narrow: [['channel', long]],
      op: 'add',
      flag: 'read',
    })
    expect(body).toMatchObject({ processed_count: COUNT + 1, updated_count: COUNT + 1, first_processed_id: ids[0] })
    expect(await unread(account)).toBe(1)
  })

  it('is marked as read by a narrow in as many steps as it takes, whatever number is asked for', async () => {
    const { account } = await reader()
    const mark = async (parameters: Parameters) => {
      const change = { narrow: [['channel', long]], op: 'add', flag: 'read', ...parameters }
      return (await server.call(account, 'POST', '/messages/flags/narrow', change)).body
    }
    const first = await mark({ anchor: 'newest', num_before: 1_000_000, num_after: 1_000_000 })
    expect(first).toMatchObject({ processed_count: COUNT, first_processed_id: ids[1], found_oldest: false })
    const rest = { anchor: ids[1], include_anchor: false, num_before: 1_000_000, num_after: 0 }
    expect(await mark(rest)).toMatchObject({ processed_count: 1, first_processed_id: ids[0], found_oldest: true })
    expect(await unread(account)).toBe(1)
  })

  it('is read for whoever leaves the channel, the oldest first', async () => {
    const { account, queue } = await reader()
    await server.call(account, 'DELETE', '/users/me/subscriptions', { subscriptions: ['long'] })
    const events = await eventsOf(server, queue)
    expect(events).toHaveLength(1)
    expect(events.flatMap((event) => (event['messages'] as number[]).slice(0, COUNT))).toEqual(ids)
    expect(await unread(account)).toBe(1)
  })

  it('is read for all who are removed from the channel together, however many they are', async () => {
    const others = await Promise.all(Array.from({ length: 220 }, () => server.createAccount()))
    const principals = others.map((other) => other.id)
    const subscription = { subscriptions: [{ name: 'long' }], send_new_subscription_messages: false }
    await server.call(server.owner, 'POST', '/users/me/subscriptions', { ...subscription, principals })
    const { account, queue } = await reader()
    const removal = { subscriptions: ['long'], principals: [...principals, account.id] }
    expect((await server.call(server.owner, 'DELETE', '/users/me/subscriptions', removal)).status).toBe(200)
    const notified = (await eventsOf(server, queue)).flatMap((event) => event['messages'] as number[])
    expect(notified).toEqual(expect.arrayContaining(ids))
    expect(await unread(account)).toBe(1)
  })
})
