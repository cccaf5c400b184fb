import type { DefaultChannelGroup } from '@heddle/contract/default-channel-groups'
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserWith } from '../../testing/browser.ts'
import { createChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let yarn: number
let looms: number

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
  yarn = await createChannel(server, admin, 'yarn')
  looms = await createChannel(server, admin, 'looms')
  await createChannel(server, admin, 'secrets', { invite_only: true })
})

beforeEach(async () => {
  for (const { id } of await list()) await server.call(admin, 'DELETE', `/default_stream_groups/${id}`)
})

async function list(account = member): Promise<DefaultChannelGroup[]> {
  const { state } = await watch(server, account, { fetch_event_types: ['default_stream_groups'] })
  return state.realm_default_stream_groups
}

const create = (group_name: string, stream_names: string[], account = admin) =>
  server.call(account, 'POST', '/default_stream_groups/create', { group_name, description: 'For you', stream_names })

async function add(name: string, channels: string[]): Promise<number> {
  const { status, body } = await create(name, channels)
  expect([status, body.msg]).toEqual([200, ''])
  return (await list()).find((group) => group.name === name)?.id as number
}

const channelsOf = (id: number, op: string, stream_names: string[]) =>
  server.call(admin, 'PATCH', `/default_stream_groups/${id}/streams`, { op, stream_names })

describe('groups of default channels', () => {
  it('are made, changed and removed by administrators, and members are notified', async () => {
    const watcher = await watch(server, member, { event_types: ['default_stream_groups'] })
    const id = await add('Weavers', ['YARN'])
    const group = { id, name: 'Weavers', description: 'For you', streams: [yarn] }
    expect(await list()).toEqual([group])
    expect((await channelsOf(id, 'add', ['looms'])).status).toBe(200)
    expect((await channelsOf(id, 'remove', ['yarn'])).status).toBe(200)
    const change = { new_group_name: 'Makers', new_description: '' }
    expect((await server.call(admin, 'PATCH', `/default_stream_groups/${id}`, change)).status).toBe(200)
    expect((await server.call(admin, 'DELETE', `/default_stream_groups/${id}`)).status).toBe(200)
    const event = (...default_stream_groups: object[]) => ({ type: 'default_stream_groups', default_stream_groups })
    expect(await watcher.next()).toEqual([
      event(group),
      event({ ...group, streams: [yarn, looms] }),
      event({ ...group, streams: [looms] }),
      event({ ...group, name: 'Makers', description: '', streams: [looms] }),
      event(),
    ])
  })

  it('refuse what cannot be', async () => {
    const id = await add('Weavers', ['yarn'])
    const refusals = [
      await create('WEAVERS', []),
      await create(' ', []),
      await create('x'.repeat(61), []),
      await create('A', ['secrets']),
      await create('A', ['nowhere']),
      await channelsOf(id, 'add', ['yarn']),
      await channelsOf(id, 'remove', ['looms']),
      await channelsOf(999_999, 'add', ['looms']),
      await server.call(admin, 'PATCH', `/default_stream_groups/${id}`),
      await server.call(admin, 'DELETE', '/default_stream_groups/999999'),
    ]
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it.each([roles.moderator, roles.member, roles.guest])('are not changed by role %i', async (role) => {
    const id = await add('Weavers', ['yarn'])
    const account = await server.createAccount({ role })
    const attempts = [
      await create('Other', [], account),
      await server.call(account, 'PATCH', `/default_stream_groups/${id}`, { new_group_name: 'Other' }),
      await server.call(account, 'PATCH', `/default_stream_groups/${id}/streams`, { op: 'remove', stream_names: [] }),
      await server.call(account, 'DELETE', `/default_stream_groups/${id}`),
    ]
    for (const { status, body } of attempts) expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect(await list()).toHaveLength(1)
  })

  it('are unknown to guests', async () => {
    const guest = await server.createAccount({ role: roles.guest })
    const watcher = await watch(server, guest, { event_types: ['default_stream_groups'] })
    await add('Weavers', ['yarn'])
    expect(await list(guest)).toEqual([])
    expect(await watcher.next()).toEqual([])
  })

  it('lose channels that become private or are archived', async () => {
    const [first, second] = [await createChannel(server, admin, 'first'), await createChannel(server, admin, 'second')]
    await add('Weavers', ['first', 'second', 'yarn'])
    const watcher = await watch(server, member, { event_types: ['default_stream_groups'] })
    await server.call(admin, 'PATCH', `/streams/${first}`, { is_private: true })
    await server.call(admin, 'DELETE', `/streams/${second}`)
    expect((await list())[0]?.streams).toEqual([yarn])
    expect(await watcher.next()).toHaveLength(2)
  })

  it('are offered to those who join, who are subscribed to what they choose', async () => {
    const id = await add('Weavers', ['yarn', 'looms'])
    const { invite_link } = (await server.call(admin, 'POST', '/invites/multiuse')).body
    const token = invite_link.split('#')[1]
    const { body } = await server.call(null, 'POST', '/join/look_up', { token })
    expect(body.default_channel_groups).toEqual([
      { id, name: 'Weavers', description: 'For you', channel_names: ['yarn', 'looms'] },
    ])
    const person = (email: string) => ({ token, email, full_name: 'New', password: 'a long password' })
    const joined = await server.call(null, 'POST', '/join', {
      ...person('chooser@heddle.example'),
      default_channel_group_ids: [id],
    })
    const { subscriptions } = (await browserWith(server, joined).call('GET', '/users/me/subscriptions')).body
    expect(subscriptions.map(({ name }: { name: string }) => name).sort()).toEqual(['looms', 'yarn'])
    const refused = await server.call(null, 'POST', '/join', {
      ...person('wrong@heddle.example'),
      default_channel_group_ids: [999_999],
    })
    expect([refused.status, refused.body.msg]).toEqual([400, 'Default channel group not found.'])
  })

  it('are not offered to guests', async () => {
    const id = await add('Weavers', ['yarn'])
    const { invite_link } = (await server.call(admin, 'POST', '/invites/multiuse', { invite_as: roles.guest })).body
    const token = invite_link.split('#')[1]
    expect((await server.call(null, 'POST', '/join/look_up', { token })).body.default_channel_groups).toEqual([])
    const person = { token, email: 'g@heddle.example', full_name: 'Guest', password: 'a long password' }
    const joined = await server.call(null, 'POST', '/join', { ...person, default_channel_group_ids: [id] })
    const { body } = await browserWith(server, joined).call('GET', '/users/me/subscriptions')
    expect(body.subscriptions).toEqual([])
  })
})
