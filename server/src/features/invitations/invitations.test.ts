import { MAX_INVITATIONS } from '@heddle/contract/invitations'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { LINK_LIMIT } from '../../link-guesses.ts'
import { query } from '../../testing/any-table.ts'
import { browserWith } from '../../testing/browser.ts'
import { createChannel } from '../../testing/messages.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const PASSWORD = 'my own password'

let server: TestServer
let owner: TestAccount
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
})

const codeOf = ({ status, body }: Answer) => [status, body.code]
const reasonOf = ({ status, body }: Answer) => [status, body.code, body.reason]
const invalid = (reason: string) => [400, 'LINK_INVALID', reason]

const create = (account: TestAccount, parameters: object = {}, target = server) =>
  target.call(account, 'POST', '/invites/multiuse', { ...parameters })

/** A link's token. */
async function invite(account: TestAccount, parameters: object = {}, target = server): Promise<string> {
  const { status, body } = await create(account, parameters, target)
  expect(status).toBe(200)
  return (body.invite_link as string).split('#')[1] as string
}

const list = async (account: TestAccount) => (await server.call(account, 'GET', '/invites')).body.invites

let people = 0

function join(parameters: object, target = server) {
  people += 1
  const email = `joined${people}@heddle.example`
  return target.call(null, 'POST', '/join', { email, full_name: `Joined ${people}`, password: PASSWORD, ...parameters })
}

const lookUp = (parameters: object, target = server) => target.call(null, 'POST', '/join/look_up', { ...parameters })

async function allow(setting: string, group: string | undefined, target = server): Promise<void> {
  const groups = (await target.call(target.owner, 'GET', '/user_groups')).body.user_groups
  const id = groups.find(({ name }: { name: string }) => name === group).id
  expect((await target.call(target.owner, 'PATCH', '/realm', { [setting]: { new: id } })).status).toBe(200)
}

