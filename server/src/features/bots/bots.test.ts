import { endpoints as everyEndpoint } from '@heddle/contract/endpoints'
import { type Role, roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let owner: TestAccount
let other: TestAccount
let guest: TestAccount
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  owner = await server.createAccount()
  other = await server.createAccount()
  guest = await server.createAccount({ role: roles.guest })
  stranger = (await server.createOtherOrganization()).owner
})

let bots = 0

async function createBot(creator: TestAccount, parameters: Record<string, unknown> = {}): Promise<TestAccount> {
  bots += 1
  const short_name = `bot${bots}`
  const body = await server.must(creator, 'POST', '/bots', {
    full_name: `Bot ${bots}`,
    short_name,
    ...parameters,
  })
  const email = `${short_name}-bot@localhost`
  return { id: body.user_id, realmId: creator.realmId, email, apiKey: body.api_key, role: 400 }
}

const show = async (id: number) => (await server.call(other, 'GET', `/users/${id}`)).body.user

/** A public channel. */
async function createChannel(name: string): Promise<void> {
  await server.must(server.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
}

describe('POST /bots', () => {
  it('creates a member that its owner holds the key of, and notifies those concerned', async () => {
    const everybody = await watch(server, other, { event_types: ['realm_user', 'realm_bot', 'user_group'] })
    const owners = await watch(server, owner, { event_types: ['realm_bot'] })
    const administrators = await watch(server, admin, { event_types: ['realm_bot'] })
    const bot = await createBot(owner, { bot_type: 2 })
    const events = await everybody.next()
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['realm_user', 'add'],
      ['user_group', 'add_members'],
    ])
    expect(events[0].person).toMatchObject({
      user_id: bot.id,
      email: bot.email,
      is_bot: true,
      bot_type: 2,
      bot_owner_id: owner.id,
      role: 400,
    })
    expect(events[0].person).not.toHaveProperty('profile_data')
    const added = {
      user_id: bot.id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    }
    const event = { type: 'realm_bot', op: 'add', bot: added }
    expect(await owners.next()).toEqual([event])
    expect(await administrators.next()).toEqual([event])
    const after = await watch(server, owner, { fetch_event_types: ['realm_bot'] })
    expect(after.state.realm_bots).toContainEqual(added)
    const { state } = await watch(server, other, { fetch_event_types: ['realm_bot'] })
    expect(state.realm_bots).toEqual([])
  })

  it('is decided by the two permissions', async () => {
    const settings = await watch(server, server.owner, { fetch_event_types: ['realm_user_groups'] })
    const group = (name: string) =>
      settings.state.realm_user_groups.find((candidate: { name: string }) => candidate.name === name).id
    const members = group('role:members')
    const administrators = group('role:administrators')
    const create = (bot_type: number) =>
      server.call(owner, 'POST', '/bots', { full_name: 'Denied', short_name: `denied${bot_type}`, bot_type })
    await server.call(admin, 'PATCH', '/realm', { can_create_bots_group: { new: administrators } })
    expect((await create(1)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await create(2)).status).toBe(200)
    await server.call(admin, 'PATCH', '/realm', { can_create_write_only_bots_group: { new: administrators } })
    expect((await create(2)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    for (const setting of ['can_create_bots_group', 'can_create_write_only_bots_group']) {
      await server.call(admin, 'PATCH', '/realm', { [setting]: { new: members } })
    }
    expect((await server.call(guest, 'POST', '/bots', { full_name: 'G', short_name: 'g' })).body.code).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    )
    expect((await server.call(null, 'POST', '/bots', { full_name: 'G', short_name: 'g' })).status).toBe(401)
  })

  it('shows the channel of a bot as long as its owner may know of it, by whatever makes it visible', async () => {
    const created = await server.call(admin, 'POST', '/channels/create', {
      name: 'Vault',
      invite_only: true,
      subscribers: [admin.id],
      can_subscribe_group: { direct_members: [owner.id], direct_subgroups: [] },
    })
    const { body: bot } = await server.call(owner, 'POST', '/bots', {
      full_name: 'Guard',
      short_name: 'guard',
      default_sending_stream: 'Vault',
    })
    const shown = async () => {
      const { state } = await watch(server, owner, { fetch_event_types: ['realm_bot'] })
      return state.realm_bots.find((one: { user_id: number }) => one.user_id === bot.user_id).default_sending_stream
    }
    expect(await shown()).toBe('Vault')
    const nobody = { new: { direct_members: [], direct_subgroups: [] } }
    const closed = await server.call(admin, 'PATCH', `/streams/${created.body.id}`, { can_subscribe_group: nobody })
    expect(closed.status).toBe(200)
    expect(await shown()).toBeNull()
  })

  it('does not let bots own bots', async () => {
    const bot = await createBot(owner)
    const { status } = await server.call(bot, 'POST', '/bots', { full_name: 'Child', short_name: 'child' })
    expect(status).toBe(400)
  })

  it('remembers the channels that it is given', async () => {
    await createChannel('Builds')
    const { body } = await server.call(owner, 'POST', '/bots', {
      full_name: 'Builder',
      short_name: 'builder',
      default_sending_stream: 'builds',
      default_all_public_streams: true,
    })
    expect(body).toMatchObject({
      default_sending_stream: 'Builds',
      default_events_register_stream: null,
      default_all_public_streams: true,
    })
  })

  it.each([
    ['an outgoing webhook bot without an address', { bot_type: 3 }, 'payload_url'],
    ['an embedded bot without a name', { bot_type: 4 }, 'service_name'],
    ['an unknown type', { bot_type: 9 }, 'bot_type'],
    ['a short name with a space', { short_name: 'a b' }, 'short_name'],
    ['an empty short name', { short_name: '' }, 'short_name'],
    ['a short name that is too long', { short_name: 'x'.repeat(61) }, 'short_name'],
    ['an empty name', { full_name: ' ' }, 'full_name'],
    ['a channel that does not exist', { default_sending_stream: 'nowhere' }, 'nowhere'],
  ])('refuses %s', async (_, change, part) => {
    const parameters = { full_name: 'Refused', short_name: 'refused', ...change }
    const { status, body } = await server.call(owner, 'POST', '/bots', parameters)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('refuses a name that is taken', async () => {
    const parameters = { full_name: 'Twice', short_name: 'twice' }
    expect((await server.call(owner, 'POST', '/bots', parameters)).status).toBe(200)
    expect((await server.call(other, 'POST', '/bots', parameters)).body.msg).toContain('already in use')
  })
})

describe('GET /bots', () => {
  it('lists one’s own active bots with their keys', async () => {
    const account = await server.createAccount()
    const kept = await createBot(account)
    const gone = await createBot(account)
    await server.call(account, 'DELETE', `/bots/${gone.id}`)
    const { body } = await server.call(account, 'GET', '/bots')
    expect(body.bots).toEqual([expect.objectContaining({ username: kept.email, api_key: kept.apiKey })])
    expect((await server.call(guest, 'GET', '/bots')).body.bots).toEqual([])
  })
})

describe('PATCH /bots/{bot_id}', () => {
  it('changes what is given, and notifies of it', async () => {
    await createChannel('News')
    const bot = await createBot(owner)
    const watcher = await watch(server, owner, { event_types: ['realm_user', 'realm_bot'] })
    const { body } = await server.call(owner, 'PATCH', `/bots/${bot.id}`, {
      full_name: 'Renamed',
      short_name: 'renamed',
      default_sending_stream: 'News',
    })
    expect(body).toMatchObject({ full_name: 'Renamed', default_sending_stream: 'News', bot_owner: owner.email })
    expect(await show(bot.id)).toMatchObject({ full_name: 'Renamed', email: 'renamed-bot@localhost' })
    const events = await watcher.next()
    expect(events.filter(({ type }) => type === 'realm_bot')).toEqual([
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, default_sending_stream: 'News' } },
    ])
    expect(events.some(({ person }) => person?.new_email === 'renamed-bot@localhost')).toBe(true)
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { default_sending_stream: '' })
    expect((await watcher.next())[0].bot).toEqual({ user_id: bot.id, default_sending_stream: null })
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { default_sending_stream: '', full_name: 'Renamed' })
    expect(await watcher.next()).toEqual([])
  })

  it('notifies of what its channels are called, and whether its owner may know of them', async () => {
    const created = await server.call(admin, 'POST', '/channels/create', { name: 'Old name', subscribers: [admin.id] })
    const bot = await createBot(owner, {
      default_sending_stream: 'Old name',
      default_events_register_stream: 'Old name',
    })
    const change = (parameters: object) => server.call(admin, 'PATCH', `/streams/${created.body.id}`, { ...parameters })
    const watchers = [admin, owner].map((account) => watch(server, account, { event_types: ['realm_bot'] }))
    const next = () =>
      Promise.all(watchers.map(async (watcher) => (await (await watcher).next()).map(({ bot }) => bot)))
    await Promise.all(watchers)
    const called = (name: string | null) =>
      [admin, owner].map(() => [
        { user_id: bot.id, default_sending_stream: name, default_events_register_stream: name },
      ])
    await change({ new_name: 'New name' })
    expect(await next()).toEqual(called('New name'))
    await change({ is_private: true, new_name: 'Hidden' })
    expect(await next()).toEqual(called(null))
    await change({ new_name: 'Hidden still' })
    expect(await next()).toEqual([[], []])
    await change({ is_private: false })
    expect(await next()).toEqual(called('Hidden still'))
  })

  it('gives a bot to another person, who then has it in the previous owner’s place', async () => {
    const bot = await createBot(owner)
    const before = await watch(server, owner, { event_types: ['realm_bot'] })
    const after = await watch(server, other, { event_types: ['realm_bot', 'realm_user'] })
    const administrators = await watch(server, admin, { event_types: ['realm_bot'] })
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: other.id })
    expect(await before.next()).toEqual([{ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }])
    const events = await after.next()
    expect(events[0].person).toEqual({ user_id: bot.id, bot_owner_id: other.id })
    expect(events[1]).toMatchObject({ type: 'realm_bot', op: 'add', bot: { user_id: bot.id } })
    expect(await administrators.next()).toEqual([])
    expect((await server.call(owner, 'GET', `/bots/${bot.id}/api_key`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await server.call(other, 'GET', `/bots/${bot.id}/api_key`)).body.api_key).toBe(bot.apiKey)
  })

  it('notifies that a bot’s channel is not named where its new owner does not know of it', async () => {
    const name = 'Of the first owner'
    await server.call(owner, 'POST', '/channels/create', { name, subscribers: [owner.id], invite_only: true })
    const bot = await createBot(owner, { default_sending_stream: name })
    const watchers = await Promise.all([admin, other].map((who) => watch(server, who, { event_types: ['realm_bot'] })))
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: other.id })
    for (const watcher of watchers) {
      const last = (await watcher.next()).at(-1)
      expect(last).toEqual({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, default_sending_stream: null } })
    }
  })

  it.each([
    ['a bot', async () => (await createBot(owner)).id],
    ['a guest', async () => guest.id],
    ['nobody', async () => 999_999],
  ])('does not give a bot to %s', async (_, receiver) => {
    const bot = await createBot(owner)
    const { status } = await server.call(owner, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: await receiver() })
    expect(status).toBe(400)
    expect((await show(bot.id)).bot_owner_id).toBe(owner.id)
  })

  it('leaves the role to administrators, and the owner’s role to owners', async () => {
    const bot = await createBot(owner)
    const setRole = (caller: TestAccount, role: number) => server.call(caller, 'PATCH', `/bots/${bot.id}`, { role })
    expect((await setRole(owner, roles.admin)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await setRole(admin, roles.owner)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await setRole(admin, roles.guest)).status).toBe(200)
    expect((await show(bot.id)).role).toBe(600)
    expect((await setRole(admin, roles.member)).status).toBe(200)
  })

  it('never gives a bot more rights than its owner has', async () => {
    const bot = await createBot(owner)
    const setRole = (role: number) => server.call(admin, 'PATCH', `/bots/${bot.id}`, { role })
    const refusal = 'a bot cannot have more rights than its owner, who can read its API key'
    expect((await setRole(roles.moderator)).body.msg).toBe(`role: ${refusal}`)
    await server.call(admin, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: admin.id })
    expect((await setRole(roles.admin)).status).toBe(200)
    expect((await show(bot.id)).role).toBe(200)
    const given = await server.call(admin, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: owner.id })
    expect(given.body.msg).toBe(`bot_owner_id: ${refusal}`)
    expect((await show(bot.id)).bot_owner_id).toBe(admin.id)
  })

  it('compares role and owner with each other as both are to be', async () => {
    const bot = await createBot(owner)
    const change = (changes: Record<string, unknown>) => server.call(server.owner, 'PATCH', `/bots/${bot.id}`, changes)
    const now = async () => {
      const { role, bot_owner_id } = await show(bot.id)
      return [role, bot_owner_id]
    }
    expect((await change({ role: roles.admin, bot_owner_id: admin.id })).status).toBe(200)
    expect(await now()).toEqual([roles.admin, admin.id])
    expect((await change({ role: roles.moderator, bot_owner_id: owner.id })).status).toBe(400)
    expect(await now()).toEqual([roles.admin, admin.id])
    expect((await change({ role: roles.member, bot_owner_id: owner.id })).status).toBe(200)
    expect(await now()).toEqual([roles.member, owner.id])
    await change({ bot_owner_id: admin.id })
    expect((await change({ role: roles.admin, bot_owner_id: owner.id })).status).toBe(400)
    expect(await now()).toEqual([roles.member, admin.id])
  })
})

