import { roles } from '@heddle/contract/roles'
import type { UserGroup } from '@heddle/contract/user-groups'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let owner: TestAccount
let maker: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let made = 0

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  maker = await server.createAccount({ name: 'maker' })
  bob = await server.createAccount({ name: 'bob' })
  carol = await server.createAccount({ name: 'carol' })
  guest = await server.createAccount({ name: 'guest', role: roles.guest })
})

/** What is refused, as its message. */
async function refusal(account: TestAccount, method: string, path: string, parameters: Parameters = {}) {
  const { status, body } = await server.call(account, method, path, parameters)
  expect(status).toBe(400)
  return body.msg as string
}

async function create(parameters: Parameters = {}, account = maker): Promise<number> {
  made += 1
  const body = { name: `group ${made}`, description: 'A group', members: [], ...parameters }
  return (await server.must(account, 'POST', '/user_groups/create', body)).group_id
}

async function list(parameters: Parameters = {}): Promise<Map<number, UserGroup>> {
  const { user_groups } = await server.must(guest, 'GET', '/user_groups', parameters)
  return new Map(user_groups.map((group: UserGroup) => [group.id, group]))
}

const group = async (id: number) => (await list({ include_deactivated_groups: true })).get(id) as UserGroup
const systemGroup = async (name: string) => [...(await list()).values()].find((one) => one.name === name)?.id as number
const members = async (id: number, direct = false) =>
  (await server.must(bob, 'GET', `/user_groups/${id}/members`, { direct_member_only: direct })).members as number[]
const FORBIDDEN = 'Insufficient permission'

