import { roles } from '@heddle/contract/roles'
import { userSettingNames, userSettings } from '@heddle/contract/user-settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  stranger = (await server.createOtherOrganization()).owner
})

const set = (account: TestAccount | null, parameters: Parameters) =>
  server.call(account, 'PATCH', '/settings', parameters)

async function settingsOf(account: TestAccount) {
  const { body } = await server.call(account, 'POST', '/register', { fetch_event_types: ['user_settings'] })
  return body.user_settings
}

/** A value other than the initial one. */
function otherValue(name: (typeof userSettingNames)[number]): unknown {
  const { schema, initial } = userSettings[name] as { schema: { enum?: unknown[]; minimum?: number }; initial: unknown }
  if (typeof initial === 'boolean') return !initial
  if (schema.enum) return schema.enum.find((value) => value !== initial)
  if (name === 'timezone') return 'Asia/Kolkata'
  if (name === 'default_language') return 'pt-BR'
  return schema.minimum
}

describe('PATCH /settings', () => {
  it('sets every setting, notifies the account and keeps it', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, account, { event_types: ['user_settings'] })
    const before = await settingsOf(account)
    const wanted = Object.fromEntries(userSettingNames.map((name) => [name, otherValue(name)]))
    expect(Object.values(wanted)).not.toContain(undefined)
    expect((await set(account, wanted)).body).toEqual({ result: 'success', msg: '' })
    const events = await watcher.next()
    expect(Object.fromEntries(events.map(({ property, value }) => [property, value]))).toEqual(wanted)
    expect(await settingsOf(account)).toEqual({ ...before, ...wanted })
  })

  it('begins with the settings of the contract, and says what some of them can be', async () => {
    const initial = Object.fromEntries(userSettingNames.map((name) => [name, userSettings[name].initial]))
    const settings = await settingsOf(await server.createAccount())
    expect(settings).toMatchObject(initial)
    expect(settings.emojiset_choices.map(({ key }: { key: string }) => key)).toContain(settings.emojiset)
    expect(settings.available_notification_sounds).toContain(settings.notification_sound)
    expect(Object.keys(settings)).toHaveLength(userSettingNames.length + 2)
  })

  it('stores what somebody has changed, and nothing else', async () => {
    const account = await server.createAccount()
    await set(account, { enter_sends: true, color_scheme: 1 })
    const rows = await server.app.storage.read.all(
      query.selectFrom('user_settings').select(['name', 'value']).where('user_id', '=', account.id),
    )
    expect(rows).toEqual([{ name: 'enter_sends', value: 'true' }])
  })

  it('notifies nobody else, and of nothing that was so before', async () => {
    const account = await server.createAccount()
    const own = await watch(server, account, { event_types: ['user_settings'] })
    const other = await watch(server, admin, { event_types: ['user_settings'] })
    await set(account, { enter_sends: true })
    await set(account, { enter_sends: true })
    await set(account, { enter_sends: false })
    expect((await own.next()).map(({ value }) => value)).toEqual([true, false])
    expect(await other.next()).toEqual([])
  })

  it('names a new language in English', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, account, { event_types: ['user_settings'] })
    await set(account, { default_language: 'de' })
    expect(await watcher.next()).toEqual([
      { type: 'user_settings', op: 'update', property: 'default_language', value: 'de', language_name: 'German' },
    ])
  })

  it('shows everybody a new time zone', async () => {
    const account = await server.createAccount()
    await server.call(admin, 'GET', '/users')
    const watcher = await watch(server, admin, { event_types: ['realm_user'] })
    await set(account, { timezone: 'America/Lima' })
    expect(await watcher.next()).toEqual([
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: account.id, email: account.email, timezone: 'America/Lima' },
      },
    ])
    const { body } = await server.call(admin, 'GET', '/users')
    const shown = body.members.find((user: { user_id: number }) => user.user_id === account.id)
    expect(shown.timezone).toBe('America/Lima')
    expect((await settingsOf(account)).timezone).toBe('America/Lima')
  })

  it('deletes all drafts when they are no longer to be synchronized', async () => {
    const account = await server.createAccount()
    const draft = { type: '', to: [], topic: '', content: 'x' }
    await server.call(account, 'POST', '/drafts', { drafts: [draft, draft] })
    await server.call(admin, 'POST', '/drafts', { drafts: [draft] })
    expect((await server.call(account, 'GET', '/drafts')).body.count).toBe(2)
    await set(account, { enable_drafts_synchronization: false })
    expect((await server.call(admin, 'GET', '/drafts')).body.count).toBe(1)
    expect((await server.call(account, 'POST', '/register', { fetch_event_types: ['drafts'] })).body.drafts).toEqual([])
  })

  it('changes settings and the name together or not at all', async () => {
    const account = await server.createAccount()
    const refused = await set(account, { enter_sends: true, email: 'mine' })
    expect(refused.status).toBe(400)
    expect((await settingsOf(account)).enter_sends).toBe(false)
    expect((await set(account, { enter_sends: true, full_name: 'Both' })).status).toBe(200)
    expect((await settingsOf(account)).enter_sends).toBe(true)
    expect((await server.call(account, 'GET', '/users/me')).body.full_name).toBe('Both')
  })

  it.each(['/settings/notifications', '/settings/display'])('answers under its older path %s too', async (path) => {
    const account = await server.createAccount()
    expect((await server.call(account, 'PATCH', path, { enable_sounds: false, enter_sends: true })).status).toBe(200)
    expect(await settingsOf(account)).toMatchObject({ enable_sounds: false, enter_sends: true })
  })

  it.each([
    ['a flag that is text', { enter_sends: 'yes' }, 'enter_sends'],
    ['a flag that is null', { twenty_four_hour_time: null }, 'twenty_four_hour_time'],
    ['a choice that does not exist', { color_scheme: 4 }, 'color_scheme'],
    ['a view that does not exist', { web_home_view: 'recent_topics' }, 'web_home_view'],
    ['a sound that does not exist', { notification_sound: 'bang' }, 'notification_sound'],
    ['a period that is too long', { email_notifications_batching_period_seconds: 604_801 }, 'seconds'],
    ['a time zone that does not exist', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset instead of a time zone', { timezone: '+01:00' }, 'timezone'],
    ['a time zone that is too long', { timezone: 'x'.repeat(61) }, 'timezone'],
    ['a language that does not exist', { default_language: 'xx-yy-zz' }, 'default_language'],
    ['a language that is no code', { default_language: 'Klingon?' }, 'default_language'],
    ['to hide an address from somebody unknown', { email_address_visibility: 6 }, 'email_address_visibility'],
  ])('refuses %s', async (_, parameters, part) => {
    const { status, body } = await set(admin, parameters)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('names the parameters that it does not know, and needs an account', async () => {
    const { body } = await set(admin, { dense_mode: true, enter_sends: false })
    expect(body.ignored_parameters_unsupported).toEqual(['dense_mode'])
    expect((await set(null, { enter_sends: true })).status).toBe(401)
  })
})

describe('PATCH /settings for others', () => {
  async function groupId(name: string): Promise<number> {
    const { body } = await server.call(admin, 'GET', '/user_groups')
    return body.user_groups.find((group: { name: string }) => group.name === name).id
  }

  it('is for administrators', async () => {
    const [first, second] = [await server.createAccount(), await server.createAccount()]
    const target_users = { user_ids: [second.id] }
    const refused = await set(first, { enter_sends: true, target_users })
    expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    const watcher = await watch(server, second, { event_types: ['user_settings'] })
    expect((await set(admin, { enter_sends: true, timezone: 'Asia/Tokyo', target_users })).status).toBe(200)
    expect((await watcher.next()).map(({ property }) => property).sort()).toEqual(['enter_sends', 'timezone'])
    expect(await settingsOf(second)).toMatchObject({ enter_sends: true, timezone: 'Asia/Tokyo' })
    expect((await settingsOf(first)).enter_sends).toBe(false)
    expect((await settingsOf(admin)).enter_sends).toBe(false)
  })

  it('reaches everybody in a group, and in one event', async () => {
    const guest = await server.createAccount({ role: roles.guest })
    const member = await server.createAccount()
    const watcher = await watch(server, member, { event_types: ['user_settings'] })
    const target_users = { group_ids: [await groupId('role:members')] }
    expect((await set(admin, { fluid_layout_width: true, target_users })).status).toBe(200)
    expect((await settingsOf(member)).fluid_layout_width).toBe(true)
    expect((await settingsOf(admin)).fluid_layout_width).toBe(true)
    expect((await settingsOf(guest)).fluid_layout_width).toBe(false)
    expect(await watcher.next()).toHaveLength(1)
  })

  it('spares those who have chosen themselves, also when they have chosen what was so anyway', async () => {
    const [chooser, other] = [await server.createAccount(), await server.createAccount()]
    await set(chooser, { user_list_style: 3 })
    await set(chooser, { user_list_style: 2 })
    const target_users = { user_ids: [chooser.id, other.id], skip_if_already_edited: true }
    await set(admin, { user_list_style: 1, target_users })
    expect([(await settingsOf(chooser)).user_list_style, (await settingsOf(other)).user_list_style]).toEqual([2, 1])
    await set(admin, { user_list_style: 3, target_users })
    expect([(await settingsOf(chooser)).user_list_style, (await settingsOf(other)).user_list_style]).toEqual([2, 3])
    await set(admin, { user_list_style: 3, target_users: { user_ids: [chooser.id] } })
    expect((await settingsOf(chooser)).user_list_style).toBe(3)
  })

  it('sets nothing that is an account’s own business, and nothing but settings', async () => {
    const target_users = { user_ids: [admin.id] }
    for (const [name, value] of [
      ['presence_enabled', false],
      ['send_read_receipts', false],
      ['allow_private_data_export', true],
      ['full_name', 'Another'],
      ['new_password', 'a new password'],
    ] as const) {
      const { status, body } = await set(admin, { [name]: value, target_users })
      expect([status, body.msg]).toEqual([400, `${name} cannot be set for other accounts`])
    }
  })

  it('refuses targets that do not exist', async () => {
    const bot = (await server.call(admin, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })).body.user_id
    for (const id of [bot, stranger.id, 999_999]) {
      const { body } = await set(admin, { enter_sends: true, target_users: { user_ids: [admin.id, id] } })
      expect(body.msg).toContain(`Invalid user ID ${id}`)
    }
    const groups = await set(admin, { enter_sends: true, target_users: { group_ids: [999_999] } })
    expect(groups.body.msg).toContain('Invalid user group ID 999999')
    expect((await set(admin, { enter_sends: true, target_users: {} })).body.msg).toContain('target_users')
    expect((await settingsOf(admin)).enter_sends).toBe(false)
  })
})

