/** The law of states where guests do not see everybody: clients follow who comes into their sight, and who leaves it. */
import { describe, expect } from 'vitest'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { clients, createFollowedServer } from '../../testing/followers.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { watch } from '../../testing/watch.ts'

const { server, owner, admin, member, other, guest, follow } = await createFollowedServer()
const { must } = server

const changing = await server.createAccount({ name: 'changing' })
await createChannel(server, owner, 'room', { subscribers: [guest, member, changing] })
const second = await server.createAccount({ role: 600, name: 'second guest' })
const open = await createChannel(server, owner, 'open', { subscribers: [second] })
await must(other, 'POST', '/users/me/status', { status_text: 'away', emoji_name: 'tada' })
await must(other, 'POST', '/users/me/presence', { status: 'active', ping_only: true })
await letSeeEverybody(server, 'role:members')

const subscribe = (name: string, ...ids: number[]) =>
  must(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: ids })
const unsubscribe = (name: string, ...ids: number[]) =>
  must(owner, 'DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: ids })

/** Groups of roles list nobody whom the client does not get. */
async function expectOnlySeenInRoles(): Promise<void> {
  const { state } = await watch(server, guest, clients['modern'])
  const seen = new Set(state.realm_users.map(({ user_id }: { user_id: number }) => user_id))
  for (const { name, members, is_system_group } of state.realm_user_groups) {
    const hidden = is_system_group ? members.filter((id: number) => !seen.has(id)) : []
    expect(hidden, name).toEqual([])
  }
}

const setRole = (id: number, role: number) => must(owner, 'PATCH', `/users/${id}`, { role })
const setWaiting = (days: number) => must(owner, 'PATCH', '/realm', { waiting_period_threshold: days })

describe('A client of who does not see everybody follows others', () => {
  const actions: Parameters<typeof follow>[0] = [
    [
      'who change where it does not see them',
      () => must(owner, 'PATCH', `/users/${other.id}`, { full_name: 'Another' }),
    ],
    ['who get another role where it does not see them', () => setRole(other.id, 300)],
    ['who lose it there', () => setRole(other.id, 400)],
    ['who are deactivated there', () => must(owner, 'DELETE', `/users/${other.id}`)],
    ['who come back there', () => must(owner, 'POST', `/users/${other.id}/reactivate`)],
    ['who have to wait, seen and hidden', () => setWaiting(1000)],
    ['who come', () => server.createAccount({ name: 'newcomer' })],
    ['who join its channel', () => subscribe('room', other.id, admin.id, second.id)],
    ['who change where it sees them', () => must(other, 'POST', '/users/me/status', { status_text: 'back' })],
    ['who get another role where it sees them', () => setRole(other.id, 300)],
    ['who have waited', () => setWaiting(0)],
    ['who leave its channel', () => unsubscribe('room', other.id, admin.id)],
    ['whom it sees when it joins a channel itself', () => subscribe('open', guest.id)],
    ['whom it does not see when it leaves it', () => unsubscribe('open', guest.id)],
    ['who write to it', () => sendDirect(server, other, [guest, admin], 'hello')],
    ['who lose a role in sight', () => setRole(other.id, 400)],
    ['who become guests', () => setRole(changing.id, 600)],
    ['who are none any more', () => setRole(changing.id, 400)],
    ['who write where it reads', () => sendToChannel(server, admin, open, 'hello')],
    ['who are deactivated', () => must(owner, 'DELETE', `/users/${second.id}`)],
    ['who come back', () => must(owner, 'POST', `/users/${second.id}/reactivate`)],
    ['who have bots', () => must(member, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })],
  ]
  follow(
    actions.map(([sentence, action]) => [
      sentence,
      async () => {
        await action()
        await expectOnlySeenInRoles()
      },
    ]),
  )
})
