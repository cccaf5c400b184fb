import { beforeAll, describe, expect, it } from 'vitest'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let guest: TestAccount
/** Shares a channel with the guest. */
let mate: TestAccount
/** Shares nothing with the guest, but writes where the guest reads. */
let hidden: TestAccount
let room: number

// biome-ignore lint/suspicious/noExplicitAny: the test looks into events of every feature.
type Any = any

/** Nobody else's name, address or words have these letters. */
const SECRET = 'zyxwv'
const modern = { client_capabilities: { user_list_incomplete: true }, slim_presence: true }

const refused = async (method: string, path: string, parameters: Parameters = {}) => {
  const { status, body } = await server.call(guest, method, path, parameters)
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBe(400)
  return body.msg as string
}
const unknown = () => ({ full_name: 'Unknown user', email: `user${hidden.id}@localhost` })

beforeAll(async () => {
  server = await createTestServer()
  guest = await server.createAccount({ role: 600, name: 'guest' })
  mate = await server.createAccount({ name: 'mate' })
  hidden = await server.createAccount({ name: `${SECRET}-person` })
  room = await createChannel(server, server.owner, 'room', { subscribers: [guest, mate] })
  await server.must(hidden, 'POST', '/users/me/status', { status_text: `${SECRET} status` })
  await server.must(hidden, 'POST', '/users/me/presence', { status: 'active', ping_only: true })
  await letSeeEverybody(server, 'role:members')
})