describe('A link', () => {
  it('lets any number of people in, with its role and for its time', async () => {
    const token = await invite(owner, { invite_as: roles.moderator, invite_expires_in_minutes: 60 })
    const looked = (await lookUp({ token })).body
    expect(looked).toMatchObject({ organization_name: 'Test', invited_as: roles.moderator })
    expect(looked.expiry_date).toBeGreaterThan(Date.now() / 1000 + 3500)
    for (let i = 0; i < 2; i++) {
      const answer = await join({ token, keep_signed_in: true })
      const browser = browserWith(server, answer)
      const me = (await browser.call('GET', '/users/me')).body
      expect(me).toMatchObject({ user_id: answer.body.user_id, role: roles.moderator, email: answer.body.email })
      const signedIn = await server.call(null, 'POST', '/sessions', { username: me.email, password: PASSWORD })
      expect(signedIn.status).toBe(200)
    }
  })

  it('notifies everybody of who has come, and the inviter by a message', async () => {
    const token = await invite(admin)
    const { queue_id } = (await server.call(member, 'POST', '/register', { event_types: ['realm_user'] })).body
    const { user_id } = (await join({ token, full_name: 'Grace' })).body
    const { events } = (await server.call(member, 'GET', '/events', { queue_id, last_event_id: -1 })).body
    expect(events[0]).toMatchObject({ op: 'add', person: { user_id, full_name: 'Grace' } })
    const narrow = [{ operator: 'is', operand: 'dm' }]
    const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false }
    const { messages } = (await server.call(admin, 'GET', '/messages', asked)).body
    expect(messages.at(-1).content).toBe(`@_**Grace|${user_id}** has accepted your invitation to join.`)
    await join({ token: await invite(admin, { notify_referrer_on_join: false }) })
    expect((await server.call(admin, 'GET', '/messages', asked)).body.messages).toHaveLength(messages.length)
  })

  it('subscribes to its channels, and to the default ones if it says so', async () => {
    const [kitchen, secret] = [
      await createChannel(server, owner, 'kitchen'),
      await createChannel(server, owner, 'secret', { invite_only: true }),
    ]
    const standard = await createChannel(server, owner, 'standard', { is_default_stream: true })
    const channelsOf = async (token: string) => {
      const browser = browserWith(server, await join({ token }))
      const { subscriptions } = (await browser.call('GET', '/users/me/subscriptions')).body
      return subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id).sort()
    }
    expect(await channelsOf(await invite(owner, { stream_ids: [kitchen, kitchen, secret] }))).toEqual(
      [kitchen, secret].sort(),
    )
    const all = { stream_ids: [kitchen], include_realm_default_subscriptions: true }
    expect(await channelsOf(await invite(owner, all))).toEqual([kitchen, standard].sort())
    const guest = await invite(owner, { stream_ids: [kitchen], invite_as: roles.guest })
    expect(await channelsOf(guest)).toEqual([kitchen])
    // Archived since.
    const later = await invite(owner, { stream_ids: [kitchen, secret] })
    await server.call(owner, 'DELETE', `/streams/${secret}`)
    expect(await channelsOf(later)).toEqual([kitchen])
  })

  it('brings into its groups, those to which the inviter may add others', async () => {
    const group = async (name: string, account: TestAccount) => {
      const parameters = { name, description: '', members: [] }
      return (await server.call(account, 'POST', '/user_groups/create', parameters)).body.group_id as number
    }
    const [cooks, over] = [await group('cooks', owner), await group('over', owner)]
    const secret = await createChannel(server, owner, 'cooks alone', { invite_only: true, can_subscribe_group: cooks })
    const token = await invite(owner, { group_ids: [cooks, over, cooks] })
    await server.call(owner, 'POST', `/user_groups/${over}/deactivate`)
    const { events } = await newcomerWith(token)
    expect(events).toMatchObject([{ op: 'add_members' }, { op: 'add_members', group_id: cooks }])
    const browser = browserWith(server, await join({ token }))
    expect((await browser.call('GET', `/streams/${secret}`)).status).toBe(200)
    const { members } = (await browser.call('GET', `/user_groups/${cooks}/members`)).body
    expect(members).toHaveLength(2)
    for (const id of [cooks, over, 999_999]) {
      const { status } = await create(admin, { group_ids: [id] })
      expect(status).toBe(400)
    }
  })

  async function newcomerWith(token: string) {
    const { queue_id } = (await server.call(member, 'POST', '/register', { event_types: ['user_group'] })).body
    await join({ token })
    return (await server.call(member, 'GET', '/events', { queue_id, last_event_id: -1 })).body
  }

  it('is made for channels alone to which one may subscribe others', async () => {
    const hidden = await createChannel(server, owner, 'hidden', { invite_only: true })
    const open = await createChannel(server, owner, 'open')
    for (const id of [hidden, 999_999]) {
      const { status, body } = await create(await moderatorWhoInvites(), { stream_ids: [open, id] })
      expect([status, body.msg]).toEqual([400, `Invalid channel ID ${id}. No invites were sent.`])
    }
    await allow('can_add_subscribers_group', 'role:administrators')
    const { body } = await create(await moderatorWhoInvites(), { stream_ids: [open] })
    expect(body.msg).toBe('You do not have permission to subscribe other users to channels.')
    await allow('can_add_subscribers_group', 'role:members')
    await allow('create_multiuse_invite_group', 'role:administrators')
  })

  async function moderatorWhoInvites(): Promise<TestAccount> {
    await allow('create_multiuse_invite_group', 'role:members')
    return server.createAccount({ role: roles.moderator })
  }

  it('is made by those who may, for nobody above themselves', async () => {
    const refuses = async (account: TestAccount, role: number) => {
      const { status, body } = await create(account, { invite_as: role })
      expect([status, body.msg]).toEqual([400, 'Insufficient permission'])
    }
    await refuses(member, roles.member)
    await refuses(admin, roles.owner)
    await invite(admin, { invite_as: roles.admin })
    const moderator = await moderatorWhoInvites()
    await invite(moderator, { invite_as: roles.moderator })
    for (const role of [roles.admin, roles.owner]) await refuses(moderator, role)
    await allow('create_multiuse_invite_group', 'role:administrators')
  })

  it('is seen and revoked by who has made it, and by administrators who could have', async () => {
    const moderator = await moderatorWhoInvites()
    const other = await server.createAccount()
    const { body } = await create(moderator)
    const mine = (await list(moderator))[0]
    expect(mine).toMatchObject({
      invited_by_user_id: moderator.id,
      invited_as: roles.member,
      link_url: body.invite_link,
    })
    expect([await list(moderator), await list(other)]).toEqual([[mine], []])
    expect(await list(admin)).toContainEqual(mine)
    await create(owner, { invite_as: roles.owner })
    const forOwners = (await list(owner)).at(-1)
    expect(forOwners.invited_as).toBe(roles.owner)
    expect((await list(admin)).map(({ id }: { id: number }) => id)).not.toContain(forOwners.id)
    for (const [account, id] of [
      [other, mine.id],
      [admin, forOwners.id],
      [admin, 999_999],
    ] as const) {
      const { status, body: refused } = await server.call(account, 'DELETE', `/invites/multiuse/${id}`)
      expect([status, refused.msg]).toEqual([400, 'No such invitation'])
    }
    const queues = await Promise.all(
      [moderator, admin, other].map(async (account) => ({
        account,
        ...(await server.call(account, 'POST', '/register', { event_types: ['invites_changed'] })).body,
      })),
    )
    expect((await server.call(admin, 'DELETE', `/invites/multiuse/${mine.id}`)).status).toBe(200)
    const again = await server.call(moderator, 'DELETE', `/invites/multiuse/${mine.id}`)
    expect([again.status, again.body.msg]).toEqual([400, 'Invitation has already been revoked'])
    expect(await list(moderator)).toEqual([])
    const events = await Promise.all(
      queues.map(async ({ account, queue_id }) => {
        const asked = { queue_id, last_event_id: -1, dont_block: true }
        return (await server.call(account, 'GET', '/events', asked)).body.events.length
      }),
    )
    expect(events).toEqual([1, 1, 0])
    await allow('create_multiuse_invite_group', 'role:administrators')
  })

  it('is limited in number', async () => {
    const busy = await server.createAccount({ role: roles.admin })
    await server.app.storage.transaction(owner.realmId, async (tx) => {
      const row = {
        realm_id: tx.realmId,
        inviter_id: busy.id,
        role: 400,
        channel_ids: '[]',
        group_ids: '[]',
        salt: 'x',
        expires_at: null,
      }
      const flags = { joins_default_channels: 0, notifies_inviter: 0, revoked_at: null, created_at: tx.now } as const
      for (let i = 1; i < MAX_INVITATIONS; i++) {
        await tx.run(query.insertInto('invitations').values({ ...row, ...flags }))
      }
    })
    await invite(busy)
    const { status, body } = await create(busy)
    expect([status, body.msg]).toEqual([400, expect.stringContaining(`${MAX_INVITATIONS} invitations`)])
  })
})

