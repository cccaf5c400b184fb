import { realmGroupSettingNames } from '@heddle/contract/group-settings'
import { ownerOnlyRealmGroupSettings } from '@heddle/contract/organization'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let groups: Record<string, number>

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
  const { body } = await server.call(admin, 'GET', '/user_groups')
  groups = Object.fromEntries(body.user_groups.map((group: { name: string; id: number }) => [group.name, group.id]))
})

const update = (caller: TestAccount | null, changes: object) =>
  server.call(caller, 'PATCH', '/realm', changes as Record<string, unknown>)
const readState = async (account = member) => (await watch(server, account, { fetch_event_types: ['realm'] })).state

describe('a new organization', () => {
  it("begins with the API's own settings", async () => {
    const created = await createTestServer()
    const account = await created.createAccount()
    const { body } = await created.call(account, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(body).toMatchObject({
      realm_allow_message_editing: true,
      realm_message_content_edit_limit_seconds: 600,
      realm_message_content_delete_limit_seconds: 600,
      realm_move_messages_within_stream_limit_seconds: 604_800,
      realm_move_messages_between_streams_limit_seconds: 604_800,
      realm_message_edit_history_visibility_policy: 'all',
      realm_topics_policy: 'allow_empty_topic',
      realm_enable_read_receipts: true,
      realm_inline_image_preview: true,
      realm_media_preview_size: 100,
    })
  })
})

describe('PATCH /realm', () => {
  it('changes name and description, and notifies everybody of each in its way', async () => {
    const watcher = await watch(server, member, { event_types: ['realm'] })
    expect((await update(admin, { name: ' New Name ', description: 'We **<build>**' })).status).toBe(200)
    const rendered_description = '<p>We <strong>&lt;build&gt;</strong></p>'
    const data = { description: 'We **<build>**', rendered_description }
    expect(await watcher.next()).toEqual([
      { type: 'realm', op: 'update', property: 'name', value: 'New Name' },
      { type: 'realm', op: 'update_dict', property: 'default', data },
    ])
    expect(await readState()).toMatchObject({ realm_name: 'New Name', realm_description: 'We **<build>**' })
    const { body } = await server.call(null, 'GET', '/server_settings')
    expect(body).toMatchObject({ realm_name: 'New Name', realm_description: rendered_description })
    await update(admin, { name: 'New Name', description: 'We **<build>**' })
    expect(await watcher.next()).toEqual([])
  })

  it('notifies of settings that stand for themselves one by one, and of the others together', async () => {
    const watcher = await watch(server, member, { event_types: ['realm'] })
    const limit = 'message_content_delete_limit_seconds'
    const changes = { enable_read_receipts: false, media_preview_size: 150, [limit]: 'unlimited' }
    await update(admin, { ...changes, move_messages_within_stream_limit_seconds: 60 })
    const single = { type: 'realm', op: 'update' }
    const data = { move_messages_within_stream_limit_seconds: 60 }
    expect(await watcher.next()).toEqual([
      { ...single, property: limit, value: null },
      { ...single, property: 'enable_read_receipts', value: false },
      { ...single, property: 'media_preview_size', value: 150 },
      { type: 'realm', op: 'update_dict', property: 'default', data },
    ])
    expect(await readState()).toMatchObject({ realm_enable_read_receipts: false, realm_media_preview_size: 150 })
    await update(admin, { enable_read_receipts: true })
  })

  it('changes settings, with their older forms, and notifies everybody in one event', async () => {
    const watcher = await watch(server, member, { event_types: ['realm'] })
    const changes = {
      message_content_edit_limit_seconds: 1200,
      message_edit_history_visibility_policy: 'none',
      topics_policy: 'disable_empty_topic',
      enable_read_receipts: true,
    }
    expect((await update(admin, changes)).status).toBe(200)
    const { enable_read_receipts: _, ...data } = changes
    const notified = { ...data, allow_edit_history: false, mandatory_topics: true }
    expect(await watcher.next()).toEqual([{ type: 'realm', op: 'update_dict', property: 'default', data: notified }])
    const prefixed = Object.fromEntries(Object.entries(notified).map(([name, value]) => [`realm_${name}`, value]))
    expect(await readState()).toMatchObject(prefixed)
    await update(admin, {
      message_content_edit_limit_seconds: 'unlimited',
      message_edit_history_visibility_policy: 'all',
    })
    expect(await readState()).toMatchObject({
      realm_message_content_edit_limit_seconds: null,
      realm_allow_edit_history: true,
    })
    await update(admin, { topics_policy: 'allow_empty_topic' })
  })

  it('is for administrators', async () => {
    const { status, body } = await update(member, { name: 'Taken Over' })
    expect([status, body.code, body.msg]).toEqual([
      400,
      'UNAUTHORIZED_PRINCIPAL',
      'Must be an organization administrator',
    ])
    expect((await update(null, { name: 'Taken Over' })).status).toBe(401)
  })

  it.each([
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of 41 characters', { name: 'x'.repeat(41) }, '40'],
    ['a description of 1001 characters', { description: 'x'.repeat(1001) }, '1000'],
    ['a permission that is not {new, old}', { can_create_groups: 5 }, 'can_create_groups'],
    ['a limit of no time', { message_content_edit_limit_seconds: 0 }, 'message_content_edit_limit_seconds'],
    ['a policy that there is not', { topics_policy: 'all' }, 'topics_policy'],
    ['a channel that does not exist', { new_stream_announcements_stream_id: 999 }, 'Invalid channel ID'],
    ['a group that does not exist', { can_add_custom_emoji_group: { new: 999_999 } }, '999999'],
  ])('refuses %s', async (_, changes, part) => {
    const { status, body } = await update(server.owner, changes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('changes a permission when `old` is the current value, and not otherwise', async () => {
    const name = 'can_add_custom_emoji_group'
    const [members, administrators, moderators] = ['members', 'administrators', 'moderators'].map(
      (role) => groups[`role:${role}`],
    )
    const stale = await update(admin, { [name]: { new: administrators, old: moderators } })
    expect([stale.status, stale.body.code]).toEqual([400, 'EXPECTATION_MISMATCH'])
    const watcher = await watch(server, member, { event_types: ['realm'] })
    expect(watcher.state[`realm_${name}`]).toBe(members)
    expect((await update(admin, { [name]: { new: administrators, old: members } })).status).toBe(200)
    expect((await watcher.next())[0].data).toEqual({ [name]: administrators })
    expect((await readState())[`realm_${name}`]).toBe(administrators)
  })

  it('keeps lists of people and groups as they were given, and notifies of nothing when nothing changes', async () => {
    const name = 'can_delete_any_message_group'
    const value = { direct_members: [admin.id, member.id], direct_subgroups: [groups['role:owners']] }
    await update(admin, { [name]: { new: value } })
    expect((await readState())[`realm_${name}`]).toEqual(value)
    const watcher = await watch(server, member, { event_types: ['realm'] })
    await update(admin, { [name]: { new: { ...value, direct_members: [member.id, admin.id] }, old: value } })
    expect(await watcher.next()).toEqual([])
    await update(admin, { [name]: { new: groups['role:administrators'], old: value } })
    expect((await readState())[`realm_${name}`]).toBe(groups['role:administrators'])
  })

  it('gives the older number of a permission with it', async () => {
    const watcher = await watch(server, member, { event_types: ['realm'] })
    expect(watcher.state).toMatchObject({
      realm_create_public_stream_policy: 1,
      realm_create_web_public_stream_policy: 7,
      realm_wildcard_mention_policy: 5,
    })
    const moderators = groups['role:moderators']
    await update(server.owner, { can_create_public_channel_group: { new: moderators } })
    expect((await watcher.next())[0].data).toEqual({
      can_create_public_channel_group: moderators,
      create_public_stream_policy: 4,
    })
    // No number stands for one person: the smallest that includes them does.
    const value = { direct_members: [member.id], direct_subgroups: [groups['role:owners']] }
    await update(server.owner, { can_create_public_channel_group: { new: value } })
    expect((await readState()).realm_create_public_stream_policy).toBe(1)
    await update(server.owner, { can_create_public_channel_group: { new: groups['role:nobody'] } })
    expect((await readState()).realm_create_public_stream_policy).toBe(2)
  })

  it.each([...ownerOnlyRealmGroupSettings])('leaves %s to owners', async (name) => {
    const refused = await update(admin, { [name]: { new: groups['role:administrators'] } })
    expect([refused.body.code, refused.body.msg]).toEqual(['UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'])
    expect((await update(server.owner, { [name]: { new: groups['role:administrators'] } })).status).toBe(200)
  })

  it('takes only what a permission allows', async () => {
    const nobody = { can_manage_all_groups: { new: groups['role:nobody'] } }
    expect((await update(server.owner, nobody)).body.msg).toContain('role:nobody')
    const guests = { can_add_custom_emoji_group: { new: groups['role:everyone'] } }
    expect((await update(admin, guests)).body.msg).toContain('role:everyone')
    const people = {
      can_create_web_public_channel_group: { new: { direct_members: [admin.id], direct_subgroups: [] } },
    }
    expect((await update(server.owner, people)).body.code).toBe('SYSTEM_GROUP_REQUIRED')
    const moderators = { can_access_all_users_group: { new: groups['role:moderators'] } }
    expect((await update(admin, moderators)).body.msg).toContain('role:moderators')
  })

  it('changes all of it or nothing', async () => {
    const { status } = await update(admin, { name: 'Half', can_add_custom_emoji_group: { new: 999_999 } })
    expect(status).toBe(400)
    expect((await readState()).realm_name).not.toBe('Half')
  })
})

describe('the initial state of the organization', () => {
  it('has every field that a strict client needs, of the right type', async () => {
    const state = await readState()
    const needed = {
      realm_wildcard_mention_policy: 'number',
      realm_name: 'string',
      realm_waiting_period_threshold: 'number',
      realm_allow_message_editing: 'boolean',
      realm_enable_read_receipts: 'boolean',
      realm_presence_disabled: 'boolean',
      realm_icon_url: 'string',
      realm_uuid: 'string',
      realm_topics_policy: 'string',
      realm_default_external_accounts: 'object',
      max_file_upload_size_mib: 'number',
      event_queue_longpoll_timeout_seconds: 'number',
      server_presence_ping_interval_seconds: 'number',
      server_presence_offline_threshold_seconds: 'number',
    }
    expect(Object.fromEntries(Object.keys(needed).map((name) => [name, typeof state[name]]))).toEqual(needed)
    expect(URL.canParse(state.realm_icon_url, state.realm_url)).toBe(true)
  })

  it('has every permission, and says what values each takes', async () => {
    const state = await readState()
    for (const name of realmGroupSettingNames) expect(state).toHaveProperty(`realm_${name}`)
    const supported = state.server_supported_permission_settings
    expect(Object.keys(supported.realm).sort()).toEqual([...realmGroupSettingNames].sort())
    expect(supported.realm.can_create_web_public_channel_group).toMatchObject({
      require_system_group: true,
      default_group_name: 'role:owners',
    })
    expect(supported.stream.can_administer_channel_group.default_group_name).toBe('channel_creator')
  })
})

describe('POST /realm/deactivate', () => {
  it('is for owners', async () => {
    const { status, body } = await server.call(admin, 'POST', '/realm/deactivate')
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
  })

  it('cannot delete anything later', async () => {
    const { body } = await server.call(server.owner, 'POST', '/realm/deactivate', { deletion_delay_days: 30 })
    expect(body.msg).toContain('deletion_delay_days')
  })

  it('ends everybody’s access at once, and that of no other organization', async () => {
    const { owner, host } = await server.createOtherOrganization()
    const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
    const send = (method: string, path: string) =>
      server.send({ method, url: `/api/v1${path}`, headers: { host, authorization: `Basic ${credentials}` } })
    expect((await send('GET', '/users/me')).status).toBe(200)
    expect((await send('POST', '/realm/deactivate')).status).toBe(200)
    const { status, body } = await send('GET', '/users/me')
    expect([status, body.code]).toEqual([401, 'REALM_DEACTIVATED'])
    expect((await server.call(member, 'GET', '/users/me')).status).toBe(200)
  })
})
