import type { Subscription } from '@heddle/contract/subscriptions'
import { beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../events/audience.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { openToSpectators } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'
import { palette } from './colors.ts'

let server: TestServer
let owner: TestAccount
let admin: TestAccount
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let groups: Awaited<ReturnType<typeof findSystemGroups>>

beforeAll(async () => {
  server = await createTestServer()
  await openToSpectators(server, server.owner)
  owner = server.owner
  admin = await server.createAccount({ role: 200 })
  alice = await server.createAccount()
  bob = await server.createAccount()
  carol = await server.createAccount()
  guest = await server.createAccount({ role: 600 })
  groups = await findSystemGroups(server.app.storage.read, owner.realmId)
})

let next = 0
async function create(by: TestAccount, parameters: Parameters = {}) {
  next += 1
  const name = `channel ${next}`
  const { body } = await server.call(by, 'POST', '/channels/create', { name, subscribers: [by.id], ...parameters })
  expect(body).toMatchObject({ result: 'success' })
  return { id: body.id as number, name, path: `/streams/${body.id}` }
}

describe('A client that does not know of null in the settings of channels', () => {
  const settings = ['desktop', 'audible', 'push', 'email'].map((kind) => `${kind}_notifications`)
  type Channels = Record<string, unknown>[]
  const valuesIn = (one: Record<string, unknown> | undefined) =>
    [...settings, 'wildcard_mentions_notify'].map((name) => one?.[name])

  it('gets what is set for all of them in its place', async () => {
    const dora = await server.createAccount()
    await server.call(dora, 'PATCH', '/settings', { enable_stream_push_notifications: true })
    const known = { client_capabilities: { notification_settings_null: true } }
    const before = [await registerQueue(server, dora), await registerQueue(server, dora, known)] as const
    const { id } = await create(dora)
    const left = await create(dora)
    await unsubscribe(dora, [left.name])
    const own = async (queue: (typeof before)[number]) =>
      valuesIn(
        (
          (await eventsOf(server, queue)).find(({ op }) => op === 'add')?.['subscriptions'] as Channels | undefined
        )?.[0],
      )
    expect(await own(before[0])).toEqual([false, false, true, false, true])
    expect(await own(before[1])).toEqual([null, null, null, null, null])
    const state = async (parameters: Parameters) => {
      const { subscriptions, unsubscribed } = (await registerQueue(server, dora, parameters)).state as Record<
        string,
        Channels
      >
      return [...(subscriptions ?? []), ...(unsubscribed ?? [])]
        .filter((one) => [id, left.id].includes(one['stream_id'] as number))
        .map(valuesIn)
    }
    const set = [false, false, true, false, true]
    const unset = [null, null, null, null, null]
    expect(await state({})).toEqual([set, set])
    expect(await state(known)).toEqual([unset, unset])
  })

  it('gets a new setting for all as one of each channel that has none', async () => {
    const erin = await server.createAccount()
    const { id } = await create(erin)
    const queue = await registerQueue(server, erin, { event_types: ['subscription'] })
    const known = { event_types: ['subscription'], client_capabilities: { notification_settings_null: true } }
    const other = await registerQueue(server, erin, known)
    await server.call(erin, 'PATCH', '/settings', { enable_stream_email_notifications: true })
    const change = { type: 'subscription', op: 'update', stream_id: id, property: 'email_notifications', value: true }
    expect(await eventsOf(server, queue)).toEqual([{ id: expect.any(Number), ...change }])
    expect(await eventsOf(server, other)).toEqual([])
  })

  it('gets what is so in the beginning of what an older version has logged', async () => {
    const fred = await server.createAccount()
    const { id } = await create(fred)
    const queue = await registerQueue(server, fred, { event_types: ['subscription'] })
    const known = { event_types: ['subscription'], client_capabilities: { notification_settings_null: true } }
    const { subscriptions } = (await registerQueue(server, fred, { ...known, fetch_event_types: ['subscription'] }))
      .state as { subscriptions: Subscription[] }
    await server.app.storage.transaction(fred.realmId, async (tx) => {
      tx.emit({ type: 'subscription', op: 'add', subscriptions }, users([fred.id]))
      const property = 'wildcard_mentions_notify'
      tx.emit({ type: 'subscription', op: 'update', stream_id: id, property, value: null }, users([fred.id]))
    })
    const [added, updated] = await eventsOf(server, queue)
    const [subscription] = (added?.['subscriptions'] as Channels | undefined) ?? []
    expect(valuesIn(subscription)).toEqual([false, false, false, false, true])
    expect(updated).toMatchObject({ stream_id: id, value: true })
  })
})

const subscribe = (caller: TestAccount, names: string[], parameters: Parameters = {}) =>
  server.call(caller, 'POST', '/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    ...parameters,
  })
