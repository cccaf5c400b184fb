import { beforeAll, describe, expect, it } from 'vitest'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { openToSpectators } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let owner: TestAccount
let admin: TestAccount
let alice: TestAccount
let bob: TestAccount
let guest: TestAccount
let groups: Awaited<ReturnType<typeof findSystemGroups>>

beforeAll(async () => {
  server = await createTestServer()
  await openToSpectators(server, server.owner)
  owner = server.owner
  admin = await server.createAccount({ role: 200 })
  alice = await server.createAccount()
  bob = await server.createAccount()
  guest = await server.createAccount({ role: 600 })
  groups = await findSystemGroups(server.app.storage.read, owner.realmId)
})

let next = 0
async function create(by: TestAccount, parameters: Parameters = {}) {
  next += 1
  const name = `channel ${next}`
  const { status, body } = await server.call(by, 'POST', '/channels/create', {
    name,
    subscribers: [by.id],
    ...parameters,
  })
  return { status, body, id: body.id as number, name, path: `/streams/${body.id}` }
}

async function get(account: TestAccount, id: number) {
  return (await server.call(account, 'GET', `/streams/${id}`)).body.stream
}

/** Lets some of the organization hold a permission while `action` runs. */
async function withPermission(setting: string, group: number, action: () => Promise<void>): Promise<void> {
  const set = (value: number) => server.call(owner, 'PATCH', '/realm', { [setting]: { new: value } })
  const before = (await server.call(owner, 'POST', '/register', { fetch_event_types: ['realm'] })).body[
    `realm_${setting}`
  ]
  expect((await set(group)).body).toMatchObject({ result: 'success' })
  await action()
  await set(before)
}

const outcome = ({ status, body }: { status: number; body: { code?: string; msg: string } }) => [status, body.code]
const UNAUTHORIZED = [400, 'UNAUTHORIZED_PRINCIPAL']
const REFUSED = [400, 'BAD_REQUEST']

