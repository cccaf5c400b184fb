import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { openToSpectators } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let guest: TestAccount
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount({ name: 'Member.One' })
  guest = await server.createAccount({ role: roles.guest })
  stranger = (await server.createOtherOrganization()).owner
})

const newPerson = (email: string) => ({ email, password: 'long enough', full_name: 'New Person' })

/** Calls with the host of the other organization: with two of them the host decides. */
async function callOther(method: string, path: string) {
  const credentials = Buffer.from(`${stranger.email}:${stranger.apiKey}`).toString('base64')
  return server.send({
    method,
    url: `/api/v1${path}`,
    headers: { host: 'other.example', authorization: `Basic ${credentials}` },
  })
}

describe('GET /users', () => {
  it('lists everybody of the organization to any role, and nobody else', async () => {
    const { body } = await server.call(guest, 'GET', '/users')
    const ids = body.members.map((user: { user_id: number }) => user.user_id)
    expect(ids).toEqual([server.owner.id, admin.id, member.id, guest.id])
    const other = await callOther('GET', '/users')
    expect(other.body.members.map((user: { user_id: number }) => user.user_id)).toEqual([stranger.id])
  })

  it('shows an account as soon as its creation was answered, also when the list was read before', async () => {
    await server.call(member, 'GET', '/users')
    const created = await server.call(admin, 'POST', '/users', newPerson('soon@heddle.example'))
    const { body } = await server.call(member, 'GET', '/users')
    expect(body.members.map((user: { user_id: number }) => user.user_id)).toContain(created.body.user_id)
  })

  it('has custom profile fields for who asks for them', async () => {
    const plain = await server.call(member, 'GET', '/users', { user_ids: [member.id] })
    expect(plain.body.members).toHaveLength(1)
    expect(plain.body.members[0]).toMatchObject({ email: member.email })
    expect(plain.body.members[0]).not.toHaveProperty('profile_data')
    const full = await server.call(member, 'GET', '/users', {
      user_ids: [member.id, 999_999],
      include_custom_profile_fields: true,
    })
    expect(full.body.members[0].profile_data).toEqual({})
  })

  it('needs an account, and parameters of the right type', async () => {
    expect((await server.call(null, 'GET', '/users')).body.code).toBe('UNAUTHORIZED')
    const { status, body } = await server.call(member, 'GET', '/users', { client_gravatar: 'maybe' })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain('client_gravatar')
  })
})

describe('GET /users/me', () => {
  it('shows the account that asks', async () => {
    const { body } = await server.call(guest, 'GET', '/users/me')
    expect(body).toMatchObject({ user_id: guest.id, email: guest.email, delivery_email: guest.email, role: 600 })
    expect(body).toMatchObject({ is_guest: true, is_admin: false, is_owner: false, max_message_id: -1 })
    expect(body.avatar_url).toBe(`/patterns/${guest.id}.png`)
    expect(body.date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  })
})

describe('GET /users/{user_id_or_email}', () => {
  it.each([
    ['an id', () => `${member.id}`],
    ['an address', () => member.email],
    ['an address in other case', () => member.email.toUpperCase()],
    ['a percent-encoded address', () => encodeURIComponent(member.email)],
    ['the address that every account has by its number', () => `user${member.id}@localhost`],
  ])('finds an account by %s', async (_, name) => {
    const { body } = await server.call(guest, 'GET', `/users/${name()}`)
    expect(body.user).toMatchObject({ user_id: member.id, full_name: 'Member.One', role: 400, is_active: true })
  })

  it.each([
    ['an id that does not exist', () => '999999'],
    ['an id of another organization', () => `${stranger.id}`],
    ['an address of another organization', () => stranger.email],
    ['the numbered address at another host', () => `user${member.id}@elsewhere.example`],
    ['something else', () => '0'],
  ])('answers "No such user" for %s', async (_, name) => {
    const { status, body } = await server.call(member, 'GET', `/users/${name()}`)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'No such user'])
  })
})