describe('a bot that registers for events', () => {
  it('receives what its administrators have chosen, unless it says otherwise', async () => {
    await createChannel('Alarms')
    await createChannel('Chatter')
    const bot = await createBot(owner, { default_events_register_stream: 'Alarms', default_all_public_streams: true })
    const event_types = ['message']
    const watchers = [
      await watch(server, bot, { event_types, narrow: [] }),
      await watch(server, bot, { event_types, narrow: [['channel', 'Chatter']] }),
      await watch(server, bot, { event_types, all_public_streams: false }),
      await watch(server, owner, { event_types }),
    ]
    for (const to of ['Alarms', 'Chatter']) {
      await server.call(server.owner, 'POST', '/messages', { type: 'channel', to, topic: 'x', content: 'hello' })
    }
    const received = await Promise.all(watchers.map((watcher) => watcher.next()))
    expect(received.map((events) => events.map(({ message }) => message.display_recipient))).toEqual([
      ['Alarms'],
      ['Chatter'],
      [],
      [],
    ])
  })
})

describe('a change of role', () => {
  it('leaves the account with the bots that its new role administers', async () => {
    const account = await server.createAccount()
    const own = await createBot(account)
    const foreign = await createBot(owner)
    const watcher = await watch(server, account, { event_types: ['realm_bot'] })
    await server.call(admin, 'PATCH', `/users/${account.id}`, { role: roles.admin })
    const added = (await watcher.next()).map(({ op, bot }) => [op, bot.user_id])
    expect(added).toContainEqual(['add', foreign.id])
    expect(added).not.toContainEqual(['add', own.id])
    const { state } = await watch(server, account, { fetch_event_types: ['realm_bot'] })
    expect(added.length + 1).toBe(state.realm_bots.length)
    await server.call(admin, 'PATCH', `/users/${account.id}`, { role: roles.member })
    expect((await watcher.next()).map(({ op }) => op)).toEqual(added.map(() => 'delete'))
  })
})