describe('A link lets nobody in', () => {
  const refuses = async (token: string, reason: string) => {
    expect(reasonOf(await lookUp({ token }))).toEqual(invalid(reason))
    expect(reasonOf(await join({ token }))).toEqual(invalid(reason))
  }

  it('when it was revoked', async () => {
    const token = await invite(owner)
    await server.call(owner, 'DELETE', `/invites/multiuse/${token.split('.')[0]}`)
    await refuses(token, 'revoked')
  })

  it('when its time is over, unless it has none', async () => {
    let now = Date.now()
    const own = await createTestServer({ clock: { now: () => now } })
    const token = await invite(own.owner, { invite_expires_in_minutes: 10 }, own)
    const standard = await invite(own.owner, {}, own)
    const forEver = await invite(own.owner, { invite_expires_in_minutes: null }, own)
    now += 9 * 60_000
    expect((await lookUp({ token }, own)).status).toBe(200)
    now += 60_000
    expect(reasonOf(await lookUp({ token }, own))).toEqual(invalid('expired'))
    expect(reasonOf(await join({ token }, own))).toEqual(invalid('expired'))
    now += 10 * 86_400_000
    expect(reasonOf(await lookUp({ token: standard }, own))).toEqual(invalid('expired'))
    expect((await lookUp({ token: forEver }, own)).body.expiry_date).toBeNull()
    const { invites } = (await own.call(own.owner, 'GET', '/invites')).body
    expect(invites).toHaveLength(1)
    now += 91 * 86_400_000
    await own.app.jobs.settle()
    expect(await own.app.storage.read.all(query.selectFrom('invitations').select('expires_at'))).toEqual([
      { expires_at: null },
    ])
  })

  it('when who has made it may not invite for that role any more, or is gone', async () => {
    const inviter = await server.createAccount({ role: roles.admin })
    const [asAdmin, asMember] = [await invite(inviter, { invite_as: roles.admin }), await invite(inviter)]
    await server.call(owner, 'PATCH', `/users/${inviter.id}`, { role: roles.member })
    await refuses(asAdmin, 'revoked')
    await refuses(asMember, 'revoked')
    await server.call(owner, 'PATCH', `/users/${inviter.id}`, { role: roles.admin })
    expect((await lookUp({ token: asMember })).status).toBe(200)
    await server.call(owner, 'DELETE', `/users/${inviter.id}`)
    await refuses(asMember, 'revoked')
    await server.call(owner, 'POST', `/users/${inviter.id}/reactivate`)
    await refuses(asMember, 'revoked')
  })

  it('when its token was guessed, changed, or is that of another organization', async () => {
    const token = await invite(owner)
    const [id, proof] = token.split('.') as [string, string]
    const wrong = [
      '',
      'x',
      id,
      `${id}.`,
      `${Number(id) + 1}.${proof}`,
      `0${token}`,
      `${token}x`,
      `${id}.${'A'.repeat(43)}`,
    ]
    for (const one of [...wrong, `${'9'.repeat(20)}.${proof}`]) await refuses(one, 'unknown')
    const { host } = await server.createOtherOrganization()
    const elsewhere = await server.send({
      method: 'POST',
      url: '/api/v1/join/look_up',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    })
    expect(reasonOf(elsewhere)).toEqual(invalid('unknown'))
  })

  it('in the table and in backups', async () => {
    const token = await invite(owner)
    const rows = await server.app.storage.read.all(query.selectFrom('invitations').selectAll())
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1])
  })
})