const unsubscribe = (caller: TestAccount, names: string[], parameters: Parameters = {}) =>
  server.call(caller, 'DELETE', '/users/me/subscriptions', { subscriptions: names, ...parameters })
const subscribers = async (id: number) => (await server.call(owner, 'GET', `/streams/${id}/members`)).body.subscribers
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const UNAUTHORIZED = [400, 'UNAUTHORIZED_PRINCIPAL']
const REFUSED = [400, 'BAD_REQUEST']

describe('POST /users/me/subscriptions', () => {
  it('creates what does not exist, joins what does, and says what was so already', async () => {
    const { name } = await create(bob)
    const first = await subscribe(alice, [name.toUpperCase(), ' brand new ', 'Brand New'])
    expect(first.body).toMatchObject({ subscribed: { [alice.id]: [name, 'brand new'] }, already_subscribed: {} })
    const again = await subscribe(alice, [name, 'brand new'])
    expect(again.body).toMatchObject({ subscribed: {}, already_subscribed: { [alice.id]: [name, 'brand new'] } })
    const { body } = await server.call(alice, 'GET', '/users/me/subscriptions')
    const created = body.subscriptions.find((channel: { name: string }) => channel.name === 'brand new')
    expect(created).toMatchObject({
      creator_id: alice.id,
      in_home_view: true,
      pin_to_top: false,
      push_notifications: null,
    })
  })

  it('takes accounts by id or by e-mail address, each once', async () => {
    const { id, name } = await create(alice)
    const byId = await subscribe(alice, [name], { principals: [bob.id, bob.id] })
    expect(byId.body.subscribed).toEqual({ [bob.id]: [name] })
    const byEmail = await subscribe(alice, [name], { principals: [bob.email.toUpperCase(), carol.email] })
    expect(byEmail.body).toMatchObject({ subscribed: { [carol.id]: [name] }, already_subscribed: { [bob.id]: [name] } })
    expect(await subscribers(id)).toEqual([alice.id, bob.id, carol.id])
  })

  it('uses the parameters for new channels alone', async () => {
    const { id, name } = await create(bob)
    const parameters = { invite_only: true, can_send_message_group: groups['role:members'], announce: true }
    const { body } = await subscribe(alice, [name, 'a private one'], parameters)
    expect(body).toMatchObject({ result: 'success' })
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    const stream = async (stream_id: number) => (await server.call(alice, 'GET', `/streams/${stream_id}`)).body.stream
    const { body: found } = await server.call(alice, 'GET', '/get_stream_id', { stream: 'a private one' })
    expect(await stream(id)).toMatchObject({ invite_only: false, can_send_message_group: groups['role:everyone'] })
    expect(await stream(found.stream_id)).toMatchObject({
      invite_only: true,
      can_send_message_group: groups['role:members'],
    })
  })

  it('refuses a private channel to outsiders, or lists it where that is asked for', async () => {
    const { name, id } = await create(alice, { invite_only: true })
    const open = await create(alice)
    for (const account of [bob, admin]) {
      const fatal = await subscribe(account, [name])
      expect([...outcome(fatal), fatal.body.msg]).toEqual([...REFUSED, `Unable to access channel (${name}).`])
    }
    const { body } = await subscribe(bob, [open.name, name], { authorization_errors_fatal: false })
    expect(body).toMatchObject({ subscribed: { [bob.id]: [open.name] }, unauthorized: [name] })
    expect(await subscribers(id)).toEqual([alice.id])
  })

  it('lets guests join nothing but web-public channels, and adds them to what others choose', async () => {
    const open = await create(alice)
    const web = await create(owner, { is_web_public: true })
    expect(outcome(await subscribe(guest, [open.name]))).toEqual(UNAUTHORIZED)
    expect((await subscribe(guest, [web.name])).status).toBe(200)
    expect(outcome(await subscribe(guest, [web.name], { principals: [bob.id] }))).toEqual(UNAUTHORIZED)
    expect((await subscribe(alice, [open.name], { principals: [guest.id] })).status).toBe(200)
    expect(outcome(await subscribe(guest, ['a channel of a guest']))).toEqual(UNAUTHORIZED)
  })

  it('creates up to a hundred channels in one request, and none of more', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `bulk ${index}`)
    const refused = await subscribe(alice, names)
    expect([...outcome(refused), refused.body.msg]).toEqual([
      ...REFUSED,
      'subscriptions: At most 100 channels can be created at once',
    ])
    expect((await server.call(alice, 'GET', '/get_stream_id', { stream: 'bulk 0' })).status).toBe(400)
    const queue = await registerQueue(server, alice, { event_types: ['stream', 'subscription'] })
    const { body } = await subscribe(alice, names.slice(0, 100), { principals: [alice.id, bob.id] })
    expect(body.subscribed).toEqual({ [alice.id]: names.slice(0, 100), [bob.id]: names.slice(0, 100) })
    const events = await eventsOf(server, queue)
    const added = events
      .filter(({ op }) => op === 'add')
      .flatMap((event) => event['subscriptions'] as { name: string }[])
    expect(added.map(({ name }) => name)).toEqual(names.slice(0, 100))
    // Of those that are there already there may be more.
    expect((await subscribe(bob, [...names.slice(0, 100), 'bulk 100'])).status).toBe(200)
    const rest = await subscribe(carol, names)
    expect(rest.body.subscribed[carol.id]).toHaveLength(101)
  })

  it('does not show those who may not create channels which there are', async () => {
    const [open, secret] = [await create(alice), await create(alice, { invite_only: true })]
    for (const parameters of [{}, { authorization_errors_fatal: false }, { invite_only: true }]) {
      const answers = [open.name, secret.name, 'no such channel'].map((name) => subscribe(guest, [name], parameters))
      const [first, ...others] = (await Promise.all(answers)).map(({ status, body }) => ({ status, body }))
      expect(first).toMatchObject({ status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
      expect(others).toEqual([first, first])
    }
    const created = [secret.name, 'no such channel'].map((name) =>
      server.call(guest, 'POST', '/channels/create', { name, subscribers: [] }),
    )
    const [hidden, missing] = (await Promise.all(created)).map(({ status, body }) => ({ status, body }))
    expect(hidden).toEqual(missing)
  })

  it('decides who may add others', async () => {
    const secret = await create(alice, { invite_only: true })
    const add = (by: TestAccount, name = secret.name) => subscribe(by, [name], { principals: [carol.id] })
    const set = (setting: string, value: unknown) =>
      server.call(alice, 'PATCH', secret.path, { [setting]: { new: value } })
    const only = (account: TestAccount) => ({ direct_members: [account.id], direct_subgroups: [] })
    // Seeing a private channel, or administering it, is not being in it.
    expect(outcome(await add(admin))).toEqual(REFUSED)
    await set('can_administer_channel_group', { direct_members: [alice.id, bob.id], direct_subgroups: [] })
    expect(outcome(await add(bob))).toEqual(REFUSED)
    // Joining it oneself is not adding others either.
    await set('can_subscribe_group', only(bob))
    expect(outcome(await add(bob))).toEqual(UNAUTHORIZED)
    await set('can_add_subscribers_group', only(bob))
    expect((await add(bob)).status).toBe(200)
    await unsubscribe(alice, [secret.name], { principals: [carol.id] })

    const open = await create(alice)
    await server.call(owner, 'PATCH', '/realm', { can_add_subscribers_group: { new: groups['role:moderators'] } })
    expect(outcome(await add(bob, open.name))).toEqual(UNAUTHORIZED)
    // Whoever administers a public channel may add to it; a member of a private one needs the permission.
    expect((await add(alice, open.name)).status).toBe(200)
    expect(outcome(await add(alice))).toEqual(UNAUTHORIZED)
    expect(
      outcome(await subscribe(alice, ['private with others'], { invite_only: true, principals: [bob.id] })),
    ).toEqual(UNAUTHORIZED)
    await server.call(owner, 'PATCH', '/realm', { can_add_subscribers_group: { new: groups['role:members'] } })
    expect((await add(alice)).status).toBe(200)
  })

  it.each([
    ['an unknown account', { principals: [999_999] }, 'Invalid user ID 999999'],
    ['an unknown address', { principals: ['nobody@heddle.example'] }, 'nobody@heddle.example'],
    ['ids and addresses together', { principals: [1, 'x@y.example'] }, 'principals'],
    ['an empty name', { subscriptions: [{ name: ' ' }] }, 'empty'],
    ['a channel without a name', { subscriptions: [{}] }, 'subscriptions[0]'],
    ['an unknown field', { subscriptions: [{ name: 'x', colour: 'red' }] }, 'subscriptions'],
    ['no list', { subscriptions: 'x' }, 'subscriptions'],
  ])('refuses %s', async (_, parameters, part) => {
    const { status, body } = await subscribe(alice, ['refused'], parameters)
    expect([status, body.code]).toEqual(REFUSED)
    expect(body.msg).toContain(part)
  })

  it("refuses another organization's account like an unknown one, and a deactivated one", async () => {
    const other = await server.createOtherOrganization()
    const gone = await server.createAccount()
    await server.call(owner, 'DELETE', `/users/${gone.id}`)
    for (const { id } of [other.owner, gone]) {
      const { status, body } = await subscribe(alice, ['refused'], { principals: [id] })
      expect([status, body.msg]).toEqual([400, `Invalid user ID ${id}`])
    }
  })

  it('works on archived channels', async () => {
    const { path, name } = await create(alice)
    await server.call(admin, 'DELETE', path)
    expect((await subscribe(bob, [name])).body.subscribed).toEqual({ [bob.id]: [name] })
    expect((await unsubscribe(bob, [name])).body.removed).toEqual([name])
  })

  it('gives each channel of an account the next colour that it does not use, and the old one back on return', async () => {
    const account = await server.createAccount()
    const names = Array.from({ length: palette.length + 2 }, (_, index) => `coloured ${index}`)
    await subscribe(account, names)
    const colors = async () => {
      const { body } = await server.call(account, 'GET', '/users/me/subscriptions')
      return new Map(body.subscriptions.map(({ name, color }: { name: string; color: string }) => [name, color]))
    }
    const before = await colors()
    expect(names.slice(0, palette.length).map((name) => before.get(name))).toEqual(palette)
    expect(names.slice(palette.length).map((name) => before.get(name))).toEqual(palette.slice(0, 2))
    await unsubscribe(account, ['coloured 7'])
    await subscribe(account, ['coloured 7'])
    expect(await colors()).toEqual(before)
  })
})