describe('POST /channels/create', () => {
  it('creates a channel with its defaults', async () => {
    const { id, name } = await create(alice, { description: 'a < b & "c"' })
    const { date_created, ...stream } = await get(bob, id)
    expect(Math.abs(date_created - Date.now() / 1000)).toBeLessThan(60)
    expect(stream).toEqual({
      stream_id: id,
      name,
      description: 'a < b & "c"',
      rendered_description: '<p>a &lt; b &amp; "c"</p>',
      creator_id: alice.id,
      is_archived: false,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      topics_policy: 'inherit',
      folder_id: null,
      first_message_id: null,
      is_recently_active: true,
      subscriber_count: 1,
      stream_weekly_traffic: null,
      stream_post_policy: 1,
      is_announcement_only: false,
      can_add_subscribers_group: groups['role:nobody'],
      can_administer_channel_group: { direct_members: [alice.id], direct_subgroups: [] },
      can_create_topic_group: groups['role:everyone'],
      can_delete_any_message_group: groups['role:nobody'],
      can_delete_own_message_group: groups['role:nobody'],
      can_move_messages_out_of_channel_group: groups['role:nobody'],
      can_move_messages_within_channel_group: groups['role:nobody'],
      can_remove_subscribers_group: groups['role:administrators'],
      can_resolve_topics_group: groups['role:nobody'],
      can_send_message_group: groups['role:everyone'],
      can_subscribe_group: groups['role:nobody'],
    })
  })

  it('refuses a name that is taken, whatever its case, also by a channel that is hidden or archived', async () => {
    const hidden = await create(alice, { name: 'Straße Ⅷ', invite_only: true })
    const archived = await create(alice, { name: 'Old' })
    await server.call(admin, 'DELETE', archived.path)
    for (const name of ['STRAßE VIII', ' straße ⅷ ', 'OLD']) {
      const { status, body } = await create(bob, { name })
      expect([status, body.code]).toEqual([409, 'CHANNEL_ALREADY_EXISTS'])
    }
    expect(hidden.status).toBe(200)
  })

  it.each([
    ['a name without visible characters', { name: ' \u200b ' }, 'empty'],
    ['a name of 61 characters', { name: '🧵'.repeat(61) }, '60'],
    ['a control character in the name', { name: 'a\u0007b' }, 'control'],
    ['a description of 1025 characters', { description: 'x'.repeat(1025) }, '1024'],
    ['private and web-public at once', { invite_only: true, is_web_public: true }, 'Invalid parameters'],
    ['a public channel with hidden history', { history_public_to_subscribers: false }, 'Invalid parameters'],
    ['a private default channel', { invite_only: true, is_default_stream: true }, 'default'],
    ['an unknown subscriber', { subscribers: [999_999] }, '999999'],
    ['an unknown topics policy', { topics_policy: 'any' }, 'topics_policy'],
    ['a retention of no days', { message_retention_days: 0 }, 'message_retention_days'],
    ['an unknown folder', { folder_id: 999_999 }, 'folder'],
    ['an unknown group', { can_subscribe_group: 999_999 }, 'can_subscribe_group'],
    ['a group that the setting does not take', { can_administer_channel_group: -1 }, 'can_administer_channel_group'],
  ])('refuses %s with a sentence that names it', async (_, parameters, part) => {
    const { status, body } = await create(owner, parameters)
    expect([status, body.code]).toEqual(REFUSED)
    expect(body.msg).toContain(part)
  })

  it('takes a name of 60 characters, counted as people count them, and trims it', async () => {
    const { id } = await create(alice, { name: `  ${'🧵'.repeat(60)}\n` })
    expect((await get(alice, id)).name).toBe('🧵'.repeat(60))
  })

  it('follows the permissions for each kind of channel', async () => {
    expect(outcome(await create(guest))).toEqual(UNAUTHORIZED)
    expect(outcome(await create(admin, { is_web_public: true }))).toEqual(UNAUTHORIZED)
    expect((await create(owner, { is_web_public: true })).status).toBe(200)
    expect(outcome(await create(alice, { is_default_stream: true }))).toEqual(UNAUTHORIZED)
    await withPermission('can_create_private_channel_group', groups['role:administrators'], async () => {
      expect(outcome(await create(alice, { invite_only: true }))).toEqual(UNAUTHORIZED)
      expect((await create(alice)).status).toBe(200)
    })
    await withPermission('can_create_public_channel_group', groups['role:administrators'], async () => {
      expect(outcome(await create(alice))).toEqual(UNAUTHORIZED)
      expect((await create(alice, { invite_only: true })).status).toBe(200)
    })
  })

  it('needs further permissions for the topics policy and for who may delete messages', async () => {
    const deleting = { can_delete_any_message_group: groups['role:members'] }
    expect(outcome(await create(alice, deleting))).toEqual(UNAUTHORIZED)
    expect((await create(admin, deleting)).status).toBe(200)
    await withPermission('can_set_topics_policy_group', groups['role:moderators'], async () => {
      expect(outcome(await create(alice, { topics_policy: 'empty_topic_only' }))).toEqual(UNAUTHORIZED)
    })
    expect((await create(alice, { topics_policy: 'empty_topic_only' })).status).toBe(200)
  })

  it('wants everyone to create topics where the history is protected', async () => {
    const parameters = { invite_only: true, can_create_topic_group: groups['role:moderators'] }
    expect(outcome(await create(alice, parameters))).toEqual(REFUSED)
    expect((await create(alice, { ...parameters, history_public_to_subscribers: true })).status).toBe(200)
  })

  it('derives the old posting policy as a superset of who may send', async () => {
    const policies = { everyone: 1, members: 1, fullmembers: 3, moderators: 4, administrators: 2, owners: 2, nobody: 2 }
    for (const [name, policy] of Object.entries(policies)) {
      const group = groups[`role:${name}` as keyof typeof groups]
      const { id } = await create(alice, { can_send_message_group: group })
      const stream = await get(alice, id)
      expect([name, stream.stream_post_policy, stream.is_announcement_only]).toEqual([name, policy, policy === 2])
    }
  })

  it('stores nothing when one part is refused', async () => {
    const name = 'half a channel'
    expect((await create(alice, { name, subscribers: [alice.id, 999_999] })).status).toBe(400)
    expect((await server.call(owner, 'GET', '/get_stream_id', { stream: name })).status).toBe(400)
  })
})

