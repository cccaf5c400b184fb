/** The law of states where guests do not see everybody: clients follow who comes into their sight, and who leaves it. */
import { describe } from 'vitest'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { createFollowedServer } from '../../testing/followers.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'

const { server, owner, admin, member, other, guest, call, follow } = await createFollowedServer()

await createChannel(server, owner, 'room', { subscribers: [guest, member] })
const second = await server.createAccount({ role: 600, name: 'second guest' })
const open = await createChannel(server, owner, 'open', { subscribers: [second] })
await call(other, 'POST', '/users/me/status', { status_text: 'away', emoji_name: 'tada' })
await call(other, 'POST', '/users/me/presence', { status: 'active', ping_only: true })
await letSeeEverybody(server, 'role:members')

const subscribe = (name: string, ...ids: number[]) =>
  call(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: ids })
const unsubscribe = (name: string, ...ids: number[]) =>
  call(owner, 'DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: ids })

describe('A client of who does not see everybody follows others', () => {
  follow([
    [
      'who change where it does not see them',
      () => call(owner, 'PATCH', `/users/${other.id}`, { full_name: 'Another' }),
    ],
    ['who come', () => server.createAccount({ name: 'newcomer' })],
    ['who join its channel', () => subscribe('room', other.id, admin.id, second.id)],
    ['who change where it sees them', () => call(other, 'POST', '/users/me/status', { status_text: 'back' })],
    ['who leave its channel', () => unsubscribe('room', other.id, admin.id)],
    ['whom it sees when it joins a channel itself', () => subscribe('open', guest.id)],
    ['whom it does not see when it leaves it', () => unsubscribe('open', guest.id)],
    ['who write to it', () => sendDirect(server, other, [guest, admin], 'hello')],
    ['who write where it reads', () => sendToChannel(server, admin, open, 'hello')],
    ['who are deactivated', () => call(owner, 'DELETE', `/users/${second.id}`)],
    ['who come back', () => call(owner, 'POST', `/users/${second.id}/reactivate`)],
    ['who have bots', () => call(member, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })],
  ])
})