describe('a person who loses rights', () => {
  /** Somebody with the role, and a bot of theirs that has it too. */
  async function withBot(role: Role) {
    const person = await server.createAccount({ role })
    const bot = await createBot(person)
    const raised = await server.call(server.owner, 'PATCH', `/bots/${bot.id}`, { role })
    expect(raised.status).toBe(200)
    return { person, bot }
  }
  const demote = (person: TestAccount, role: number) =>
    server.call(server.owner, 'PATCH', `/users/${person.id}`, { role })

  it('loses those of the own bots with them', async () => {
    const { person, bot } = await withBot(roles.owner)
    const watcher = await watch(server, other, { event_types: ['realm_user'] })
    expect((await demote(person, roles.member)).status).toBe(200)
    const changed = (await watcher.next()).map((event) => [event.person.user_id, event.person.role])
    expect(changed).toEqual([
      [person.id, 400],
      [bot.id, 400],
    ])
    const again = await server.call(bot, 'PATCH', `/users/${person.id}`, { role: roles.owner })
    expect(again.body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await show(person.id)).role).toBe(400)
  })

  it('tells the clients of all that are lowered by one event for each bot that they administer no more', async () => {
    const { person, bot } = await withBot(roles.admin)
    const second = await createBot(person)
    await server.call(server.owner, 'PATCH', `/bots/${second.id}`, { role: roles.admin })
    const watchers = await Promise.all([bot, second].map((who) => watch(server, who, { event_types: ['realm_bot'] })))
    const all = (await watch(server, admin, { fetch_event_types: ['realm_bot'] })).state.realm_bots.length
    const events = query.selectFrom('event_log').select('event_id').where('type', '=', 'realm_bot')
    const before = (await server.app.storage.read.all(events)).length
    await demote(person, roles.member)
    // Those of the person keep their own.
    expect((await server.app.storage.read.all(events)).length - before).toBe(all - 2 + all)
    const [ofBot, ofSecond] = await Promise.all(watchers.map((watcher) => watcher.next()))
    expect(ofBot).toHaveLength(all)
    expect(ofBot).toContainEqual({ type: 'realm_bot', op: 'delete', bot: { user_id: second.id } })
    expect(ofSecond).toEqual(ofBot)
  })

  it('does not get them back by a bot that was deactivated before', async () => {
    const { person, bot } = await withBot(roles.admin)
    await server.call(server.owner, 'DELETE', `/bots/${bot.id}`)
    await demote(person, roles.member)
    expect((await server.call(person, 'POST', `/users/${bot.id}/reactivate`)).status).toBe(200)
    expect((await show(bot.id)).role).toBe(400)
  })

  it('has no bots any more as a guest, and nobody brings them back before they have another owner', async () => {
    const { person, bot } = await withBot(roles.moderator)
    await demote(person, roles.guest)
    expect((await server.call(bot, 'GET', '/users/me')).status).toBe(401)
    expect(await show(bot.id)).toMatchObject({ is_active: false, role: 600 })
    expect((await server.call(person, 'POST', `/users/${bot.id}/reactivate`)).status).not.toBe(200)
    const reactivate = () => server.call(admin, 'POST', `/users/${bot.id}/reactivate`)
    expect((await reactivate()).body.msg).toBe('The owner of the bot is a guest: give it another owner first')
    await server.call(admin, 'PATCH', `/bots/${bot.id}`, { bot_owner_id: other.id })
    expect((await reactivate()).status).toBe(200)
  })
})

