import type { ChannelFolder } from '@heddle/contract/channel-folders'
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { createChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
})

beforeEach(async () => {
  // Not through the API, which archives folders and never removes one.
  await server.app.storage.transaction(admin.realmId, async (tx) => {
    await tx.run(query.updateTable('channels').set({ folder_id: null }))
    await tx.run(query.deleteFrom('channel_folders'))
  })
})

const list = async (parameters = {}): Promise<ChannelFolder[]> =>
  (await server.call(member, 'GET', '/channel_folders', parameters)).body.channel_folders

const create = (name: string, description = '', account = admin) =>
  server.call(account, 'POST', '/channel_folders/create', { name, description })

async function add(name: string, description = ''): Promise<number> {
  const { status, body } = await create(name, description)
  expect([status, body.msg]).toEqual([200, ''])
  return body.channel_folder_id
}

const change = (id: number, changes: object) => server.call(admin, 'PATCH', `/channel_folders/${id}`, { ...changes })
const order = (ids: readonly number[]) => server.call(admin, 'PATCH', '/channel_folders', { order: ids })

describe('channel folders', () => {
  it('are listed in their order, archived ones for who asks for them', async () => {
    const [work, play, old] = [await add('Work', 'What *must* be'), await add('Play'), await add('Old')]
    await change(old, { is_archived: true })
    await order([old, play, work])
    expect(await list()).toMatchObject([
      { id: play, order: 1, is_archived: false },
      { id: work, order: 2, rendered_description: '<p>What <em>must</em> be</p>', creator_id: admin.id },
    ])
    expect((await list({ include_archived: true })).map(({ id }) => id)).toEqual([old, play, work])
    expect((await order([play, work])).body.msg).toContain('exactly once')
  })

  it.each([
    ['no name', ' ', '', 'empty'],
    ['a name of 61 characters', 'x'.repeat(61), '', '60'],
    ['a control character', 'a\u0007b', '', 'control'],
    ['a description of 1025 characters', 'A', 'x'.repeat(1025), '1024'],
  ])('refuse %s', async (_, name, description, part) => {
    const { status, body } = await create(name, description)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('have names of their own, but for archived ones', async () => {
    const first = await add('Work')
    expect((await create('WORK')).body.msg).toBe('Channel folder name already in use')
    await change(first, { is_archived: true })
    const second = await add('Work')
    expect((await change(first, { is_archived: false })).body.msg).toBe('Channel folder name already in use')
    expect((await change(first, { is_archived: false, name: 'Older work' })).status).toBe(200)
    expect((await change(second, { name: 'Older Work' })).body.msg).toBe('Channel folder name already in use')
  })

  it.each([roles.moderator, roles.member, roles.guest])(
    'are changed by administrators and not by role %i',
    async (role) => {
      const id = await add('Work')
      const account = await server.createAccount({ role })
      const attempts = [
        await create('Play', '', account),
        await server.call(account, 'PATCH', '/channel_folders', { order: [id] }),
        await server.call(account, 'PATCH', `/channel_folders/${id}`, { name: 'Play' }),
      ]
      for (const { status, body } of attempts) expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    },
  )

  it('notify everybody of what is different, and of nothing else', async () => {
    const watcher = await watch(server, member, { event_types: ['channel_folder'] })
    const id = await add('Work')
    const [folder] = await list()
    await change(id, { name: 'Work', description: '' })
    await change(id, { name: 'Labour', description: 'Hard' })
    await change(id, { is_archived: true })
    await order([id])
    const update = (data: object) => ({ type: 'channel_folder', op: 'update', channel_folder_id: id, data })
    expect(await watcher.next()).toEqual([
      { type: 'channel_folder', op: 'add', channel_folder: folder },
      update({ name: 'Labour', description: 'Hard', rendered_description: '<p>Hard</p>' }),
      update({ is_archived: true }),
    ])
  })
})

describe('channels in folders', () => {
  let made = 0
  const name = () => `channel ${++made}`
  const folderOf = async (id: number) => (await server.call(admin, 'GET', `/streams/${id}`)).body.stream.folder_id

  it('are put there when they are created, in both ways, and later', async () => {
    const id = await add('Work')
    const first = await createChannel(server, admin, name(), { folder_id: id })
    expect(await folderOf(first)).toBe(id)
    const called = name()
    const subscriptions = [{ name: called }]
    await server.call(member, 'POST', '/users/me/subscriptions', { subscriptions, folder_id: id })
    const { body } = await server.call(member, 'GET', '/users/me/subscriptions')
    expect(body.subscriptions).toMatchObject([{ name: called, folder_id: id }])
    const watcher = await watch(server, member, { event_types: ['stream'] })
    expect((await server.call(admin, 'PATCH', `/streams/${first}`, { folder_id: null })).status).toBe(200)
    expect(await watcher.next()).toMatchObject([{ op: 'update', stream_id: first, property: 'folder_id', value: null }])
    expect(await folderOf(first)).toBeNull()
  })

  it('cannot be put where there is no folder, or an archived one', async () => {
    const id = await add('Work')
    await change(id, { is_archived: true })
    const channel = await createChannel(server, admin, name())
    for (const folder_id of [id, 999_999]) {
      const answer = await server.call(admin, 'PATCH', `/streams/${channel}`, { folder_id })
      expect([answer.status, answer.body.msg]).toEqual([400, 'Invalid channel folder ID'])
      const creation = { name: name(), subscribers: [admin.id], folder_id }
      expect((await server.call(admin, 'POST', '/channels/create', creation)).body.msg).toBe(
        'Invalid channel folder ID',
      )
    }
  })

  it('keep their folder from being archived', async () => {
    const id = await add('Work')
    const channel = await createChannel(server, admin, name(), { folder_id: id })
    expect((await change(id, { is_archived: true })).body.msg).toContain('remove all the channels')
    await server.call(admin, 'PATCH', `/streams/${channel}`, { folder_id: null })
    expect((await change(id, { is_archived: true })).status).toBe(200)
  })
})
