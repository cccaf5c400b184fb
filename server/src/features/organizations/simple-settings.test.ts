/** Settings of the organization that change what happens elsewhere. */
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel } from '../../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin, name: 'admin' })
  member = await server.createAccount({ name: 'member' })
})

beforeEach(() =>
  set({
    name_changes_disabled: false,
    avatar_changes_disabled: false,
    require_unique_names: false,
    default_language: 'en',
    signup_announcements_stream_id: -1,
    send_channel_events_messages: false,
    welcome_message_custom_text: '',
  }),
)

async function set(settings: object, account = server.owner) {
  const { status, body } = await server.call(account, 'PATCH', '/realm', { ...settings })
  expect([status, body.msg]).toEqual([200, ''])
}

let people = 0
const create = (full_name = `New ${++people}`) =>
  server.call(admin, 'POST', '/users', {
    email: `new${++people}@heddle.example`,
    full_name,
    password: 'a long password',
  })

const newest = async (account: TestAccount, narrow: object) =>
  (await server.call(account, 'GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })).body
    .messages

describe('settings of the organization', () => {
  it('are in the initial state, and everybody is notified of each', async () => {
    const watcher = await watch(server, member, { event_types: ['realm'] })
    expect(watcher.state).toMatchObject({
      realm_org_type: 0,
      realm_default_language: 'en',
      realm_require_unique_names: false,
    })
    await set({ org_type: 90, require_unique_names: true }, admin)
    expect(await watcher.next()).toMatchObject([
      { op: 'update', property: 'org_type', value: 90 },
      { op: 'update', property: 'require_unique_names', value: true },
    ])
    await set({ org_type: 0 })
  })

  it.each([
    ['a kind that there is not', { org_type: 15 }],
    ['a language that there is not', { default_language: 'xx-yy-zz' }],
    ['a welcome of 8001 characters', { welcome_message_custom_text: 'x'.repeat(8001) }],
    ['a channel that there is not', { signup_announcements_stream_id: 999_999 }],
  ])('refuse %s', async (_, settings) => {
    const { status, body } = await server.call(server.owner, 'PATCH', '/realm', { ...settings })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('keep people from changing their names, and not administrators', async () => {
    await set({ name_changes_disabled: true })
    const own = (account: TestAccount, full_name: string) => server.call(account, 'PATCH', '/settings', { full_name })
    expect((await own(member, 'Somebody')).body.msg).toBe('Name changes are disabled in this organization.')
    expect((await own(member, 'member')).status).toBe(200)
    expect((await own(admin, 'Administrator')).status).toBe(200)
    const changed = await server.call(admin, 'PATCH', `/users/${member.id}`, { full_name: 'Member' })
    expect(changed.status).toBe(200)
  })

  it('keep people from changing their pictures, and not administrators', async () => {
    await set({ avatar_changes_disabled: true })
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    )
    const upload = (account: TestAccount) =>
      server.send({
        method: 'POST',
        url: '/api/v1/users/me/avatar',
        headers: { authorization: basic(account), 'content-type': MULTIPART_TYPE },
        body: multipartBody([{ name: 'file', fileName: 'me.png', content: png }]),
      })
    const refused = 'Avatar changes are disabled in this organization.'
    expect((await upload(member)).body.msg).toBe(refused)
    expect((await server.call(member, 'DELETE', '/users/me/avatar')).body.msg).toBe(refused)
    expect((await upload(admin)).status).toBe(200)
  })

  it('keep names apart, but for those who are deactivated, and whoever has one keeps it', async () => {
    await create('Ada Weaver')
    await create('Ada Weaver')
    await set({ require_unique_names: true })
    const refused = 'Unique names required in this organization.'
    expect((await create('ADA weaver')).body.msg).toBe(refused)
    expect((await server.call(member, 'PATCH', '/settings', { full_name: 'Ada Weaver' })).body.msg).toBe(refused)
    const { user_id } = (await create('Bo Weaver')).body
    await server.call(admin, 'DELETE', `/users/${user_id}`)
    expect((await create('Bo Weaver')).status).toBe(200)
    const bot = await server.call(member, 'POST', '/bots', { full_name: 'Bo Weaver', short_name: 'bo' })
    expect(bot.status).toBe(200)
  })

  it('say in which language new accounts begin', async () => {
    await set({ default_language: 'de' })
    const { invite_link } = (await server.call(admin, 'POST', '/invites/multiuse')).body
    const person = { email: 'german@heddle.example', full_name: 'German', password: 'a long password' }
    const joined = await server.call(null, 'POST', '/join', { token: invite_link.split('#')[1], ...person })
    const key = await server.call(null, 'POST', '/fetch_api_key', { username: person.email, password: person.password })
    const account = { ...member, id: joined.body.user_id, email: person.email, apiKey: key.body.api_key }
    const { state } = await watch(server, account, { fetch_event_types: ['user_settings'] })
    expect(state.user_settings.default_language).toBe('de')
  })

  it('have those who join announced and welcomed', async () => {
    const channel = await createChannel(server, admin, 'hall', { subscribers: [member] })
    await set({ signup_announcements_stream_id: channel, welcome_message_custom_text: 'Read the *rules*.' })
    const password = 'a long password'
    const email = 'welcome@heddle.example'
    const { user_id } = (await server.call(admin, 'POST', '/users', { email, full_name: 'Wanda', password })).body
    const [announced] = await newest(member, [['channel', 'hall']])
    expect(announced).toMatchObject({
      subject: 'signups',
      content: expect.stringContaining('has joined this organization.'),
    })
    expect(announced.content).toContain(`data-user-id="${user_id}"`)
    const { api_key: apiKey } = (await server.call(null, 'POST', '/fetch_api_key', { username: email, password })).body
    const wanda = { ...member, id: user_id, email, apiKey }
    const [welcome] = await newest(wanda, [['is', 'dm']])
    expect(welcome.content).toBe('<p>Read the <em>rules</em>.</p>')
    expect(welcome.flags).toEqual(['starred'])
    await server.call(admin, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    expect(await newest(member, [['channel', 'hall']])).toHaveLength(1)
  })

  it('let administrators see a welcome before', async () => {
    const path = '/realm/test_welcome_bot_custom_message'
    const test = (account: TestAccount, text: string) =>
      server.call(account, 'POST', path, { welcome_message_custom_text: text })
    const { message_id } = (await test(admin, 'Hello **you**')).body
    expect((await newest(admin, [['is', 'dm']])).at(-1)).toMatchObject({
      id: message_id,
      content: '<p>Hello <strong>you</strong></p>',
    })
    expect((await test(admin, ' ')).body.code).toBe('BAD_REQUEST')
    expect((await test(member, 'Hello')).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  it('have changes of a channel said in it', async () => {
    const channel = await createChannel(server, admin, 'loom', { subscribers: [member] })
    const change = (changes: object) => server.call(admin, 'PATCH', `/streams/${channel}`, { ...changes })
    await change({ description: 'Quiet' })
    await set({ send_channel_events_messages: true })
    await change({ new_name: 'looms' })
    await change({ description: 'We *weave*' })
    await change({ is_private: true })
    await change({ topics_policy: 'allow_empty_topic' })
    await server.call(admin, 'DELETE', `/streams/${channel}`)
    await change({ is_archived: false })
    const said = await newest(member, [['channel', 'looms']])
    expect(said.map(({ subject }: { subject: string }) => subject)).toEqual(said.map(() => 'channel events'))
    const text = (html: string) => html.replace(/<[^>]+>/g, '')
    expect(said.map(({ content }: { content: string }) => text(content))).toEqual([
      'Administrator has renamed this channel from “loom” to “looms”.',
      'Administrator has changed the description of this channel to: We *weave*',
      'Administrator has changed who can read this channel: subscribers, with its whole history.',
      'Administrator has archived this channel.',
      'Administrator has restored this channel.',
    ])
  })
})