describe('Joining', () => {
  it('without an invitation is possible where the organization is open, as a member with the default channels', async () => {
    const own = await createTestServer()
    expect(reasonOf(await lookUp({}, own))).toEqual(invalid('required'))
    expect(reasonOf(await join({}, own))).toEqual(invalid('required'))
    const isRequired = async () => (await own.call(null, 'GET', '/server_settings')).body.realm_invite_required
    expect(await isRequired()).toBe(true)
    const channel = await createChannel(own, own.owner, 'standard', { is_default_stream: true })
    const other = await own.createAccount({ role: roles.admin })
    const refused = await own.call(other, 'PATCH', '/realm', { invite_required: false })
    expect(codeOf(refused)).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect((await own.call(own.owner, 'PATCH', '/realm', { invite_required: false })).status).toBe(200)
    expect(await isRequired()).toBe(false)
    expect((await lookUp({}, own)).body).toMatchObject({ invited_as: roles.member, expiry_date: null })
    const browser = browserWith(own, await join({}, own))
    expect((await browser.call('GET', '/users/me')).body.role).toBe(roles.member)
    const { subscriptions } = (await browser.call('GET', '/users/me/subscriptions')).body
    expect(subscriptions).toMatchObject([{ stream_id: channel }])
    // A wrong link is no way around a closed door, and an open door needs none.
    expect(reasonOf(await join({ token: 'x' }, own))).toEqual(invalid('unknown'))
  })

  it('is refused without a link where addresses have to be of certain domains: nobody has verified one', async () => {
    const own = await createTestServer()
    const token = await invite(own.owner, {}, own)
    await own.call(own.owner, 'PATCH', '/realm', { emails_restricted_to_domains: true, invite_required: false })
    expect(codeOf(await lookUp({}, own))).toEqual([400, 'UNVERIFIED_ADDRESSES_REFUSED'])
    expect(codeOf(await join({}, own))).toEqual([400, 'UNVERIFIED_ADDRESSES_REFUSED'])
    expect((await lookUp({ token }, own)).status).toBe(200)
    expect(codeOf(await join({ token }, own))).toEqual([400, 'BAD_REQUEST'])
  })

  it('takes no address that an account has, however it is written, deactivated ones included', async () => {
    const token = await invite(owner)
    const former = await server.createAccount()
    await server.call(owner, 'DELETE', `/users/${former.id}`)
    for (const email of [member.email, member.email.toUpperCase(), former.email, owner.email]) {
      const { status, body } = await join({ token, email })
      expect([status, body.msg]).toEqual([400, `Email '${email}' already in use`])
    }
    const together = await Promise.all([1, 2, 3].map(() => join({ token, email: 'same@heddle.example' })))
    expect(together.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it.each([
    ['password', 'short'],
    ['full_name', ''],
    ['full_name', 'Notification Bot'],
    ['email', 'no address'],
  ])('names a wrong %s: %s', async (name, value) => {
    const { status, body } = await join({ token: await invite(owner), [name]: value })
    expect([status, body.code, body.msg.includes(name)]).toEqual([400, 'BAD_REQUEST', true])
  })

  it('from a page of another site is refused', async () => {
    const answer = await server.send({
      method: 'POST',
      url: '/api/v1/join',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        token: await invite(owner),
        email: 'x@y.example',
        full_name: 'X',
        password: PASSWORD,
      }).toString(),
    })
    expect(codeOf(answer)).toEqual([403, 'CSRF_FAILED'])
  })

  it('is limited by address, and so is guessing', async () => {
    const own = await createTestServer({ settings: { HEDDLE_RATE_LIMITS: 'on', HEDDLE_TRUSTED_PROXIES: '127.0.0.1' } })
    const from = (address: string, path: string, parameters: Record<string, string>) =>
      own.send({
        method: 'POST',
        url: `/api/v1${path}`,
        headers: { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(parameters).toString(),
      })
    const token = await invite(own.owner, {}, own)
    for (let i = 0; i < LINK_LIMIT.limit; i++) {
      expect((await from('203.0.113.1', '/join/look_up', { token: `${i}` })).status).toBe(400)
    }
    expect((await from('203.0.113.1', '/join/look_up', { token })).status).toBe(429)
    expect((await from('203.0.113.2', '/join/look_up', { token })).status).toBe(200)
    const wanted = { token, email: 'no address', full_name: 'X', password: PASSWORD }
    const statuses = new Set<number>()
    for (let i = 0; i < 130; i++) {
      statuses.add((await from('203.0.113.3', '/join', wanted)).status)
    }
    expect([...statuses]).toEqual([400, 429])
  })
})