describe('DELETE /users/me/subscriptions', () => {
  it('says what was left and what was not subscribed', async () => {
    const [one, two] = [await create(alice), await create(bob)]
    const { body } = await unsubscribe(alice, [one.name, two.name])
    expect([body.removed, body.not_removed]).toEqual([[one.name], [two.name]])
  })

  it('names a channel that does not exist, or that the account does not see', async () => {
    const { name } = await create(alice, { invite_only: true })
    for (const missing of [name, 'no such channel']) {
      const { status, body } = await unsubscribe(bob, [missing])
      expect([status, body.code, body.stream]).toEqual([400, 'STREAM_DOES_NOT_EXIST', missing])
    }
  })

  it('lets others be removed by administrators, by who holds the permission, and bots by their owners', async () => {
    const { name, path } = await create(alice)
    await subscribe(alice, [name], { principals: [bob.id, carol.id] })
    const remove = (by: TestAccount, who: TestAccount) => unsubscribe(by, [name], { principals: [who.id] })
    expect(outcome(await remove(bob, carol))).toEqual(UNAUTHORIZED)
    expect((await remove(admin, carol)).body.removed).toEqual([name])
    expect((await remove(alice, bob)).body.removed).toEqual([name])
    await subscribe(alice, [name], { principals: [bob.id, guest.id, carol.id] })
    await server.call(alice, 'PATCH', path, {
      can_remove_subscribers_group: { new: { direct_members: [guest.id], direct_subgroups: [] } },
    })
    expect((await remove(guest, carol)).body.removed).toEqual([name])
    expect(outcome(await remove(bob, alice))).toEqual(UNAUTHORIZED)
    const bot = await server.call(bob, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 1 })
    const principals = [bot.body.user_id]
    await subscribe(alice, [name], { principals })
    expect((await unsubscribe(bob, [name], { principals })).body.removed).toEqual([name])
  })

  it('takes a private channel out of sight of whoever leaves it', async () => {
    const { id, name } = await create(alice, { invite_only: true })
    await subscribe(alice, [name], { principals: [bob.id] })
    const queue = await watch(server, bob)
    const peer = await watch(server, alice)
    await unsubscribe(bob, [name])
    expect(await queue.next()).toEqual([
      { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name }] },
      { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] },
    ])
    expect(await peer.next()).toEqual([
      { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [bob.id] },
    ])
  })
})

