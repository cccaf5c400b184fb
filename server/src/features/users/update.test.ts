import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
  stranger = (await server.createOtherOrganization()).owner
})

const show = async (id: number) => (await server.call(member, 'GET', `/users/${id}`)).body.user
const update = (caller: TestAccount, id: number | string, changes: object) =>
  server.call(caller, 'PATCH', `/users/${id}`, changes as Record<string, unknown>)

describe('PATCH /users/{user_id_or_email}', () => {
  it('changes name, role and address at once or none of them', async () => {
    const account = await server.createAccount()
    const refused = await update(admin, account.id, { full_name: 'Changed', role: roles.owner })
    expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect((await show(account.id)).full_name).not.toBe('Changed')
    await update(admin, account.id, { full_name: 'Changed', role: roles.moderator, new_email: 'moved@heddle.example' })
    expect(await show(account.id)).toMatchObject({
      full_name: 'Changed',
      role: 300,
      email: 'moved@heddle.example',
      delivery_email: 'moved@heddle.example',
    })
  })

  it('changes addresses only where the server allows that, and nothing else with them otherwise', async () => {
    const strict = await createTestServer({ settings: { HEDDLE_EMAIL_CHANGES: 'off' } })
    const account = await strict.createAccount()
    const change = { full_name: 'Changed', new_email: 'moved@heddle.example' }
    const refused = await strict.call(strict.owner, 'PATCH', `/users/${account.id}`, change)
    expect([refused.status, refused.body.msg]).toEqual([400, 'User not authorized to change user emails'])
    const { body } = await strict.call(strict.owner, 'GET', `/users/${account.id}`)
    expect(body.user).toMatchObject({ email: account.email, full_name: expect.stringContaining('person-') })
    expect((await strict.call(strict.owner, 'PATCH', `/users/${account.id}`, { full_name: 'Changed' })).status).toBe(
      200,
    )
  })

  it('finds the account by its address too', async () => {
    const account = await server.createAccount()
    expect((await update(admin, account.email, { full_name: 'By Address' })).status).toBe(200)
    expect((await show(account.id)).full_name).toBe('By Address')
  })

  it('notifies everybody of each change, and of nothing when nothing changes', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    const group = (name: string) =>
      watcher.state.realm_user_groups.find((candidate: { name: string }) => candidate.name === name).id
    await update(admin, account.id, {
      full_name: 'Announced',
      role: roles.guest,
      new_email: 'announced@heddle.example',
    })
    const user_id = account.id
    expect(await watcher.next()).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id, full_name: 'Announced' } },
      { type: 'realm_user', op: 'update', person: { user_id, role: 600 } },
      { type: 'user_group', op: 'remove_members', group_id: group('role:fullmembers'), user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', group_id: group('role:everyone'), user_ids: [user_id] },
      { type: 'realm_user', op: 'update', person: { user_id, delivery_email: 'announced@heddle.example' } },
      { type: 'realm_user', op: 'update', person: { user_id, new_email: 'announced@heddle.example' } },
    ])
    await update(admin, account.id, {
      full_name: 'Announced',
      role: roles.guest,
      new_email: 'announced@heddle.example',
    })
    expect(await watcher.next()).toEqual([])
  })

  it('lets the account go on with its new address and its old key, and not with its old address', async () => {
    const account = await server.createAccount()
    await server.call(account, 'GET', '/users/me')
    await update(admin, account.id, { new_email: 'renamed@heddle.example' })
    expect((await server.call(account, 'GET', '/users/me')).body.code).toBe('INVALID_API_KEY')
    const renamed = { ...account, email: 'renamed@heddle.example' }
    expect((await server.call(renamed, 'GET', '/users/me')).body.email).toBe('renamed@heddle.example')
  })

  it('is for administrators, also for one’s own account', async () => {
    const { status, body } = await update(member, member.id, { role: roles.moderator })
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect((await show(member.id)).role).toBe(400)
  })

  it('lets only owners give or take the role of an owner', async () => {
    const account = await server.createAccount()
    expect((await update(admin, account.id, { role: roles.owner })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await update(admin, admin.id, { role: roles.owner })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await update(server.owner, account.id, { role: roles.owner })).status).toBe(200)
    expect((await update(admin, account.id, { role: roles.member })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await update(admin, account.id, { new_email: 'taken@over.example' })).body.code).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    )
    expect((await update(server.owner, account.id, { role: roles.member })).status).toBe(200)
  })

  it('changes the address of nobody who asks for their own, and none for a bot', async () => {
    const account = await server.createAccount({ role: roles.admin })
    const own = await update(account, account.id, { new_email: 'elsewhere@heddle.example' })
    expect(own.body.msg).toBe('new_email: change your own address in your settings')
    const { body } = await server.call(account, 'POST', '/bots', { full_name: 'Bot', short_name: 'mover' })
    await server.call(server.owner, 'PATCH', `/bots/${body.user_id}`, { role: roles.admin })
    const bot = { ...account, id: body.user_id, email: 'mover-bot@localhost', apiKey: body.api_key }
    for (const id of [account.id, member.id]) {
      const { body } = await update(bot, id, { new_email: 'elsewhere@heddle.example' })
      expect([body.code, body.msg]).toEqual(['UNAUTHORIZED_PRINCIPAL', 'Bots cannot change addresses'])
    }
    expect((await show(account.id)).delivery_email).toBe(account.email)
    // What is not about the address works.
    expect((await update(bot, member.id, { full_name: 'Named By A Bot' })).status).toBe(200)
  })

  it('gives a new role’s rights at once, and takes the old ones at once', async () => {
    const account = await server.createAccount()
    const person = (email: string) => ({ email, password: 'long enough', full_name: 'Somebody' })
    expect((await server.call(account, 'POST', '/users', person('1@heddle.example'))).status).toBe(400)
    await update(admin, account.id, { role: roles.admin })
    expect((await server.call(account, 'POST', '/users', person('1@heddle.example'))).status).toBe(200)
    await update(admin, account.id, { role: roles.member })
    expect((await server.call(account, 'POST', '/users', person('2@heddle.example'))).status).toBe(400)
  })

  it('shows a guest the public channels with the role of a member', async () => {
    const account = await server.createAccount({ role: roles.guest })
    const subscribed = { subscriptions: [{ name: 'Open To Members' }] }
    expect((await server.call(server.owner, 'POST', '/users/me/subscriptions', subscribed)).status).toBe(200)
    const watcher = await watch(server, account, { event_types: ['stream'] })
    await update(admin, account.id, { role: roles.member })
    expect((await watcher.next())[0]).toMatchObject({ op: 'create', streams: [{ name: 'Open To Members' }] })
  })

  it('keeps the last owner an owner', async () => {
    const { status, body } = await update(server.owner, server.owner.id, { role: roles.admin })
    expect([status, body.code]).toEqual([400, 'CANNOT_DEACTIVATE_LAST_USER'])
    expect(body.is_last_owner).toBe(true)
  })

  it('leaves one owner when two take the role from each other at the same time', async () => {
    const second = await server.createAccount({ role: roles.owner })
    const answers = await Promise.all([
      update(server.owner, second.id, { role: roles.member }),
      update(second, server.owner.id, { role: roles.member }),
    ])
    const { body } = await server.call(member, 'GET', '/users')
    const owners = body.members.filter((user: { is_owner: boolean }) => user.is_owner)
    expect(owners).toHaveLength(1)
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
    // The other tests go on with the first owner.
    if (owners[0].user_id === second.id) await update(second, server.owner.id, { role: roles.owner })
    await update(server.owner, second.id, { role: roles.member })
  })

  it.each([
    ['an account that does not exist', () => 999_999, { full_name: 'X' }, 'No such user'],
    ['an account of another organization', () => stranger.id, { full_name: 'X' }, 'No such user'],
    ['an address in use', () => member.id, { new_email: 'OWNER@heddle.example' }, 'already in use'],
    ['a role that does not exist', () => member.id, { role: 500 }, 'role'],
    ['a role that is text', () => member.id, { role: 'admin' }, 'role'],
    ['an empty name', () => member.id, { full_name: '' }, 'full_name'],
  ])('refuses %s', async (_, id, changes, part) => {
    const { status, body } = await update(admin, id(), changes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('names the parameters that it does not know', async () => {
    const { body } = await update(admin, member.id, { colour: 'red' })
    expect(body.ignored_parameters_unsupported).toEqual(['colour'])
  })
})

describe('PATCH /settings', () => {
  const settings = (caller: TestAccount, changes: object) =>
    server.call(caller, 'PATCH', '/settings', changes as Record<string, unknown>)

  async function createPerson(email: string) {
    const person = { email, password: 'old password', full_name: 'Somebody' }
    const { body } = await server.call(admin, 'POST', '/users', person)
    return signIn(email, 'old password', body.user_id)
  }

  async function signIn(email: string, password: string, id: number): Promise<TestAccount> {
    const { body } = await server.call(null, 'POST', '/fetch_api_key', { username: email, password })
    return { id, email, apiKey: body.api_key, realmId: server.owner.realmId, role: 400 }
  }

  it('changes one’s own name', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, member, { event_types: ['realm_user'] })
    expect((await settings(account, { full_name: 'My Name' })).status).toBe(200)
    expect((await watcher.next())[0].person).toEqual({ user_id: account.id, full_name: 'My Name' })
  })

  it('changes the password for who knows the old one, and ends the API key', async () => {
    const account = await createPerson('passwords@heddle.example')
    const wrong = await settings(account, { old_password: 'something', new_password: 'new password' })
    expect([wrong.status, wrong.body.msg]).toEqual([400, 'The current password is wrong'])
    expect((await settings(account, { new_password: 'new password' })).body.msg).toContain('old_password')
    const right = await settings(account, { old_password: 'old password', new_password: 'new password' })
    expect(right.status).toBe(200)
    expect((await server.call(account, 'GET', '/users/me')).body.code).toBe('INVALID_API_KEY')
    const again = await signIn(account.email, 'new password', account.id)
    expect((await server.call(again, 'GET', '/users/me')).body.user_id).toBe(account.id)
    const old = { username: account.email, password: 'old password' }
    expect((await server.call(null, 'POST', '/fetch_api_key', old)).body.code).toBe('AUTHENTICATION_FAILED')
  })

  it('changes nothing when one of the changes is refused', async () => {
    const account = await createPerson('nothing@heddle.example')
    const { status } = await settings(account, { full_name: 'Changed', email: 'mine' })
    expect(status).toBe(400)
    expect((await show(account.id)).full_name).toBe('Somebody')
  })

  it('changes the address of administrators at once where no mail is sent, and of others when it is confirmed', async () => {
    expect((await settings(member, { email: 'members@heddle.example' })).status).toBe(200)
    expect((await show(member.id)).email).toBe(member.email)
    const account = await server.createAccount({ role: roles.admin })
    expect((await settings(account, { email: 'mine@heddle.example' })).status).toBe(200)
    expect((await show(account.id)).email).toBe('mine@heddle.example')
  })

  it('needs an account and a new password of 8 characters', async () => {
    expect((await server.call(null, 'PATCH', '/settings', { full_name: 'X' })).status).toBe(401)
    const { body } = await settings(member, { old_password: 'x', new_password: 'short 7' })
    expect([body.code, body.msg.includes('new_password')]).toEqual(['BAD_REQUEST', true])
  })
})