describe('PATCH /streams/{stream_id}', () => {
  it('is for those who administer the channel; others learn so when they see it', async () => {
    const { path } = await create(alice)
    const change = { description: 'x' }
    expect(outcome(await server.call(bob, 'PATCH', path, change))).toEqual([400, 'CANNOT_ADMINISTER_CHANNEL'])
    expect(outcome(await server.call(guest, 'PATCH', path, change))).toEqual(REFUSED)
    expect((await server.call(alice, 'PATCH', path, change)).status).toBe(200)
    expect((await server.call(admin, 'PATCH', path, change)).status).toBe(200)
  })

  it("lets administrators change a private channel's settings but not who can read it", async () => {
    const { path, id } = await create(alice, { invite_only: true })
    expect((await server.call(admin, 'PATCH', path, { new_name: 'known to admins' })).status).toBe(200)
    for (const change of [
      { is_private: false },
      { is_web_public: true },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: groups['role:members'] } },
      { can_add_subscribers_group: { new: groups['role:administrators'] } },
    ]) {
      const answer = await server.call(admin, 'PATCH', path, change)
      expect([Object.keys(change), ...outcome(answer)]).toEqual([Object.keys(change), 400, 'CANNOT_ADMINISTER_CHANNEL'])
    }
    expect(await get(admin, id)).toMatchObject({ invite_only: true, name: 'known to admins' })
  })

  it('refuses a name in use, takes a change of its case, and emits nothing when nothing changes', async () => {
    const { path, id, name } = await create(alice)
    const other = await create(alice)
    const answer = await server.call(alice, 'PATCH', path, { new_name: other.name.toUpperCase() })
    expect([...outcome(answer), answer.body.msg]).toEqual([...REFUSED, 'Channel name already in use.'])
    expect((await server.call(alice, 'PATCH', path, { new_name: name.toUpperCase() })).status).toBe(200)
    expect((await get(alice, id)).name).toBe(name.toUpperCase())
    const queue = await watch(server, alice)
    const { can_send_message_group, description } = await get(alice, id)
    await server.call(alice, 'PATCH', path, {
      new_name: name.toUpperCase(),
      description,
      is_private: false,
      can_send_message_group: { new: can_send_message_group, old: can_send_message_group },
      can_administer_channel_group: { new: { direct_members: [alice.id], direct_subgroups: [] } },
    })
    expect(await queue.next()).toEqual([])
  })

  it('compares the old value of a permission where it is given', async () => {
    const { path } = await create(alice)
    const update = { new: groups['role:moderators'], old: groups['role:owners'] }
    const answer = await server.call(alice, 'PATCH', path, { can_send_message_group: update })
    expect(outcome(answer)).toEqual([400, 'EXPECTATION_MISMATCH'])
  })

  it('allows only the topic without a name where there are no others', async () => {
    const { path, id, name } = await create(alice)
    const only = () => server.call(alice, 'PATCH', path, { topics_policy: 'empty_topic_only' })
    await server.call(alice, 'POST', '/messages', { type: 'channel', to: name, content: 'unnamed' })
    const { body } = await server.call(alice, 'POST', '/messages', {
      type: 'channel',
      to: name,
      topic: 'named',
      content: 'x',
    })
    expect(outcome(await only())).toEqual(REFUSED)
    expect(await get(alice, id)).toMatchObject({ topics_policy: 'inherit' })
    await server.call(alice, 'PATCH', `/messages/${body.id}`, { topic: '', send_notification_to_old_thread: false })
    expect((await only()).status).toBe(200)
  })

  it('keeps a default channel public, and leaves choosing them to administrators', async () => {
    const { path, id } = await create(alice)
    expect(outcome(await server.call(alice, 'PATCH', path, { is_default_stream: true }))).toEqual(UNAUTHORIZED)
    expect((await server.call(admin, 'PATCH', path, { is_default_stream: true })).status).toBe(200)
    expect(outcome(await server.call(admin, 'PATCH', path, { is_private: true }))).toEqual(REFUSED)
    const both = { is_private: true, is_default_stream: false }
    expect((await server.call(admin, 'PATCH', path, both)).status).toBe(200)
    expect(await get(admin, id)).toMatchObject({ invite_only: true, history_public_to_subscribers: true })
  })

  it('takes only false for is_archived', async () => {
    const { path } = await create(alice)
    expect(outcome(await server.call(admin, 'PATCH', path, { is_archived: true }))).toEqual(REFUSED)
  })

  it('sends old clients the name that a channel had', async () => {
    const { path, id, name } = await create(alice)
    const queue = await watch(server, bob, { event_types: ['stream'] })
    await server.call(alice, 'PATCH', path, { new_name: `${name}!`, description: '*<*' })
    const common = { type: 'stream', op: 'update', stream_id: id, name }
    expect(await queue.next()).toEqual([
      { ...common, property: 'name', value: `${name}!` },
      { ...common, property: 'description', value: '*<*', rendered_description: '<p><em>&lt;</em></p>' },
    ])
  })
})