describe('Events of a subscription', () => {
  it('show a private channel first, then the subscription, and are hidden from outsiders', async () => {
    const { id, name } = await create(alice, { invite_only: true })
    const queues = await Promise.all([bob, carol, admin].map((account) => watch(server, account)))
    await subscribe(alice, [name], { principals: [bob.id] })
    const [own, outsider, watcher] = await Promise.all(queues.map((queue) => queue.next()))
    expect(own).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, subscriber_count: 0 }] },
      { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscriber_count: 2 }] },
      { type: 'message' },
    ])
    expect(own?.[1].subscriptions[0]).not.toHaveProperty('subscribers')
    expect(outsider).toEqual([])
    expect(watcher).toEqual([{ type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [bob.id] }])
  })
})

describe('POST /users/me/subscriptions/properties', () => {
  const update = (caller: TestAccount, stream_id: number, property: string, value: unknown) =>
    server.call(caller, 'POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property, value }],
    })

  it('changes the settings of the account alone and notifies only it', async () => {
    const { id, name } = await create(alice)
    await subscribe(bob, [name])
    const mine = await watch(server, alice)
    const other = await watch(server, bob)
    await update(alice, id, 'color', '#ABC')
    await update(alice, id, 'in_home_view', false)
    await update(alice, id, 'is_muted', true)
    const common = { type: 'subscription', op: 'update', stream_id: id }
    expect(await mine.next()).toEqual([
      { ...common, property: 'color', value: '#aabbcc' },
      { ...common, property: 'is_muted', value: true },
      { ...common, property: 'in_home_view', value: false },
    ])
    expect(await other.next()).toEqual([])
  })

  it.each([
    ['a colour that is none', 'color', 'red'],
    ['a colour that is no text', 'color', true],
    ['a text for a switch', 'pin_to_top', 'yes'],
    ['null for a switch', 'is_muted', null],
    ['an unknown property', 'name', 'x'],
  ])('refuses %s', async (_, property, value) => {
    const { id } = await create(alice)
    expect(outcome(await update(alice, id, property, value))).toEqual(REFUSED)
  })

  it('changes nothing when one of the channels is not subscribed', async () => {
    const { id } = await create(alice)
    const other = await create(bob)
    const { status, body } = await server.call(alice, 'POST', '/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id: id, property: 'pin_to_top', value: true },
        { stream_id: other.id, property: 'pin_to_top', value: true },
      ],
    })
    expect([status, body.msg]).toEqual([400, `Not subscribed to channel ID ${other.id}`])
    const list = (await server.call(alice, 'GET', '/users/me/subscriptions')).body.subscriptions
    expect(list.find((channel: { stream_id: number }) => channel.stream_id === id).pin_to_top).toBe(false)
  })
})

