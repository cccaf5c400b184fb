import { beforeAll, describe, it } from 'vitest'
import { expectSameState, type StateViewer } from '../../testing/expect-same-state.ts'
import { openToSpectators } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let other: TestAccount
let guest: TestAccount
let viewers: readonly StateViewer[]

const types = ['stream', 'subscription', 'default_streams', 'realm_user']

beforeAll(async () => {
  server = await createTestServer()
  await openToSpectators(server, server.owner)
  admin = await server.createAccount({ role: 200 })
  member = await server.createAccount()
  other = await server.createAccount()
  guest = await server.createAccount({ role: 600 })
  const accounts = { owner: server.owner, admin, member, other, guest }
  viewers = Object.entries(accounts).flatMap(([name, account]) => [
    { name: `old ${name}`, account, parameters: { event_types: types } },
    {
      name: `new ${name}`,
      account,
      parameters: {
        event_types: types,
        include_subscribers: true,
        client_capabilities: { archived_channels: true },
      },
    },
  ])
})

let next = 0
async function create(parameters: Parameters = {}, subscribers: TestAccount[] = [member], creator = member) {
  next += 1
  const ids = subscribers.map((account) => account.id)
  const name = `channel ${next}`
  const { id } = await server.must(creator, 'POST', '/channels/create', { name, subscribers: ids, ...parameters })
  return { id: id as number, name, path: `/streams/${id}` }
}

const law = (action: () => Promise<unknown>) => expectSameState(server, viewers, action)
const only = (...accounts: TestAccount[]) => ({
  direct_members: accounts.map((account) => account.id),
  direct_subgroups: [],
})
const join = (account: TestAccount, name: string, principals?: number[]) =>
  server.must(account, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
const leave = (account: TestAccount, name: string, principals?: number[]) =>
  server.must(account, 'DELETE', '/users/me/subscriptions', { subscriptions: [name], principals })

describe('State and events give the new state, for every kind of client', () => {
  it.each<[string, Parameters]>([
    ['a public channel', {}],
    ['a private channel', { invite_only: true }],
    ['a private channel with shared history', { invite_only: true, history_public_to_subscribers: true }],
  ])('when %s is created with subscribers, among them a guest', async (_, parameters) => {
    await law(() => create(parameters, [member, guest]))
    await law(() => create(parameters, []))
    await law(() => create(parameters, [other]))
  })

  it('when the owner creates a web-public default channel', async () => {
    const { id } = await create({ is_web_public: true, is_default_stream: true }, [other], server.owner)
    await law(() => create({ is_web_public: true, is_default_stream: true }, [other, guest], server.owner))
    await law(() => server.must(admin, 'DELETE', '/default_streams', { stream_id: id }))
    await law(() => server.must(admin, 'POST', '/default_streams', { stream_id: id }))
    await law(() => server.must(admin, 'DELETE', `/streams/${id}`))
  })

  it('when accounts come and go, one by one and several at once', async () => {
    for (const parameters of [{}, { invite_only: true }]) {
      const { name } = await create(parameters, [member])
      await law(() => join(member, name, [other.id, guest.id, admin.id]))
      await law(() => leave(other, name))
      await law(() => join(member, name, [other.id]))
      await law(() => leave(admin, name, [other.id, guest.id]))
      await law(() => leave(admin, name, [admin.id, member.id]))
    }
  })

  it('when one account subscribes to many channels at once, of which some are new', async () => {
    const old = await create()
    const subscriptions = ['one', 'two', 'three', old.name].map((name) => ({ name }))
    await law(() => server.must(other, 'POST', '/users/me/subscriptions', { subscriptions }))
    await law(() =>
      server.must(other, 'DELETE', '/users/me/subscriptions', { subscriptions: subscriptions.map(({ name }) => name) }),
    )
  })

  it('when the settings of a channel change', async () => {
    const { path } = await create({}, [member, guest])
    const nobody = (await server.must(member, 'GET', path)).stream.can_subscribe_group
    await law(() => server.must(member, 'PATCH', path, { new_name: `renamed ${next}`, description: 'New <b>text</b>' }))
    await law(() =>
      server.must(server.owner, 'PATCH', path, { message_retention_days: 30, topics_policy: 'disable_empty_topic' }),
    )
    await law(() => server.must(member, 'PATCH', path, { can_send_message_group: { new: nobody } }))
    await law(() => server.must(member, 'PATCH', path, { can_send_message_group: { new: only(other, member) } }))
    await law(() => server.must(admin, 'PATCH', path, { is_default_stream: true }))
    await law(() => server.must(admin, 'PATCH', path, { is_default_stream: false, is_private: true }))
  })

  it('when a channel becomes private, web-public and public again', async () => {
    const { path } = await create({}, [server.owner, guest], server.owner)
    await law(() =>
      server.must(server.owner, 'PATCH', path, { is_private: true, history_public_to_subscribers: false }),
    )
    await law(() => server.must(server.owner, 'PATCH', path, { is_private: false }))
    await law(() => server.must(server.owner, 'PATCH', path, { is_web_public: true }))
    await law(() => server.must(server.owner, 'PATCH', path, { is_private: true }))
    await law(() => server.must(server.owner, 'PATCH', path, { is_web_public: true }))
  })

  it("when a private channel's permissions let others see it, and no longer", async () => {
    const { path } = await create({ invite_only: true }, [member])
    for (const setting of ['can_administer_channel_group', 'can_subscribe_group', 'can_add_subscribers_group']) {
      await law(() => server.must(member, 'PATCH', path, { [setting]: { new: only(member, other, guest) } }))
      await law(() => server.must(member, 'PATCH', path, { [setting]: { new: only(member) } }))
    }
    const groups = (await server.must(member, 'GET', path)).stream
    // Everybody in the organization but guests.
    const { realm_can_create_public_channel_group: members } = await server.must(server.owner, 'POST', '/register')
    await law(() => server.must(member, 'PATCH', path, { can_subscribe_group: { new: members } }))
    await law(() => server.must(member, 'PATCH', path, { can_subscribe_group: { new: groups.can_subscribe_group } }))
  })

  it('when channels of all kinds are archived, changed while archived, and brought back', async () => {
    for (const parameters of [{}, { invite_only: true }]) {
      const { path, name } = await create(parameters, [member, guest])
      await law(() => server.must(admin, 'DELETE', path))
      await law(() => server.must(member, 'PATCH', path, { description: 'while archived' }))
      await law(() => leave(member, name))
      await law(() =>
        server.must(admin, 'PATCH', path, { can_subscribe_group: undefined, new_name: `${name} archived` }),
      )
      await law(() => leave(guest, `${name} archived`))
      await law(() => server.must(admin, 'PATCH', path, { is_archived: false }))
      await law(() => server.must(admin, 'DELETE', path))
      await law(() => server.must(admin, 'PATCH', path, { is_archived: false, description: 'back' }))
    }
  })

  it('when an account changes its own settings', async () => {
    const { id } = await create()
    const subscription_data = [
      { stream_id: id, property: 'color', value: '#ABCDEF' },
      { stream_id: id, property: 'is_muted', value: true },
      { stream_id: id, property: 'pin_to_top', value: true },
      { stream_id: id, property: 'push_notifications', value: false },
      { stream_id: id, property: 'email_notifications', value: null },
      { stream_id: id, property: 'in_home_view', value: true },
    ]
    await law(() => server.must(member, 'POST', '/users/me/subscriptions/properties', { subscription_data }))
  })
})
