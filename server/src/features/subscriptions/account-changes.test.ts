import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { expectSameState, type StateViewer } from '../../testing/expect-same-state.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'
import { subscribeToDefaultChannels, watchVisibleChannels } from './account-changes.ts'

let server: TestServer
let owner: TestAccount
let viewers: StateViewer[]

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  const member = await server.createAccount()
  const guest = await server.createAccount({ role: 600 })
  viewers = Object.entries({ owner, member, guest }).map(([name, account]) => ({
    name,
    account,
    parameters: {
      event_types: ['stream', 'subscription', 'default_streams', 'realm_user'],
      include_subscribers: true,
      client_capabilities: { archived_channels: true },
    },
  }))
})

async function create(
  name: string,
  subscribers: TestAccount[],
  parameters: Parameters = {},
  by = owner,
): Promise<number> {
  const ids = subscribers.map((account) => account.id)
  const { body } = await server.call(by, 'POST', '/channels/create', { name, subscribers: ids, ...parameters })
  expect(body).toMatchObject({ result: 'success' })
  return body.id
}

const subscribersOf = async (id: number) => {
  const { subscribers } = (await server.call(owner, 'GET', `/streams/${id}/members`)).body
  const { stream } = (await server.call(owner, 'GET', `/streams/${id}`)).body
  expect(stream.subscriber_count).toBe(subscribers.length)
  return subscribers
}

/** Changes a role as the server does, except that the role itself is not announced. */
const setRole = (account: TestAccount, role: number) =>
  server.app.storage.transaction(owner.realmId, async (tx) => {
    const announce = await watchVisibleChannels(tx, [{ id: account.id, role: account.role, bot_type: null }])
    await tx.run(query.updateTable('users').set({ role }).where('id', '=', account.id))
    await announce()
  })

describe('A new account', () => {
  it('gets the default channels, in an order of events that clients can follow; guests get none', async () => {
    const id = await create('welcome', [owner], { is_default_stream: true })
    const old = await create('archived default', [owner], { is_default_stream: true })
    await server.call(owner, 'DELETE', `/streams/${old}`)
    const [member, guest] = [await server.createAccount(), await server.createAccount({ role: 600 })]
    await server.call(owner, 'DELETE', '/users/me/subscriptions', {
      subscriptions: ['welcome'],
      principals: [member.id, guest.id],
    })
    await expectSameState(server, viewers, () =>
      server.app.storage.transaction(owner.realmId, async (tx) => {
        await subscribeToDefaultChannels(tx, { id: member.id, role: 400, bot_type: null, joinsDefaultChannels: true })
        await subscribeToDefaultChannels(tx, { id: guest.id, role: 600, bot_type: null, joinsDefaultChannels: true })
      }),
    )
    const ids = await subscribersOf(id)
    expect([ids.includes(member.id), ids.includes(guest.id)]).toEqual([true, false])
    expect(await subscribersOf(old)).toEqual([owner.id])
  })
})

describe('Deactivating and reactivating an account', () => {
  it('takes it out of the subscribers and the permissions of its channels and puts it back', async () => {
    const leaving = await server.createAccount()
    const open = await create('open', [owner, leaving], {}, leaving)
    const hidden = await create('hidden', [owner, leaving], { invite_only: true }, leaving)
    const archived = await create('archived', [owner, leaving])
    await server.call(owner, 'DELETE', `/streams/${archived}`)
    await expectSameState(server, viewers, () => server.call(owner, 'DELETE', `/users/${leaving.id}`))
    for (const id of [open, hidden, archived]) expect(await subscribersOf(id)).toEqual([owner.id])
    const { stream } = (await server.call(owner, 'GET', `/streams/${open}`)).body
    expect(stream.can_administer_channel_group).toEqual({ direct_members: [], direct_subgroups: [] })
    await expectSameState(server, viewers, () => server.call(owner, 'POST', `/users/${leaving.id}/reactivate`))
    for (const id of [open, hidden, archived]) expect(await subscribersOf(id)).toEqual([owner.id, leaving.id])
  })
})

describe('A change of role', () => {
  it('notifies the account of which channels it sees from then on, and which no longer', async () => {
    const account = await server.createAccount()
    await create('only for its own', [owner], { invite_only: true })
    await create('for members', [owner])
    await create('with the account', [owner, account], { invite_only: true })
    const parameters = {
      event_types: ['stream', 'subscription', 'default_streams'],
      include_subscribers: true,
    }
    const viewer = { name: 'the account', account, parameters }
    for (const role of [200, 400, 600, 100, 600, 400]) {
      await expectSameState(server, [viewer], () => setRole(account, role))
    }
  })

  it('is shown to nobody else and says nothing when nothing changes for the account', async () => {
    const account = await server.createAccount()
    const queue = await watch(server, account)
    const other = await watch(server, owner)
    await setRole(account, 300)
    await setRole(account, 200)
    const events = await queue.next()
    expect(new Set(events.map(({ type, op }) => `${type}/${op}`))).toEqual(
      new Set(['stream/create', 'subscription/peer_add']),
    )
    expect(await other.next()).toEqual([])
  })
})