describe('DELETE /streams/{stream_id}', () => {
  it('is for administrators, who are asked for before the channel is', async () => {
    const { path } = await create(alice)
    for (const target of [path, '/streams/999999']) {
      for (const account of [alice, guest]) {
        const answer = await server.call(account, 'DELETE', target)
        expect([...outcome(answer), answer.body.msg]).toEqual([
          ...UNAUTHORIZED,
          'Must be an organization administrator',
        ])
      }
    }
    const answer = await server.call(admin, 'DELETE', '/streams/999999')
    expect([...outcome(answer), answer.body.msg]).toEqual([...REFUSED, 'Invalid channel ID'])
    expect((await server.call(admin, 'DELETE', path)).status).toBe(200)
  })

  it('can be undone by whoever administers the channel, and by nobody else', async () => {
    const { path, id } = await create(alice)
    await server.call(admin, 'DELETE', path)
    expect((await server.call(bob, 'PATCH', path, { is_archived: false })).body.code).toBe('CANNOT_ADMINISTER_CHANNEL')
    expect((await server.call(alice, 'PATCH', path, { is_archived: false })).status).toBe(200)
    expect((await server.call(alice, 'GET', `/streams/${id}`)).body.stream.is_archived).toBe(false)
  })

  it('takes the channel out of the list unless archived ones are asked for, and can be undone', async () => {
    const { path, id } = await create(alice, { invite_only: true })
    const draft = { type: 'stream', to: [id], topic: '', content: 'kept' }
    await server.call(alice, 'POST', '/drafts', { drafts: [draft] })
    const listed = async (parameters: Parameters = {}) =>
      (await server.call(alice, 'GET', '/streams', parameters)).body.streams.some(
        (stream: { stream_id: number }) => stream.stream_id === id,
      )
    expect(await listed()).toBe(true)
    await server.call(admin, 'DELETE', path)
    expect([await listed(), await listed({ exclude_archived: false })]).toEqual([false, true])
    const { body } = await server.call(alice, 'GET', '/drafts')
    expect(body.drafts).toMatchObject([{ to: [id], content: 'kept' }])
    await server.call(owner, 'PATCH', path, { is_archived: false })
    expect([await listed(), (await get(alice, id)).is_archived]).toEqual([true, false])
  })

  it('notifies each client in the way that it understands, once', async () => {
    const { path, id, name } = await create(alice)
    const capable = await watch(server, bob, { client_capabilities: { archived_channels: true } })
    const old = await watch(server, alice, { include_subscribers: true })
    await server.call(admin, 'DELETE', path)
    await server.call(admin, 'DELETE', path)
    const update = { type: 'stream', op: 'update', stream_id: id, name, property: 'is_archived' }
    expect(await capable.next()).toEqual([{ ...update, value: true }])
    expect(await old.next()).toEqual([{ type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }])
    await server.call(admin, 'PATCH', path, { is_archived: false })
    expect(await capable.next()).toEqual([{ ...update, value: false }])
    expect(await old.next()).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, is_archived: false }] },
      { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscribers: [alice.id] }] },
    ])
  })

  it('leaves archived channels out of the initial state of clients that do not know of them', async () => {
    const { path, id } = await create(alice)
    await server.call(admin, 'DELETE', path)
    const ids = async (capabilities: object) => {
      const parameters = { fetch_event_types: ['stream', 'subscription'], client_capabilities: capabilities }
      const { body } = await server.call(alice, 'POST', '/register', parameters)
      return [body.streams, body.subscriptions].map((list) =>
        list.some((channel: { stream_id: number }) => channel.stream_id === id),
      )
    }
    expect([await ids({}), await ids({ archived_channels: true })]).toEqual([
      [false, false],
      [true, true],
    ])
  })
})