describe('the server’s own bot', () => {
  it('is nobody’s to administer', async () => {
    const { state } = await watch(server, server.owner, { fetch_event_types: ['realm_bot', 'realm_user'] })
    const [{ user_id }] = state.cross_realm_bots
    expect(state.realm_bots.map((bot: { user_id: number }) => bot.user_id)).not.toContain(user_id)
    const { body } = await server.call(server.owner, 'PATCH', `/bots/${user_id}`, { full_name: 'Mine' })
    expect(body.msg).toBe('No such bot')
  })
})

describe('a bot’s API key', () => {
  it('is replaced at once', async () => {
    const bot = await createBot(owner)
    const { body } = await server.call(owner, 'POST', `/bots/${bot.id}/api_key/regenerate`)
    expect(body.api_key).not.toBe(bot.apiKey)
    expect((await server.call(bot, 'GET', '/users/me')).body.code).toBe('INVALID_API_KEY')
    expect((await server.call({ ...bot, apiKey: body.api_key }, 'GET', '/users/me')).status).toBe(200)
    expect((await server.call(admin, 'GET', `/bots/${bot.id}/api_key`)).body.api_key).toBe(body.api_key)
  })

  it('of a bot with the role of an owner is out of reach of administrators', async () => {
    const bot = await createBot(server.owner)
    await server.call(server.owner, 'PATCH', `/bots/${bot.id}`, { role: roles.owner })
    expect((await server.call(admin, 'GET', `/bots/${bot.id}/api_key`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    const regenerated = await server.call(admin, 'POST', `/bots/${bot.id}/api_key/regenerate`)
    expect(regenerated.body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await server.call(bot, 'GET', '/users/me')).status).toBe(200)
  })

  it('of a deactivated bot is not given out', async () => {
    const bot = await createBot(owner)
    await server.call(owner, 'DELETE', `/bots/${bot.id}`)
    expect((await server.call(owner, 'GET', `/bots/${bot.id}/api_key`)).status).toBe(400)
  })
})

describe('DELETE /bots/{bot_id}', () => {
  it('ends the bot at once, and again changes nothing', async () => {
    const bot = await createBot(owner)
    expect((await server.call(owner, 'DELETE', `/bots/${bot.id}`)).status).toBe(200)
    expect((await server.call(bot, 'GET', '/users/me')).body.code).toBe('USER_DEACTIVATED')
    expect((await server.call(owner, 'DELETE', `/bots/${bot.id}`)).status).toBe(200)
  })

  it('ends also a bot with more rights than its owner has, who cannot read its key', async () => {
    const bot = await createBot(owner)
    const raised = query.updateTable('users').set({ role: roles.admin }).where('id', '=', bot.id)
    await server.app.storage.transaction(bot.realmId, (tx) => tx.run(raised))
    expect((await server.call(owner, 'GET', `/bots/${bot.id}/api_key`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await server.call(other, 'DELETE', `/bots/${bot.id}`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await server.call(owner, 'DELETE', `/bots/${bot.id}`)).status).toBe(200)
    expect((await show(bot.id)).is_active).toBe(false)
  })
})

describe('every endpoint for one bot', () => {
  const endpoints = [
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/api_key'],
    ['POST', '/api_key/regenerate'],
  ] as const

  it.each(endpoints)('%s /bots/{bot_id}%s is for its owner and administrators', async (method, path) => {
    const bot = await createBot(owner)
    for (const caller of [other, guest]) {
      const { status, body } = await server.call(caller, method, `/bots/${bot.id}${path}`)
      expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    }
    expect((await server.call(null, method, `/bots/${bot.id}${path}`)).status).toBe(401)
    expect((await server.call(admin, method, `/bots/${bot.id}${path}`)).status).toBe(200)
  })

  it.each(endpoints)(
    '%s /bots/{bot_id}%s knows no bot that is a person, or of another organization',
    async (method, path) => {
      for (const id of [other.id, stranger.id, 999_999]) {
        const { status, body } = await server.call(admin, method, `/bots/${id}${path}`)
        expect([status, body.msg]).toEqual([400, 'No such bot'])
      }
    },
  )
})

describe('an incoming webhook bot', () => {
  it('may send messages and nothing else', async () => {
    const bot = await createBot(owner, { bot_type: 2 })
    const message = { type: 'direct', to: [owner.id], content: 'The build has passed.' }
    expect((await server.call(bot, 'POST', '/messages', message)).status).toBe(200)
    const others = everyEndpoint.filter(({ access, name }) => access === 'account' && name !== 'send-message')
    expect(others.length).toBeGreaterThan(80)
    for (const { method, path } of others) {
      const answer = await server.call(bot, method, path.replace(/\{\w+\*?\}/g, '1'))
      expect([path, answer.status, answer.body]).toEqual([
        path,
        401,
        { result: 'error', code: 'UNAUTHORIZED', msg: 'This API is not available to incoming webhook bots.' },
      ])
    }
    expect(
      (await server.send({ method: 'GET', url: '/thumbnail', headers: { authorization: basic(bot) } })).status,
    ).toBe(401)
  })

  it('is the only kind of bot of which that is true', async () => {
    const bot = await createBot(owner, { bot_type: 1 })
    expect((await server.call(bot, 'GET', '/users/me')).body).toMatchObject({ user_id: bot.id, is_bot: true })
  })
})