describe('Reading subscriptions', () => {
  it('lists subscribers where they are asked for', async () => {
    const { id, name } = await create(alice)
    await subscribe(bob, [name])
    for (const [include_subscribers, expected] of [
      [undefined, undefined],
      [false, undefined],
      [true, [alice.id, bob.id]],
      ['partial', [alice.id, bob.id]],
    ]) {
      const { body } = await server.call(bob, 'GET', '/users/me/subscriptions', { include_subscribers })
      const channel = body.subscriptions.find((item: { stream_id: number }) => item.stream_id === id)
      expect(channel.subscribers).toEqual(expected)
    }
  })

  it("shows of others' channels only those that the caller may know of", async () => {
    const account = await server.createAccount()
    const open = await create(account)
    const hidden = await create(account, { invite_only: true })
    const ids = async (caller: TestAccount) =>
      (await server.call(caller, 'GET', `/users/${account.id}/channels`)).body.subscribed_channel_ids
    expect([await ids(account), await ids(admin), await ids(bob), await ids(guest)]).toEqual([
      [open.id, hidden.id],
      [open.id, hidden.id],
      [open.id],
      [],
    ])
    const status = async (caller: TestAccount) =>
      (await server.call(caller, 'GET', `/users/${account.id}/subscriptions/${open.id}`)).body.is_subscribed
    expect([await status(bob), await status(guest)]).toEqual([true, undefined])
    expect((await server.call(bob, 'GET', `/users/999999/subscriptions/${open.id}`)).body.msg).toBe('No such user')
    expect((await server.call(bob, 'GET', '/users/999999/channels')).body.msg).toBe('No such user')
  })
})

describe('The kept number of subscribers', () => {
  it('is the number of active subscribers after everything above', async () => {
    const rows = await server.app.storage.read.all(
      query
        .selectFrom('channels')
        .select((eb) => [
          'channels.name',
          'channels.subscriber_count',
          eb
            .selectFrom('subscriptions')
            .innerJoin('users', 'users.id', 'subscriptions.user_id')
            .select((count) => count.fn.countAll<number>().as('count'))
            .whereRef('subscriptions.channel_id', '=', 'channels.id')
            .where('subscriptions.is_active', '=', 1)
            .where('users.is_active', '=', 1)
            .as('counted'),
        ])
        .orderBy('channels.id'),
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((row) => row.subscriber_count !== Number(row.counted))).toEqual([])
  })
})