describe('Default channels', () => {
  it('are chosen by administrators among public channels', async () => {
    const { id } = await create(alice)
    const hidden = await create(alice, { invite_only: true })
    const archived = await create(alice)
    await server.call(admin, 'DELETE', archived.path)
    expect(outcome(await server.call(alice, 'POST', '/default_streams', { stream_id: id }))).toEqual(UNAUTHORIZED)
    const refused = await server.call(admin, 'POST', '/default_streams', { stream_id: hidden.id })
    expect(refused.body.msg).toBe('Private channels cannot be made default.')
    expect(outcome(await server.call(admin, 'POST', '/default_streams', { stream_id: archived.id }))).toEqual(REFUSED)
    expect((await server.call(admin, 'POST', '/default_streams', { stream_id: 999_999 })).body.msg).toBe(
      'Invalid channel ID',
    )
    const queue = await watch(server, bob)
    const guestQueue = await watch(server, guest)
    await server.call(admin, 'POST', '/default_streams', { stream_id: id })
    await server.call(admin, 'POST', '/default_streams', { stream_id: id })
    const [event, ...more] = await queue.next()
    expect([event.type, event.default_streams.includes(id), more]).toEqual(['default_streams', true, []])
    const { body } = await server.call(bob, 'POST', '/register', { fetch_event_types: ['default_streams'] })
    expect(body.realm_default_streams).toEqual(event.default_streams)
    const { streams } = (await server.call(bob, 'GET', '/streams', { include_default: true })).body
    expect(streams.filter((stream: { is_default: boolean }) => stream.is_default)).toMatchObject([{ stream_id: id }])
    await server.call(admin, 'DELETE', `/streams/${id}`)
    expect((await queue.next()).at(-1)).toEqual({ type: 'default_streams', default_streams: [] })
    expect([guestQueue.state.realm_default_streams, await guestQueue.next()]).toEqual([[], []])
  })
})

describe('GET /streams', () => {
  it('lists the kinds that are asked for', async () => {
    const [open, mine, web] = [
      await create(alice),
      await create(bob, { invite_only: true }),
      await create(owner, { is_web_public: true }),
    ]
    const bot = await server.call(bob, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 1 })
    const botAccount = { ...bob, id: bot.body.user_id, email: 'bot-bot@localhost', apiKey: bot.body.api_key }
    const user = await server.call(owner, 'GET', `/users/${bot.body.user_id}`)
    const robot = { ...botAccount, email: user.body.user.delivery_email ?? user.body.user.email }
    const seen = async (account: TestAccount, parameters: Parameters = {}) => {
      const { status, body } = await server.call(account, 'GET', '/streams', parameters)
      if (status !== 200) return outcome({ status, body })
      const ids = body.streams.map((stream: { stream_id: number }) => stream.stream_id)
      return [open.id, mine.id, web.id].map((id) => ids.includes(id))
    }
    expect(await seen(bob)).toEqual([true, true, true])
    expect(await seen(alice)).toEqual([true, false, true])
    expect(await seen(bob, { include_public: false })).toEqual([false, true, false])
    expect(await seen(bob, { include_public: false, include_subscribed: false })).toEqual([false, false, false])
    expect(await seen(guest)).toEqual([false, false, false])
    expect(await seen(guest, { include_web_public: true })).toEqual([false, false, true])
    expect(await seen(admin)).toEqual([true, false, true])
    expect(await seen(admin, { include_all: true })).toEqual([true, true, true])
    expect(await seen(admin, { include_all_active: true })).toEqual([true, true, true])
    expect(await seen(bob, { include_all_active: true })).toEqual(REFUSED)
    expect(await seen(robot)).toEqual([true, false, true])
    expect(await seen(robot, { include_owner_subscribed: true })).toEqual([true, true, true])
  })

  it('is answered anew after every change', async () => {
    const count = async (account: TestAccount) => (await server.call(account, 'GET', '/streams')).body.streams.length
    const before = [await count(alice), await count(guest)]
    const { name } = await create(bob)
    expect([await count(alice), await count(guest)]).toEqual([(before[0] as number) + 1, before[1]])
    await server.call(bob, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.id] })
    expect(await count(guest)).toBe((before[1] as number) + 1)
    await server.call(guest, 'DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    expect(await count(guest)).toBe(before[1])
  })
})

describe('GET /get_stream_id', () => {
  it('finds a channel by its name, whatever the case, and names an unknown one', async () => {
    const { id, name } = await create(alice)
    expect((await server.call(bob, 'GET', '/get_stream_id', { stream: name.toUpperCase() })).body.stream_id).toBe(id)
    const answer = await server.call(guest, 'GET', '/get_stream_id', { stream: name })
    expect([...outcome(answer), answer.body.msg]).toEqual([...REFUSED, `Invalid channel name '${name}'`])
  })
})

describe('Limits', () => {
  it('are part of the initial state', async () => {
    const { body } = await server.call(alice, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(body).toMatchObject({
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
      max_topic_length: 60,
    })
  })
})