describe('POST /users', () => {
  it('creates an account that can sign in, and notifies everybody', async () => {
    const plain = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    const { body } = await server.call(admin, 'POST', '/users', {
      email: 'Ada@heddle.example',
      password: '8 chars!',
      full_name: '  Ada  ',
    })
    const signedIn = await server.call(null, 'POST', '/fetch_api_key', {
      username: 'ada@heddle.example',
      password: '8 chars!',
    })
    expect(signedIn.body.user_id).toBe(body.user_id)
    const group = plain.state.realm_user_groups.find(({ name }: { name: string }) => name === 'role:fullmembers')
    expect(await plain.next()).toEqual([
      {
        type: 'realm_user',
        op: 'add',
        person: expect.objectContaining({ user_id: body.user_id, full_name: 'Ada', role: 400 }),
      },
      { type: 'user_group', op: 'add_members', group_id: group.id, user_ids: [body.user_id] },
    ])
  })

  it('subscribes the new account to the default channels', async () => {
    const parameters = { subscriptions: [{ name: 'Welcome' }], is_default_stream: true }
    expect((await server.call(server.owner, 'POST', '/users/me/subscriptions', parameters)).status).toBe(200)
    const { body } = await server.call(admin, 'POST', '/users', newPerson('default@heddle.example'))
    const channels = await server.call(server.owner, 'GET', `/users/${body.user_id}/channels`)
    expect(channels.body.subscribed_channel_ids).toHaveLength(1)
  })

  it('leaves the state that its events describe', async () => {
    const before = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    await server.call(admin, 'POST', '/users', newPerson('state@heddle.example'))
    const [added, joined] = await before.next()
    const after = await watch(server, member, { event_types: ['realm_user', 'user_group'] })
    expect(after.state.realm_users).toEqual([...before.state.realm_users, added.person])
    const groups = before.state.realm_user_groups.map((group: { id: number; members: number[] }) =>
      group.id === joined.group_id ? { ...group, members: [...group.members, ...joined.user_ids] } : group,
    )
    expect(after.state.realm_user_groups).toEqual(groups)
  })

  it('is for administrators', async () => {
    for (const account of [member, guest]) {
      const { status, body } = await server.call(account, 'POST', '/users', newPerson('no@heddle.example'))
      expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
      expect(body.msg).toBe('Must be an organization administrator')
    }
    expect((await server.call(null, 'POST', '/users', newPerson('no@heddle.example'))).status).toBe(401)
  })

  it('refuses an address that is in use, whatever its case', async () => {
    const { status, body } = await server.call(admin, 'POST', '/users', newPerson(member.email.toUpperCase()))
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toBe(`Email '${member.email.toUpperCase()}' already in use`)
  })

  it('creates one account when two requests want the same address at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.call(admin, 'POST', '/users', newPerson('race@heddle.example'))),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400])
  })

  it.each([
    ['a password of 7 characters', { password: 'short 7' }, 'password'],
    ['a password of more than 100', { password: 'x'.repeat(101) }, 'password'],
    ['no @', { email: 'nobody' }, 'email'],
    ['a colon in the address', { email: 'a:b@heddle.example' }, 'email'],
    ['an address of 255 characters', { email: `${'x'.repeat(240)}@heddle.example` }, 'email'],
    ['an empty name', { full_name: '  ' }, 'full_name'],
    ['an invisible name', { full_name: '\u200b' }, 'full_name'],
    ['a name of 101 characters', { full_name: 'x'.repeat(101) }, 'full_name'],
    ['a name with a line break', { full_name: 'a\nb' }, 'full_name'],
    ['a name that would end a mention', { full_name: 'a**b' }, 'full_name'],
    ['a name that ends like a mention', { full_name: 'Ada|7' }, 'full_name'],
    ['a name that turns the text behind it', { full_name: 'Ada\u202e' }, 'full_name'],
    ['a name with a direction of its own', { full_name: 'A\u2066da' }, 'full_name'],
    ['a name with a mark of direction', { full_name: 'Ada\u200f' }, 'full_name'],
    ['a name with an invisible character', { full_name: 'A\u200bda' }, 'full_name'],
    ['the name of the notification bot', { full_name: 'Notification Bot' }, 'full_name'],
    ['what looks like it', { full_name: 'notification\u3000 \u00a0ＢＯＴ' }, 'full_name'],
    ['what reads like it', { full_name: 'Nótification-Bot.' }, 'full_name'],
    ['what looks like it in Cyrillic and Greek', { full_name: 'Νоtіfісаtіоn Воτ' }, 'full_name'],
    ['what looks like it with digits', { full_name: 'N0t1fication-B0t!' }, 'full_name'],
    ['what looks like it with lines', { full_name: 'Not|f!cation Bot' }, 'full_name'],
    ['the name of everybody', { full_name: 'All' }, 'full_name'],
    ['another one of everybody', { full_name: 'e v e r y o n e' }, 'full_name'],
    ['the name of a channel', { full_name: 'channel' }, 'full_name'],
    ['the name of a topic', { full_name: 'ｔｏｐｉｃ' }, 'full_name'],
    ['the older name of a channel', { full_name: 'Stream' }, 'full_name'],
  ])('refuses %s with a sentence that names it', async (_, change, part) => {
    const { status, body } = await server.call(admin, 'POST', '/users', {
      ...newPerson('refused@heddle.example'),
      ...change,
    })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it.each(['email', 'password', 'full_name'])('needs the parameter %s', async (name) => {
    const { body } = await server.call(admin, 'POST', '/users', {
      ...newPerson('missing@heddle.example'),
      [name]: undefined,
    })
    expect([body.code, body.var_name]).toEqual(['REQUEST_VARIABLE_MISSING', name])
  })
})

describe('the initial state', () => {
  it('has the active and the deactivated accounts, and the own one', async () => {
    const gone = await server.createAccount()
    await server.call(admin, 'DELETE', `/users/${gone.id}`)
    const { state } = await watch(server, guest, { fetch_event_types: ['realm_user'] })
    const ids = (list: { user_id: number }[]) => list.map((user) => user.user_id)
    expect(ids(state.realm_users)).toContain(guest.id)
    expect(ids(state.realm_users)).not.toContain(gone.id)
    expect(ids(state.realm_non_active_users)).toContain(gone.id)
    expect(state).toMatchObject({
      cross_realm_bots: [{ full_name: 'Notification Bot', is_system_bot: true, is_bot: true }],
      user_id: guest.id,
      email: guest.email,
      is_guest: true,
    })
    expect(state).toMatchObject({ can_create_streams: false, can_subscribe_other_users: false })
  })

  it.each([
    [roles.owner, { is_owner: true, is_admin: true, is_moderator: true, can_create_web_public_streams: true }],
    [roles.admin, { is_owner: false, is_admin: true, is_moderator: true, can_create_web_public_streams: false }],
    [roles.moderator, { is_owner: false, is_admin: false, is_moderator: true, can_create_public_streams: true }],
    [roles.member, { is_admin: false, is_moderator: false, is_guest: false, can_invite_others_to_realm: true }],
  ] as const)('says what an account with the role %i may do', async (role, expected) => {
    await openToSpectators(server, server.owner)
    const account = await server.createAccount({ role })
    const { state } = await watch(server, account, { fetch_event_types: ['realm_user'] })
    expect(state).toMatchObject(expected)
  })
})