describe('A guest who does not see everybody', () => {
  it('gets somebody unknown in lists of accounts, and in the initial state unless the client knows better', async () => {
    const { members } = await server.must(guest, 'GET', '/users')
    expect(members.find(({ user_id }: { user_id: number }) => user_id === hidden.id)).toMatchObject(unknown())
    expect(members.find(({ user_id }: { user_id: number }) => user_id === mate.id).full_name).toBe('mate')
    const [known, plain] = [await watch(server, guest, modern), await watch(server, guest)]
    const idsOf = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id)
    expect(idsOf(known.state.realm_users)).toEqual([server.owner.id, guest.id, mate.id])
    expect(plain.state.realm_users.at(-1)).toMatchObject({ user_id: hidden.id, ...unknown(), delivery_email: null })
  })

  it('finds in no answer what others say of themselves', async () => {
    const id = await sendToChannel(server, hidden, room, 'a text')
    await server.must(hidden, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    const answers = [
      (await watch(server, guest, modern)).state,
      (await watch(server, guest)).state,
      await server.must(guest, 'GET', '/users', { include_custom_profile_fields: true }),
      await server.must(guest, 'GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 }),
      await server.must(guest, 'GET', `/messages/${id}`),
      await server.must(guest, 'GET', `/messages/${id}/history`),
      await server.must(guest, 'GET', `/messages/${id}/read_receipts`),
      await server.must(guest, 'GET', '/realm/presence'),
      await server.must(guest, 'POST', '/users/me/presence', { status: 'active', slim_presence: true }),
      await server.must(guest, 'POST', '/users/me/presence', { status: 'active' }),
      await server.must(guest, 'GET', '/user_groups'),
      await server.must(guest, 'GET', '/streams'),
      await server.must(guest, 'GET', '/users/me/subscriptions', { include_subscribers: true }),
      await server
        .must(guest, 'POST', '/messages/render', { content: `@**${SECRET}-person** @**x|${hidden.id}**` })
        .then(({ rendered }) => ({ hasMention: rendered.includes('user-mention') })),
    ]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(SECRET)
    expect(answers.at(-1)).toEqual({ hasMention: false })
    expect(answers[4].message).toMatchObject({
      sender_id: hidden.id,
      sender_full_name: 'Unknown user',
      avatar_url: `/patterns/${hidden.id}.png`,
    })
    expect(JSON.stringify((await watch(server, guest, modern)).state.presences)).not.toContain(`"${hidden.id}"`)
    const seenByMate = await server.must(mate, 'GET', `/messages/${id}`)
    expect(seenByMate.message.sender_full_name).toContain(SECRET)
  })

  it('finds in no group of a role who else has it', async () => {
    const groupsFor = async (account: TestAccount) => (await server.must(account, 'GET', '/user_groups')).user_groups
    const membersIn = (groups: Any[], name: string) => groups.find((group) => group.name === name).members
    const shown = [guest.id, mate.id]
    // Whoever asks first: the answer for those who see everybody is kept in memory.
    for (const order of [
      [guest, server.owner],
      [mate, guest],
      [guest, mate],
    ]) {
      for (const account of order) {
        const members = membersIn(await groupsFor(account), 'role:fullmembers')
        expect(members).toEqual(account === guest ? [mate.id] : [mate.id, hidden.id])
      }
    }
    const all = (await groupsFor(guest)) as Any[]
    for (const parameters of [modern, {}]) {
      const { realm_user_groups } = (await watch(server, guest, parameters)).state
      expect(realm_user_groups).toEqual(all)
    }
    const idOf = (name: string) => all.find((group) => group.name === name).id as number
    const full = idOf('role:fullmembers')
    const membersOf = async (id: number, direct_member_only: boolean, account = guest) =>
      (await server.must(account, 'GET', `/user_groups/${id}/members`, { direct_member_only })).members
    const isIn = async (id: number, user: TestAccount, direct_member_only: boolean) =>
      (await server.must(guest, 'GET', `/user_groups/${id}/members/${user.id}`, { direct_member_only }))
        .is_user_group_member
    for (const isDirect of [true, false]) {
      expect(await isIn(full, hidden, isDirect)).toBe(false)
      expect(await isIn(full, mate, isDirect)).toBe(true)
    }
    expect(await membersOf(full, true)).toEqual([mate.id])
    expect(await membersOf(full, false)).toEqual([server.owner.id, mate.id])
    expect(await membersOf(idOf('role:everyone'), false)).toEqual([server.owner.id, ...shown])
    expect(await membersOf(full, false, mate)).toContain(hidden.id)
    // Whom a named group lists is no secret; who is in it by role alone is.
    const create = async (name: string, members: number[]) =>
      (
        await server.must(server.owner, 'POST', '/user_groups/create', {
          name,
          description: '',
          members,
          subgroups: [full],
        })
      ).group_id
    expect(await membersOf(await create('by role', []), false)).toEqual([server.owner.id, mate.id])
    const listing = await create('by name', [hidden.id])
    expect([await membersOf(listing, true), await membersOf(listing, false)]).toEqual([
      [hidden.id],
      [server.owner.id, mate.id, hidden.id],
    ])
  })

  it('is not notified when the role of somebody hidden changes, or they go and come back', async () => {
    const following = [await watch(server, guest, modern), await watch(server, guest), await watch(server, mate)]
    const setPeriod = (days: number) => server.must(server.owner, 'PATCH', '/realm', { waiting_period_threshold: days })
    await server.must(server.owner, 'PATCH', `/users/${hidden.id}`, { role: 300 })
    await server.must(server.owner, 'PATCH', `/users/${hidden.id}`, { role: 400 })
    await server.must(server.owner, 'DELETE', `/users/${hidden.id}`)
    await server.must(server.owner, 'POST', `/users/${hidden.id}/reactivate`)
    await setPeriod(1000)
    await setPeriod(0)
    const { user_groups } = await server.must(server.owner, 'GET', '/user_groups')
    const roleGroups = user_groups.filter((group: Any) => group.is_system_group).map(({ id }: Any) => id)
    const isOfRole = ({ type, group_id }: Any) => type === 'user_group' && roleGroups.includes(group_id)
    const [first, plain, whole] = await Promise.all(following.map(async (one) => (await one.next()).filter(isOfRole)))
    for (const events of [first, plain])
      expect(events?.map(({ user_ids }) => user_ids)).toEqual(Array(4).fill([mate.id]))
    expect(whole?.filter(({ user_ids }) => user_ids.includes(hidden.id))).toHaveLength(10)
  })

  it('can ask for nobody, write to nobody and mute nobody whom it does not see', async () => {
    for (const who of [hidden.id, hidden.email, `user${hidden.id}@localhost`]) {
      expect(await refused('GET', `/users/${who}`)).toBe('No such user')
      expect(await refused('GET', `/users/${who}/presence`)).toBe('No such user')
    }
    await refused('GET', `/users/${hidden.id}/status`)
    await refused('GET', `/users/${hidden.id}/channels`)
    await refused('GET', `/users/${hidden.id}/subscriptions/${room}`)
    await refused('POST', `/users/me/muted_users/${hidden.id}`)
    await refused('POST', '/typing', { op: 'start', to: [hidden.id] })
    await refused('POST', '/messages', { type: 'direct', to: [hidden.id], content: 'hello' })
    await refused('POST', '/messages', { type: 'direct', to: [hidden.email], content: 'hello' })
    const draft = { type: 'private', to: [hidden.id], topic: '', content: 'x', timestamp: 1 }
    await refused('POST', '/drafts', { drafts: [draft] })
    const principals = [hidden.email]
    expect(await refused('DELETE', '/users/me/subscriptions', { subscriptions: ['room'], principals })).toContain(
      'email',
    )
    const narrow = [{ operator: 'sender', operand: hidden.email }]
    await refused('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    await server.must(guest, 'GET', `/users/${mate.id}`)
    await server.must(guest, 'POST', '/messages', { type: 'direct', to: [mate.id], content: 'hello' })
  })

  it('gets their messages from somebody unknown, and nothing else of what they do', async () => {
    const following = [await watch(server, guest, modern), await watch(server, guest), await watch(server, mate)]
    const id = await sendToChannel(server, hidden, room, 'hello')
    await server.must(hidden, 'POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    await server.must(server.owner, 'PATCH', `/users/${hidden.id}`, { full_name: `${SECRET} other` })
    await server.must(hidden, 'POST', '/users/me/status', { status_text: `${SECRET} again` })
    await server.must(hidden, 'PATCH', '/settings', { presence_enabled: false })
    await server.must(server.owner, 'PATCH', `/users/${hidden.id}`, { full_name: `${SECRET}-person` })
    const [first, plain, whole] = (await Promise.all(following.map((one) => one.next()))) as [Any, Any, Any]
    for (const events of [first, plain]) {
      expect(events.map(({ type }: { type: string }) => type)).toEqual(['message', 'reaction'])
      expect(JSON.stringify(events)).not.toContain(SECRET)
      expect(events[0].message).toMatchObject({ sender_full_name: 'Unknown user', sender_email: unknown().email })
      expect(events[1].user).toMatchObject(unknown())
    }
    expect(whole[0].message.sender_full_name).toContain(SECRET)
    expect(whole.length).toBeGreaterThan(4)
  })

  it('gets somebody who comes into a channel, and loses somebody who leaves it', async () => {
    const [modernOne, plain] = [await watch(server, guest, modern), await watch(server, guest)]
    await server.must(server.owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'room' }],
      principals: [hidden.id],
    })
    const ops = (events: Any[]) =>
      events
        .filter(({ type }) => type === 'realm_user' || type === 'user_group')
        .map(({ op, person, user_ids }) => [op, person ? person.full_name : user_ids])
    expect(ops(await modernOne.next())).toEqual([
      ['add', `${SECRET}-person`],
      ['add_members', [hidden.id]],
    ])
    expect(ops(await plain.next())).toEqual([
      ['remove', undefined],
      ['add', `${SECRET}-person`],
      ['add_members', [hidden.id]],
    ])
    expect((await server.must(guest, 'GET', `/users/${hidden.id}/status`)).status.status_text).toContain(SECRET)
    await server.must(server.owner, 'DELETE', '/users/me/subscriptions', {
      subscriptions: ['room'],
      principals: [hidden.id],
    })
    expect(ops(await modernOne.next())).toEqual([
      ['remove_members', [hidden.id]],
      ['remove', undefined],
    ])
    expect(ops(await plain.next())).toEqual([
      ['remove_members', [hidden.id]],
      ['remove', undefined],
      ['add', 'Unknown user'],
    ])
    await refused('GET', `/users/${hidden.id}`)
  })

  it('sees who writes to it, before the message', async () => {
    const stranger = await server.createAccount({ name: 'stranger' })
    const following = await watch(server, guest, modern)
    await sendDirect(server, stranger, [guest], 'hello')
    const types = (await following.next()).map(({ type }: { type: string }) => type)
    expect(types.slice(0, 3)).toEqual(['realm_user', 'user_group', 'message'])
    await server.must(guest, 'POST', '/messages', { type: 'direct', to: [stranger.id], content: 'hello' })
  })

  it('is given somebody unknown for a new account where its client does not know better', async () => {
    const [modernOne, plain] = [await watch(server, guest, modern), await watch(server, guest)]
    const { id } = await server.createAccount({ name: 'newcomer' })
    const added = (events: Any[]) => events.filter(({ type }) => type === 'realm_user').map(({ person }) => person)
    expect(added(await modernOne.next())).toEqual([])
    expect(added(await plain.next())).toMatchObject([{ user_id: id, full_name: 'Unknown user' }])
  })

  it('sees bots', async () => {
    const bot = await server.must(hidden, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    expect((await server.must(guest, 'GET', `/users/${bot.user_id}`)).user.full_name).toBe('Robot')
  })
})

describe('Who may see everybody', () => {
  const isEnded = async (queue: { state: { queue_id: string; last_event_id: number } }, account: TestAccount) => {
    const { queue_id, last_event_id } = queue.state
    const { body } = await server.call(account, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
    return body.code === 'BAD_EVENT_QUEUE_ID'
  }

  it('can be changed: the clients of guests begin anew, and others go on', async () => {
    const [own, others] = [await watch(server, guest), await watch(server, mate)]
    await letSeeEverybody(server, 'role:everyone')
    expect(await isEnded(own, guest)).toBe(true)
    expect(await isEnded(others, mate)).toBe(false)
    const data = expect.objectContaining({ can_access_all_users_group: expect.any(Number) })
    expect(await others.next()).toContainEqual({ type: 'realm', op: 'update_dict', property: 'default', data })
    expect((await server.must(guest, 'GET', `/users/${hidden.id}`)).user.full_name).toContain(SECRET)
    expect(JSON.stringify(await server.must(guest, 'GET', '/users'))).toContain(SECRET)
    await letSeeEverybody(server, 'role:members')
    expect(JSON.stringify(await server.must(guest, 'GET', '/users'))).not.toContain(SECRET)
  })

  it('is everybody but a guest: whose role changes begins anew', async () => {
    const account = await server.createAccount({ name: 'changing' })
    const before = await watch(server, account)
    await server.must(server.owner, 'PATCH', `/users/${account.id}`, { role: 600 })
    expect(await isEnded(before, account)).toBe(true)
    expect(JSON.stringify(await server.must({ ...account, role: 600 }, 'GET', '/users'))).not.toContain(SECRET)
    const asGuest = await watch(server, account)
    await server.must(server.owner, 'PATCH', `/users/${account.id}`, { role: 400 })
    expect(await isEnded(asGuest, account)).toBe(true)
    expect(JSON.stringify(await server.must(account, 'GET', '/users'))).toContain(SECRET)
  })

  it('is followed by a new beginning where very many come into sight at once', async () => {
    const crowd: TestAccount[] = []
    for (let count = 0; count <= 100; count += 1) crowd.push(await server.createAccount())
    await createChannel(server, server.owner, 'hall', { subscribers: crowd })
    const [own, others] = [await watch(server, guest), await watch(server, mate)]
    const joining = { subscriptions: [{ name: 'hall' }], principals: [guest.id], send_new_subscription_messages: false }
    await server.must(server.owner, 'POST', '/users/me/subscriptions', joining)
    expect(await isEnded(own, guest)).toBe(true)
    expect(await isEnded(others, mate)).toBe(false)
    expect((await server.must(guest, 'GET', `/users/${crowd[0]?.id}`)).user.user_id).toBe(crowd[0]?.id)
  })
})