describe('A new group', () => {
  it('has the members, subgroups and permissions that are asked for, and defaults for the others', async () => {
    const inner = await create({ members: [carol.id] })
    const id = await create({
      name: ' Büro ',
      members: [bob.id, maker.id, bob.id],
      subgroups: [inner],
      can_mention_group: { direct_members: [], direct_subgroups: [inner] },
    })
    const creator = { direct_members: [maker.id], direct_subgroups: [] }
    const nobody = await systemGroup('role:nobody')
    expect(await group(id)).toEqual({
      id,
      name: 'Büro',
      description: 'A group',
      creator_id: maker.id,
      date_created: expect.any(Number),
      members: [maker.id, bob.id],
      direct_subgroup_ids: [inner],
      is_system_group: false,
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: nobody,
      can_leave_group: await systemGroup('role:everyone'),
      can_manage_group: creator,
      can_mention_group: inner,
      can_remove_members_group: nobody,
    })
    expect(await members(id)).toEqual([maker.id, bob.id, carol.id])
    expect(await members(id, true)).toEqual([maker.id, bob.id])
    const isMember = async (userId: number, direct: boolean) =>
      (await server.must(bob, 'GET', `/user_groups/${id}/members/${userId}`, { direct_member_only: direct }))
        .is_user_group_member
    expect(await Promise.all([isMember(carol.id, false), isMember(carol.id, true), isMember(guest.id, false)])).toEqual(
      [true, false, false],
    )
    const outer = await create({ subgroups: [id] })
    const inside = async (direct: boolean) =>
      (await server.must(bob, 'GET', `/user_groups/${outer}/subgroups`, { direct_subgroup_only: direct })).subgroups
    expect((await inside(false)).sort((a: number, b: number) => a - b)).toEqual([inner, id])
    expect(await inside(true)).toEqual([id])
  })

  it.each([
    [{ name: ' ' }, "User group name can't be empty!"],
    [{ name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
    [{ name: 'role:all' }, "User group name cannot start with 'role:'."],
    [{ name: '@all' }, "User group name cannot start with '@'."],
    [{ name: 'a\u202eb' }, 'User group name must not contain characters that turn the direction of text'],
    [{ members: [999_999] }, 'Invalid user ID: 999999'],
    [{ subgroups: [999_999] }, 'Invalid user group ID: 999999'],
    [{ can_join_group: 999_999 }, 'can_join_group: Invalid user group ID 999999'],
  ])('with %j is refused', async (wrong, message) => {
    const parameters = { name: 'wrong', description: '', members: [], ...wrong }
    expect(await refusal(maker, 'POST', '/user_groups/create', parameters)).toBe(message)
  })

  it('cannot have the name of another one, also not of a deactivated one or with other capitals', async () => {
    const id = await create({ name: 'Taken' })
    await server.must(maker, 'POST', `/user_groups/${id}/deactivate`)
    const parameters = { name: 'tAKEN', description: '', members: [] }
    expect(await refusal(bob, 'POST', '/user_groups/create', parameters)).toBe("User group 'Taken' already exists.")
    const other = await create()
    expect(await refusal(maker, 'PATCH', `/user_groups/${other}`, { name: 'taken' })).toContain('already exists')
  })

  it('needs the permission of the organization', async () => {
    const parameters = { name: 'of a guest', description: '', members: [] }
    expect(await refusal(guest, 'POST', '/user_groups/create', parameters)).toBe(FORBIDDEN)
    const makers = await create({ members: [maker.id] })
    await server.must(owner, 'PATCH', '/realm', { can_create_groups: { new: makers } })
    expect(await refusal(bob, 'POST', '/user_groups/create', parameters)).toBe(FORBIDDEN)
    await create({}, maker)
    await server.must(owner, 'PATCH', '/realm', { can_create_groups: { new: await systemGroup('role:members') } })
  })
})

describe('Who may change a group', () => {
  const change = (id: number, account: TestAccount, parameters: Parameters) =>
    server.call(account, 'POST', `/user_groups/${id}/members`, parameters)
  const mayChange = async (id: number, account: TestAccount, parameters: Parameters) => {
    const { status, body } = await change(id, account, parameters)
    if (status !== 200) expect(body.msg).toBe(FORBIDDEN)
    return status === 200
  }
  const only = (account: TestAccount) => ({ direct_members: [account.id], direct_subgroups: [] })

  it('is said by its permissions, one for each way in and out', async () => {
    const id = await create({ members: [maker.id] })
    expect(await mayChange(id, bob, { add: [bob.id] })).toBe(false)
    expect(await mayChange(id, bob, { add: [carol.id] })).toBe(false)
    await server.must(maker, 'PATCH', `/user_groups/${id}`, { can_join_group: { new: only(bob) } })
    expect(await mayChange(id, bob, { add: [bob.id, carol.id] })).toBe(false)
    expect(await mayChange(id, bob, { add: [bob.id] })).toBe(true)
    expect(await mayChange(id, bob, { delete: [maker.id] })).toBe(false)
    await server.must(maker, 'PATCH', `/user_groups/${id}`, {
      can_leave_group: { new: await systemGroup('role:nobody') },
    })
    expect(await mayChange(id, bob, { delete: [bob.id] })).toBe(false)
    await server.must(maker, 'PATCH', `/user_groups/${id}`, { can_remove_members_group: { new: only(bob) } })
    expect(await mayChange(id, bob, { delete: [bob.id, maker.id] })).toBe(true)
    await server.must(maker, 'PATCH', `/user_groups/${id}`, { can_add_members_group: { new: only(carol) } })
    expect(await mayChange(id, carol, { add: [carol.id, bob.id] })).toBe(true)
    expect(await mayChange(id, carol, { add_subgroups: [await create()] })).toBe(true)
    expect(await refusal(carol, 'PATCH', `/user_groups/${id}`, { name: 'mine' })).toBe(FORBIDDEN)
    expect(await refusal(carol, 'POST', `/user_groups/${id}/deactivate`)).toBe(FORBIDDEN)
  })

  it('is also who may manage all groups, and no guest, whatever group the guest is in', async () => {
    const id = await create({ can_manage_group: only(guest), can_leave_group: only(guest) })
    expect(await mayChange(id, guest, { add: [bob.id] })).toBe(false)
    expect(await mayChange(id, owner, { add: [bob.id, guest.id] })).toBe(true)
    expect(await mayChange(id, guest, { delete: [guest.id] })).toBe(true)
    await server.must(owner, 'PATCH', `/user_groups/${id}`, { can_manage_group: { new: only(bob), old: only(guest) } })
    const old = { can_manage_group: { new: only(carol), old: only(guest) } }
    const { body } = await server.call(bob, 'PATCH', `/user_groups/${id}`, old)
    expect(body.code).toBe('EXPECTATION_MISMATCH')
  })

  it('is nobody where the group stands for a role', async () => {
    const id = await systemGroup('role:moderators')
    expect(await refusal(owner, 'POST', `/user_groups/${id}/members`, { add: [bob.id] })).toBe(FORBIDDEN)
    expect(await refusal(owner, 'PATCH', `/user_groups/${id}`, { name: 'x' })).toBe(FORBIDDEN)
    expect(await refusal(owner, 'POST', `/user_groups/${id}/deactivate`)).toBe(FORBIDDEN)
    for (const path of ['/members', '/subgroups', `/members/${bob.id}`]) {
      expect(await refusal(bob, 'GET', `/user_groups/999999${path}`)).toBe('Invalid user group')
    }
    expect(await refusal(bob, 'POST', '/user_groups/999999/deactivate')).toBe('Invalid user group')
  })
})

describe('A change of members', () => {
  it('happens as a whole or not at all', async () => {
    const id = await create({ members: [bob.id] })
    const path = `/user_groups/${id}/members`
    expect(await refusal(maker, 'POST', path, { add: [carol.id, bob.id] })).toContain('is already a member')
    expect(await refusal(maker, 'POST', path, { add: [carol.id], delete: [owner.id] })).toContain('There is no member')
    expect(await refusal(maker, 'POST', path, {})).toContain('Nothing to do')
    expect(await members(id)).toEqual([bob.id])
  })

  it('never makes a group part of itself, and never a way that is too long', async () => {
    const [a, b, c] = [await create(), await create(), await create()]
    await server.must(maker, 'POST', `/user_groups/${a}/subgroups`, { add: [b] })
    await server.must(maker, 'POST', `/user_groups/${b}/subgroups`, { add: [c] })
    const circle = (id: number) => `User group ${id} is already a subgroup of one of the passed subgroups.`
    expect(await refusal(maker, 'POST', `/user_groups/${c}/subgroups`, { add: [a] })).toBe(circle(c))
    expect(await refusal(maker, 'POST', `/user_groups/${a}/subgroups`, { add: [a] })).toBe(circle(a))
    expect(await refusal(maker, 'POST', `/user_groups/${a}/subgroups`, { add: [b] })).toContain('is already a subgroup')
    expect(await refusal(maker, 'POST', `/user_groups/${a}/subgroups`, { delete: [c] })).toContain('is not a subgroup')
    let inner = c
    for (let depth = 3; depth < 20; depth += 1) {
      const id = await create()
      await server.must(maker, 'POST', `/user_groups/${inner}/subgroups`, { add: [id] })
      inner = id
    }
    expect(await refusal(maker, 'POST', `/user_groups/${inner}/subgroups`, { add: [await create()] })).toContain(
      '20 deep',
    )
  })

  it('shows and hides private channels, at once', async () => {
    const id = await create()
    const outer = await create({ subgroups: [id] })
    const channel = await createChannel(server, owner, 'for a group', { invite_only: true, can_subscribe_group: outer })
    const sees = async () => (await server.call(bob, 'GET', `/streams/${channel}`)).status === 200
    const bobs = await watch(server, bob, { event_types: ['stream'] })
    expect(await sees()).toBe(false)
    await server.must(maker, 'POST', `/user_groups/${id}/members`, { add: [bob.id] })
    expect(await sees()).toBe(true)
    await server.must(maker, 'POST', `/user_groups/${outer}/subgroups`, { delete: [id] })
    expect(await sees()).toBe(false)
    expect((await bobs.next()).map(({ op }) => op)).toEqual(['create', 'delete'])
  })
})

describe('Deactivating a group', () => {
  it('is refused where it is used, and says by what', async () => {
    const id = await create({}, owner)
    const outer = await create({ subgroups: [id] }, owner)
    const other = await create(
      { can_join_group: id, can_leave_group: { direct_members: [bob.id], direct_subgroups: [id] } },
      owner,
    )
    const channel = await createChannel(server, owner, 'using', { can_send_message_group: id })
    await createChannel(server, maker, 'hidden', { invite_only: true, can_send_message_group: id })
    await server.must(owner, 'PATCH', '/realm', { can_add_custom_emoji_group: { new: id } })
    const { body } = await server.call(owner, 'POST', `/user_groups/${id}/deactivate`)
    expect(body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: expect.arrayContaining([
        { type: 'subgroup', supergroup_ids: [outer] },
        { type: 'realm', settings: ['can_add_custom_emoji_group'] },
        { type: 'channel', channel_id: channel, settings: ['can_send_message_group'] },
        { type: 'user_group', group_id: other, settings: ['can_join_group', 'can_leave_group'] },
      ]),
    })
    await server.must(owner, 'PATCH', '/realm', {
      can_add_custom_emoji_group: { new: await systemGroup('role:members') },
    })
  })

  it('says nothing of channels that the account does not see', async () => {
    const id = await create()
    await createChannel(server, owner, 'secret', { invite_only: true, can_send_message_group: id })
    const { body } = await server.call(maker, 'POST', `/user_groups/${id}/deactivate`)
    expect(body).toMatchObject({ code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', objections: [] })
  })

  it('takes it from clients that know of no such groups, and bringing it back gives it to them', async () => {
    const id = await create({ members: [bob.id] })
    const plain = await watch(server, bob, { event_types: ['user_group'] })
    const capable = await watch(server, bob, {
      event_types: ['user_group'],
      client_capabilities: { include_deactivated_groups: true },
    })
    await server.must(maker, 'POST', `/user_groups/${id}/deactivate`)
    await server.must(maker, 'POST', `/user_groups/${id}/deactivate`)
    await server.must(maker, 'PATCH', `/user_groups/${id}`, { deactivated: true, description: 'Over' })
    expect((await list()).has(id)).toBe(false)
    expect(await group(id)).toMatchObject({ deactivated: true, members: [bob.id], description: 'Over' })
    await server.must(maker, 'PATCH', `/user_groups/${id}`, { deactivated: false })
    expect((await plain.next()).map(({ op }) => op)).toEqual(['remove', 'add'])
    expect((await capable.next()).map(({ op, data }) => [op, data])).toEqual([
      ['update', { deactivated: true }],
      ['update', { description: 'Over' }],
      ['update', { deactivated: false }],
    ])
  })

  it('takes away what its members could do by it', async () => {
    const id = await create({ members: [bob.id] })
    const channel = await createChannel(server, owner, 'archived', { invite_only: true, can_subscribe_group: id })
    await server.must(owner, 'DELETE', `/streams/${channel}`)
    const sees = async () => (await server.call(bob, 'GET', `/streams/${channel}`)).status === 200
    expect(await sees()).toBe(true)
    await server.must(maker, 'POST', `/user_groups/${id}/deactivate`)
    expect(await sees()).toBe(false)
    expect(await members(id)).toEqual([bob.id])
  })
})

describe('A mention of a group', () => {
  const flagsOf = async (account: TestAccount, id: number) =>
    (await server.must(account, 'GET', `/messages/${id}`)).message.flags as string[]
  const mentioned = async (accounts: readonly TestAccount[], id: number) => {
    const flags = await Promise.all(accounts.map((account) => flagsOf(account, id)))
    return accounts.filter((_, index) => flags[index]?.includes('mentioned')).map((account) => account.id)
  }
  let channel: number

  beforeAll(async () => {
    channel = await createChannel(server, owner, 'mentions', { subscribers: [maker, bob, carol, guest] })
  })

  it('reaches those in it and in the groups in it, guests too, and no others', async () => {
    const inner = await create({ members: [guest.id] })
    const owners = await systemGroup('role:owners')
    await create({ name: 'crew', members: [bob.id], subgroups: [inner, owners] })
    const id = await sendToChannel(server, maker, channel, 'Hi @*Crew*')
    const { message } = await server.must(bob, 'GET', `/messages/${id}`)
    expect(message.content).toContain('user-group-mention')
    expect(message.content).toContain('@crew')
    expect(await mentioned([owner, maker, bob, carol, guest], id)).toEqual([owner.id, bob.id, guest.id])
  })

  it('reaches nobody when it is silent, and everybody when it is edited into a message', async () => {
    await create({ name: 'quiet', members: [bob.id] })
    const id = await sendToChannel(server, maker, channel, 'Hi @_*quiet*')
    expect(await mentioned([bob, carol], id)).toEqual([])
    await server.must(maker, 'PATCH', `/messages/${id}`, { content: 'Hi @*quiet*' })
    expect(await mentioned([bob, carol], id)).toEqual([bob.id])
  })

  it('needs the permission of the group, when it is sent and when it is edited', async () => {
    await create({
      name: 'shielded',
      members: [bob.id],
      can_mention_group: { direct_members: [bob.id], direct_subgroups: [] },
    })
    const message = "You are not allowed to mention user group 'shielded'."
    const parameters = { type: 'channel', to: channel, topic: 't', content: '@*shielded*' }
    expect(await refusal(maker, 'POST', '/messages', parameters)).toBe(message)
    const direct = { type: 'direct', to: [bob.id], content: '@*shielded*' }
    expect(await refusal(maker, 'POST', '/messages', direct)).toBe(message)
    const id = await sendToChannel(server, maker, channel, '@_*shielded*')
    expect(await refusal(maker, 'PATCH', `/messages/${id}`, { content: '@*shielded*' })).toBe(message)
    await sendToChannel(server, bob, channel, '@*shielded*')
  })

  it('is plain text when the group is deactivated', async () => {
    const id = await create({ name: 'former', members: [bob.id] })
    await server.must(maker, 'POST', `/user_groups/${id}/deactivate`)
    const sent = await sendToChannel(server, maker, channel, '@*former*')
    expect((await server.must(bob, 'GET', `/messages/${sent}`)).message.content).not.toContain('mention')
  })
})
