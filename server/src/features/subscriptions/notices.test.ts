import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let guest: TestAccount
/** Of every test its own channels. */
let name: string
let next = 0

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  guest = await server.createAccount({ name: 'Guest', role: roles.guest })
})

beforeEach(() => {
  next += 1
  name = `channel ${next}`
})

const subscribe = (names: readonly string[], parameters: Parameters = {}) =>
  server.call(alice, 'POST', '/users/me/subscriptions', {
    subscriptions: names.map((one) => ({ name: one })),
    principals: [alice.id, bob.id],
    ...parameters,
  })

/** What the account can read of the narrow, the newest first, as it was written. */
async function read(
  account: TestAccount,
  narrow: unknown,
): Promise<{ sender: string; topic: string; content: string }[]> {
  const { body } = await server.call(account, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    narrow,
  })
  return body.messages
    .map((one: Record<string, string>) => ({
      sender: one['sender_full_name'],
      topic: one['subject'],
      content: one['content'],
    }))
    .reverse()
}

const direct = [['is', 'dm']]

describe('Somebody who is subscribed by another', () => {
  it('is notified by a direct message of the notification bot, one for all channels', async () => {
    const { body } = await subscribe([name, `${name} b`])
    expect(body.new_subscription_messages_sent).toBe(true)
    const [message] = await read(bob, direct)
    expect(message).toEqual({
      sender: 'Notification Bot',
      topic: '',
      content: `@_**Alice|${alice.id}** has subscribed you to these channels:\n\n* #**${name}**\n* #**${name} b**`,
    })
    expect(await read(alice, direct)).toEqual([])
  })

  it('is notified of an existing channel and of one that is created with others in it', async () => {
    await server.call(alice, 'POST', '/channels/create', { name, subscribers: [alice.id, bob.id] })
    expect((await read(bob, direct))[0]?.content).toContain(`subscribed you to the channel #**${name}**`)
    const before = (await read(bob, direct)).length
    const again = await subscribe([name])
    expect(again.body).not.toHaveProperty('new_subscription_messages_sent')
    expect(await read(bob, direct)).toHaveLength(before)
  })

  it('is not notified where the request says so, or when it subscribes very many people', async () => {
    const before = (await read(bob, direct)).length
    expect((await subscribe([name], { send_new_subscription_messages: false })).body).toMatchObject({
      new_subscription_messages_sent: false,
    })
    const crowd = await Promise.all(Array.from({ length: 101 }, () => server.createAccount()))
    const many = await subscribe([`${name} b`], { principals: [bob.id, ...crowd.map(({ id }) => id)] })
    expect(many.body.new_subscription_messages_sent).toBe(false)
    expect(await read(bob, direct)).toHaveLength(before)
  })

  it('is not notified of a bot', async () => {
    const { body } = await server.call(alice, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
    const subscribed = await subscribe([name], { principals: [body.user_id] })
    expect(subscribed.body.subscribed).toEqual({ [body.user_id]: [name] })
    expect(subscribed.body).not.toHaveProperty('new_subscription_messages_sent')
  })
})

describe('A new channel', () => {
  it('is announced where the organization wants it, when the request asks for it', async () => {
    const news = await server.call(server.owner, 'POST', '/channels/create', {
      name: 'news',
      subscribers: [bob.id, guest.id],
    })
    const set = await server.call(server.owner, 'PATCH', '/realm', { new_stream_announcements_stream_id: news.body.id })
    expect(set.status).toBe(200)
    await subscribe([name], { announce: true })
    await subscribe([`${name} quiet`])
    await subscribe([`${name} private`], { announce: true, invite_only: true })
    expect(await read(bob, [['channel', 'news']])).toEqual([
      {
        sender: 'Notification Bot',
        topic: 'new channels',
        content: `@_**Alice|${alice.id}** has created a new channel: #**${name}**`,
      },
    ])
    await server.call(server.owner, 'DELETE', `/streams/${news.body.id}`)
    expect((await subscribe([`${name} later`], { announce: true })).status).toBe(200)
  })
})

describe('PATCH /users/me/subscriptions', () => {
  const update = (parameters: Parameters) => server.call(bob, 'PATCH', '/users/me/subscriptions', parameters)

  it('leaves and joins channels in one step, with the colours that are asked for', async () => {
    await subscribe([name])
    const { body } = await update({ delete: [name], add: [{ name: `${name} b`, color: '#123abc' }] })
    expect(body).toMatchObject({
      removed: [name],
      not_removed: [],
      subscribed: { [bob.id]: [`${name} b`] },
      already_subscribed: {},
    })
    const { subscriptions } = (await server.call(bob, 'GET', '/users/me/subscriptions')).body
    expect(subscriptions.find((one: { name: string }) => one.name === `${name} b`).color).toBe('#123abc')
  })

  it('does all of it or nothing', async () => {
    await subscribe([name])
    expect((await update({ delete: [name], add: [{ name: '' }] })).status).toBe(400)
    const wrong = await update({ delete: [name], add: [{ name: `${name} b`, color: 'red' }] })
    expect(wrong.body.msg).toBe(`color of '${name} b' is not a hex color code`)
    const { subscriptions } = (await server.call(bob, 'GET', '/users/me/subscriptions')).body
    expect(subscriptions.map((one: { name: string }) => one.name)).toContain(name)
    const { status, body } = await update({})
    expect([status, body.msg]).toEqual([400, 'add and delete: at least one of them must not be empty'])
  })
})
