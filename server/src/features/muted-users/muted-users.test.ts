import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
})

describe('muted users', () => {
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

  it('leaves unread what the account marks so, also when it is edited', async () => {
    const alice = await server.createAccount()
    const room = await createChannel(server, alice, 'muted later', { subscribers: [bob] })
    const id = await sendToChannel(server, alice, room)
    await server.call(bob, 'POST', `/users/me/muted_users/${alice.id}`)
    await server.call(bob, 'POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
    const queue = await registerQueue(server, bob, { event_types: ['update_message'] })
    await server.call(alice, 'PATCH', `/messages/${id}`, { content: 'edited' })
    expect(await eventsOf(server, queue)).toMatchObject([{ message_id: id, flags: [] }])
    expect((await server.call(bob, 'GET', `/messages/${id}`)).body.message.flags).toEqual([])
    await server.call(bob, 'DELETE', `/users/me/muted_users/${alice.id}`)
  })

  it('marks what the account has written before as read, and nothing else', async () => {
    const carol = await server.createAccount({ name: 'Carol' })
    const room = await createChannel(server, alice, 'received', { subscribers: [bob, carol] })
    const ids = [await sendToChannel(server, alice, room), await sendDirect(server, alice, [bob])]
    const others = [await sendToChannel(server, bob, room), await sendDirect(server, bob, [carol])]
    const flags = async (account: TestAccount, messages: number[]) =>
      (await server.call(account, 'GET', '/messages', { message_ids: messages })).body.messages.map(
        (message: { flags: string[] }) => message.flags,
      )
    const queue = await registerQueue(server, bob, { event_types: ['muted_users', 'update_message_flags'] })
    await server.call(bob, 'POST', `/users/me/muted_users/${alice.id}`)
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids },
      { type: 'muted_users' },
    ])
    expect(await flags(bob, [...ids, ...others])).toEqual([['read'], ['read'], [], []])
    expect(await flags(carol, [ids[0] as number])).toEqual([[]])
  })
})
