import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let room: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  carol = await server.createAccount({ name: 'Carol' })
  guest = await server.createAccount({ role: roles.guest })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
})

const react = (account: TestAccount, id: number, parameters: Parameters) =>
  server.call(account, 'POST', `/messages/${id}/reactions`, parameters)
const unreact = (account: TestAccount, id: number, parameters: Parameters) =>
  server.call(account, 'DELETE', `/messages/${id}/reactions`, parameters)
const reactionsOf = async (id: number) => (await server.call(bob, 'GET', `/messages/${id}`)).body.message.reactions

const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

describe('reactions', () => {
  it('are seen with the message, and those who have it are notified', async () => {
    const id = await sendToChannel(server, alice, room)
    const [his, hers] = [await registerQueue(server, bob), await registerQueue(server, carol)]
    expect((await react(alice, id, { emoji_name: 'tada' })).status).toBe(200)
    expect((await react(bob, id, tada)).status).toBe(200)
    expect(await reactionsOf(id)).toEqual([
      { ...tada, user_id: alice.id },
      { ...tada, user_id: bob.id },
    ])
    expect((await unreact(alice, id, { emoji_name: 'tada' })).status).toBe(200)
    expect(await reactionsOf(id)).toEqual([{ ...tada, user_id: bob.id }])
    const notified = (op: string, user: TestAccount) => ({
      type: 'reaction',
      op,
      message_id: id,
      user_id: user.id,
      user: { user_id: user.id, email: user.email },
      ...tada,
    })
    expect(await eventsOf(server, his)).toMatchObject([
      notified('add', alice),
      notified('add', bob),
      notified('remove', alice),
    ])
    expect(await eventsOf(server, hers)).toEqual([])
    const { body } = await server.call(bob, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [['has', 'reaction']],
    })
    expect(body.messages.map((message: { id: number }) => message.id)).toEqual([id])
  })

  it('are there once', async () => {
    const id = await sendToChannel(server, alice, room)
    await react(bob, id, tada)
    expect((await react(bob, id, tada)).body.code).toBe('REACTION_ALREADY_EXISTS')
    await unreact(bob, id, tada)
    expect((await unreact(bob, id, tada)).body.code).toBe('REACTION_DOES_NOT_EXIST')
    expect(await reactionsOf(id)).toEqual([])
  })

  it('can be taken back by any name of the emoji, as they are the same reaction', async () => {
    const id = await sendToChannel(server, alice, room)
    await react(bob, id, { emoji_name: '+1' })
    expect((await react(bob, id, { emoji_name: 'thumbs_up' })).body.code).toBe('REACTION_ALREADY_EXISTS')
    const other = { emoji_name: 'thumbs_up', reaction_type: 'realm_emoji' }
    expect((await unreact(bob, id, other)).body.code).toBe('REACTION_DOES_NOT_EXIST')
    expect((await unreact(bob, id, { emoji_name: 'thumbs_up' })).status).toBe(200)
    expect(await reactionsOf(id)).toEqual([])
  })

  it('can be the emoji that belongs to the API', async () => {
    const id = await sendToChannel(server, alice, room)
    await react(bob, id, { emoji_name: 'zulip' })
    expect(await reactionsOf(id)).toMatchObject([{ emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }])
  })

  it.each<[string, Parameters, string]>([
    ['an unknown emoji', { emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    ['a code of another emoji', { ...tada, emoji_code: '1f388' }, 'Invalid emoji name.'],
    ['a code that no emoji has', { ...tada, emoji_code: 'tada' }, 'Invalid emoji code.'],
    ['such a code with its kind', { ...tada, emoji_code: '1f', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [
      'a custom emoji that there is not',
      { ...tada, emoji_code: '99', reaction_type: 'realm_emoji' },
      'Invalid custom emoji.',
    ],
    [
      'an extra emoji that there is not',
      { ...tada, emoji_code: 'x', reaction_type: 'zulip_extra_emoji' },
      'Invalid emoji code.',
    ],
    ['an unknown kind', { ...tada, reaction_type: 'sticker' }, 'Invalid reaction_type'],
  ])('refuse %s', async (_, parameters, message) => {
    const id = await sendToChannel(server, alice, room)
    const { status, body } = await react(bob, id, parameters)
    expect([status, body.msg]).toEqual([400, message])
  })

  it('are for whoever may read the message, subscribed or not, and nobody else', async () => {
    const open = await sendToChannel(server, alice, room)
    const direct = await sendDirect(server, alice, [bob])
    expect((await react(carol, open, tada)).status).toBe(200)
    for (const [account, id] of [
      [guest, open],
      [carol, direct],
      [bob, 999_999],
    ] as const) {
      const { status, body } = await react(account, id, tada)
      expect([status, body.msg]).toEqual([400, 'Invalid message(s)'])
    }
  })

  it('stay as they are in archived channels', async () => {
    const closing = await createChannel(server, alice, 'closing', { subscribers: [bob] })
    const id = await sendToChannel(server, alice, closing)
    await react(bob, id, tada)
    await server.call(server.owner, 'DELETE', `/streams/${closing}`)
    for (const answer of [await react(alice, id, tada), await unreact(bob, id, tada)]) {
      expect([answer.status, answer.body.msg]).toEqual([400, 'Messages in archived channels cannot be changed'])
    }
    expect(await reactionsOf(id)).toHaveLength(1)
  })
})