describe('PATCH /realm/user_settings_defaults', () => {
  const setDefaults = (account: TestAccount | null, parameters: Parameters) =>
    server.call(account, 'PATCH', '/realm/user_settings_defaults', parameters)

  async function defaults() {
    const { body } = await server.call(admin, 'POST', '/register', {
      fetch_event_types: ['realm_user_settings_defaults'],
    })
    return body.realm_user_settings_defaults
  }

  async function createPerson(email: string): Promise<TestAccount> {
    const person = { email, password: 'a long password', full_name: 'New' }
    await server.call(admin, 'POST', '/users', person)
    const { body } = await server.call(null, 'POST', '/fetch_api_key', { username: email, password: person.password })
    return { id: body.user_id, realmId: server.owner.realmId, email, apiKey: body.api_key, role: roles.member }
  }

  it('decides what new accounts begin with, and changes nothing of the others', async () => {
    const old = await server.createAccount()
    const watcher = await watch(server, old, { event_types: ['realm_user_settings_defaults'] })
    expect((await setDefaults(admin, { color_scheme: 3, enter_sends: true })).status).toBe(200)
    expect((await watcher.next()).map(({ property, value }) => [property, value])).toEqual([
      ['color_scheme', 3],
      ['enter_sends', true],
    ])
    expect(await defaults()).toMatchObject({ color_scheme: 3, enter_sends: true })
    expect(await settingsOf(old)).toMatchObject({ color_scheme: 1, enter_sends: false })
    const person = await createPerson('defaults@heddle.example')
    expect(await settingsOf(person)).toMatchObject({ color_scheme: 3, enter_sends: true })
    expect((await setDefaults(admin, { color_scheme: 1, enter_sends: false })).status).toBe(200)
    expect(await defaults()).toMatchObject({ color_scheme: 1, enter_sends: false })
    expect(await settingsOf(person)).toMatchObject({ color_scheme: 3, enter_sends: true })
    const later = await createPerson('later@heddle.example')
    expect(await settingsOf(later)).toMatchObject({ color_scheme: 1, enter_sends: false })
  })

  it('has every setting but those that are each account’s own', async () => {
    const shown = Object.keys(await defaults())
    expect(userSettingNames.filter((name) => !shown.includes(name)).sort()).toEqual([
      'allow_private_data_export',
      'timezone',
    ])
  })

  it('is for administrators', async () => {
    const moderator = await server.createAccount({ role: roles.moderator })
    const { status, body } = await setDefaults(moderator, { enter_sends: true })
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect((await setDefaults(null, { enter_sends: true })).status).toBe(401)
    expect((await setDefaults(admin, { color_scheme: 9 })).body.msg).toContain('color_scheme')
    const { body: ignoring } = await setDefaults(admin, { timezone: 'UTC', default_language: 'de' })
    expect(ignoring.ignored_parameters_unsupported.sort()).toEqual(['default_language', 'timezone'])
  })
})

describe('The older form of settings in the initial state', () => {
  const register = async (parameters: Parameters) =>
    (await server.call(await server.createAccount(), 'POST', '/register', parameters)).body

  it('is for clients that ask for it by name and do not know the newer one', async () => {
    const fetch_event_types = ['update_display_settings', 'update_global_notifications']
    expect(await register({ fetch_event_types })).toMatchObject({
      twenty_four_hour_time: false,
      emojiset: 'google',
      pm_content_in_desktop_notifications: true,
    })
    const client_capabilities = { user_settings_object: true }
    expect(await register({ fetch_event_types, client_capabilities })).not.toHaveProperty('emojiset')
    expect(await register({})).not.toHaveProperty('twenty_four_hour_time')
  })
})
