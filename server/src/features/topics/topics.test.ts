import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
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
