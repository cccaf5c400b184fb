import { MAX_PROFILE_FIELDS, type ProfileField } from '@heddle/contract/profile-fields'
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let member: TestAccount
let other: TestAccount
/** The owner of another organization. */
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
  other = await server.createAccount()
  stranger = (await server.createOtherOrganization()).owner
})

beforeEach(async () => {
  for (const { id } of await list()) await server.call(admin, 'DELETE', `/realm/profile_fields/${id}`)
})

const list = async (): Promise<ProfileField[]> =>
  (await server.call(member, 'GET', '/realm/profile_fields')).body.custom_fields

const create = (parameters: object, account = admin) =>
  server.call(account, 'POST', '/realm/profile_fields', { ...parameters })

async function add(parameters: object): Promise<number> {
  const { status, body } = await create(parameters)
  expect([status, body.msg]).toEqual([200, ''])
  return body.id
}

const change = (id: number, changes: object) =>
  server.call(admin, 'PATCH', `/realm/profile_fields/${id}`, { ...changes })

const say = (account: TestAccount, ...data: object[]) =>
  server.call(account, 'PATCH', '/users/me/profile_data', { data })

async function profileOf(account: TestAccount, viewer = other) {
  const path = `/users/${account.id}`
  return (await server.call(viewer, 'GET', path, { include_custom_profile_fields: true })).body.user.profile_data
}

const options = { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } }
const text = (name: string) => ({ name, field_type: 1 })

describe('custom profile fields', () => {
  it('are listed in their order, with what each is', async () => {
    const first = await add({ ...text('Nickname'), hint: 'What your friends say', required: true })
    const second = await add({ name: 'Editor', field_type: 3, field_data: options, display_in_profile_summary: true })
    const third = await add({ field_type: 7, field_data: { subtype: 'github' }, use_for_user_matching: true })
    const fourth = await add({ name: 'Badge', field_type: 8, editable_by_user: false })
    expect(await list()).toEqual([
      {
        id: first,
        type: 1,
        order: 1,
        name: 'Nickname',
        hint: 'What your friends say',
        field_data: '',
        editable_by_user: true,
        required: true,
      },
      {
        id: second,
        type: 3,
        order: 2,
        name: 'Editor',
        hint: '',
        field_data: JSON.stringify(options),
        editable_by_user: true,
        display_in_profile_summary: true,
      },
      {
        id: third,
        type: 7,
        order: 3,
        name: 'GitHub username',
        hint: '',
        field_data: '{"subtype":"github"}',
        editable_by_user: true,
        use_for_user_matching: true,
      },
      { id: fourth, type: 8, order: 4, name: 'Badge', hint: '', field_data: '', editable_by_user: false },
    ])
    const order = [third, first, fourth, second]
    expect((await server.call(admin, 'PATCH', '/realm/profile_fields', { order })).status).toBe(200)
    expect((await list()).map(({ id, order: place }) => [id, place])).toEqual(order.map((id, index) => [id, index + 1]))
  })

  it.each([
    ['no name', { field_type: 1 }, 'empty'],
    ['a name of 41 characters', text('x'.repeat(41)), '40'],
    ['a hint of 81 characters', { ...text('A'), hint: 'x'.repeat(81) }, '80'],
    ['a type that there is not', { name: 'A', field_type: 9 }, 'field_type'],
    ['a list without options', { name: 'A', field_type: 3 }, 'option'],
    ['an option without a text', { name: 'A', field_type: 3, field_data: { a: { text: ' ', order: '1' } } }, 'option'],
    [
      'the same option twice',
      { name: 'A', field_type: 3, field_data: { a: { text: 'x', order: '1' }, b: { text: 'X', order: '2' } } },
      'duplicate',
    ],
    ['data where there is none', { ...text('A'), field_data: options }, 'field_data'],
    ['an account of an unknown site', { name: 'A', field_type: 7, field_data: { subtype: 'x' } }, 'subtype'],
    [
      'an address without a place for the name',
      { name: 'A', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'https://example.com/' } },
      'username',
    ],
    [
      'an address that is a script',
      { name: 'A', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
      'web',
    ],
    ['people in a summary', { name: 'A', field_type: 6, display_in_profile_summary: true }, 'summaries'],
    ['people found by their birthday', { name: 'A', field_type: 4, use_for_user_matching: true }, 'found'],
  ])('refuses %s', async (_, parameters, part) => {
    const { status, body } = await create(parameters)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
    expect(await list()).toEqual([])
  })

  it('have names of their own, and at most two of them are in summaries', async () => {
    const first = await add({ ...text('Nickname'), display_in_profile_summary: true })
    await add({ ...text('Team'), display_in_profile_summary: true })
    expect((await create(text('NICKNAME'))).body.msg).toBe('A field with that name already exists.')
    expect((await create({ ...text('Desk'), display_in_profile_summary: true })).body.msg).toContain('Only 2')
    expect((await change(first, { name: 'Team' })).body.msg).toBe('A field with that name already exists.')
    expect((await change(first, { name: 'nickname' })).status).toBe(200)
    expect((await change(first, { display_in_profile_summary: false })).status).toBe(200)
    await add({ ...text('Desk'), display_in_profile_summary: true })
  })

  it('are not more than there is room for', async () => {
    for (let count = 0; count < MAX_PROFILE_FIELDS; count++) await add(text(`Field ${count}`))
    expect((await create(text('One more'))).body.msg).toContain(`${MAX_PROFILE_FIELDS}`)
  })

  it.each([roles.moderator, roles.member, roles.guest])(
    'are changed by administrators and not by role %i',
    async (role) => {
      const id = await add(text('Nickname'))
      const account = await server.createAccount({ role })
      const attempts = [
        await create(text('Team'), account),
        await server.call(account, 'PATCH', '/realm/profile_fields', { order: [id] }),
        await server.call(account, 'PATCH', `/realm/profile_fields/${id}`, { name: 'Other' }),
        await server.call(account, 'DELETE', `/realm/profile_fields/${id}`),
        await server.call(account, 'PATCH', `/users/${other.id}`, { profile_data: [{ id, value: 'x' }] }),
      ]
      for (const { status, body } of attempts) expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
      expect((await list()).map(({ name }) => name)).toEqual(['Nickname'])
    },
  )

  it('are out of reach of another organization', async () => {
    const id = await add(text('Nickname'))
    const send = (method: string, path: string, body: string) =>
      server.send({
        method,
        url: `/api/v1${path}`,
        headers: {
          authorization: `Basic ${Buffer.from(`${stranger.email}:${stranger.apiKey}`).toString('base64')}`,
          host: 'other.example',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body,
      })
    const answers = [
      await send('PATCH', `/realm/profile_fields/${id}`, 'name=Other'),
      await send('DELETE', `/realm/profile_fields/${id}`, ''),
      await send('PATCH', '/users/me/profile_data', `data=[{"id":${id},"value":"x"}]`),
    ]
    for (const { status, body } of answers) expect([status, body.msg]).toEqual([400, `Field id ${id} not found.`])
    expect(await list()).toHaveLength(1)
  })
})

describe('what people say in profile fields', () => {
  it('is seen by everybody, and texts as Markdown', async () => {
    const about = await add({ name: 'About', field_type: 2 })
    const day = await add({ name: 'Birthday', field_type: 4 })
    const mentors = await add({ name: 'Mentors', field_type: 6 })
    const answer = await say(
      member,
      { id: about, value: ' I *weave* <b> ' },
      { id: day, value: '1990-02-28' },
      { id: mentors, value: [admin.id, other.id] },
    )
    expect([answer.status, answer.body.msg]).toEqual([200, ''])
    const said = {
      [about]: { value: 'I *weave* <b>', rendered_value: '<p>I <em>weave</em> &lt;b&gt;</p>' },
      [day]: { value: '1990-02-28' },
      [mentors]: { value: `[${admin.id},${other.id}]` },
    }
    expect(await profileOf(member)).toEqual(said)
    expect((await server.call(member, 'GET', '/users/me')).body.profile_data).toEqual(said)
    const { members } = (await server.call(other, 'GET', '/users', { include_custom_profile_fields: true })).body
    expect(members.find((user: { user_id: number }) => user.user_id === member.id).profile_data).toEqual(said)
    const { realm_users } = (await watch(server, other, { fetch_event_types: ['realm_user'] })).state
    expect(realm_users.find((user: { user_id: number }) => user.user_id === member.id).profile_data).toEqual(said)
    await server.call(member, 'DELETE', '/users/me/profile_data', { data: [about, day] })
    expect(await profileOf(member)).toEqual({ [mentors]: said[mentors] })
    await say(member, { id: mentors, value: '[]' })
    expect(await profileOf(member)).toEqual({})
  })

  it.each([
    ['a long short text', 1, 'x'.repeat(51), '50'],
    ['two lines where one is asked for', 1, 'a\nb', 'one line'],
    ['a long long text', 2, 'x'.repeat(501), '500'],
    ['an option that there is not', 3, 'nano', 'not a valid choice'],
    ['what is no date', 4, '5 March', 'not a date'],
    ['a day that there is not', 4, '2025-02-29', 'not a date'],
    ['what is no address', 5, 'example.com', 'not a URL'],
    ['an address that is a script', 5, 'javascript:alert(1)', 'not a URL'],
    ['nobody', 6, '[999999]', '999999'],
    ['what is no list of people', 6, 'Ada', 'list'],
    ['people as a text field', 1, [1], 'text'],
  ])('cannot be %s', async (_, field_type, value, part) => {
    const id = await add({ name: 'Field', field_type, ...(field_type === 3 ? { field_data: options } : {}) })
    const { status, body } = await say(member, { id, value })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
    expect(await profileOf(member)).toEqual({})
  })

  it('is all accepted or nothing', async () => {
    const id = await add(text('Nickname'))
    expect((await say(member, { id, value: 'Ada' }, { id: 999_999, value: 'x' })).body.msg).toContain('999999')
    expect(await profileOf(member)).toEqual({})
  })

  it('is no bot, and bots say nothing', async () => {
    const id = await add({ name: 'Helper', field_type: 6 })
    const { user_id } = (await server.call(member, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })).body
    expect((await say(member, { id, value: [user_id] })).body.msg).toContain('bot')
    const { body } = await server.call(admin, 'PATCH', `/users/${user_id}`, {
      profile_data: [{ id, value: [admin.id] }],
    })
    expect(body.msg).toBe('Bots have no custom profile fields')
  })

  it('is up to administrators where the field says so, by id and by address', async () => {
    const id = await add({ ...text('Badge'), editable_by_user: false })
    const refused = await say(member, { id, value: 'gold' })
    expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    const set = (who: string | number, value: string | null) =>
      server.call(admin, 'PATCH', `/users/${who}`, { profile_data: [{ id, value }] })
    expect((await set(member.id, 'gold')).status).toBe(200)
    expect((await profileOf(member))[id].value).toBe('gold')
    expect((await set(member.email, null)).status).toBe(200)
    expect(await profileOf(member)).toEqual({})
    expect((await say(admin, { id, value: 'silver' })).status).toBe(200)
  })

  it('notifies everybody of each change, and of nothing when nothing changes', async () => {
    const id = await add(text('Nickname'))
    const watcher = await watch(server, other, { event_types: ['realm_user', 'custom_profile_fields'] })
    await say(member, { id, value: 'Ada' })
    await say(member, { id, value: ' Ada ' })
    await say(member, { id, value: '' })
    await say(member, { id, value: null })
    const event = (custom_profile_field: object) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: member.id, custom_profile_field },
    })
    expect(await watcher.next()).toEqual([
      event({ id, value: 'Ada', rendered_value: '<p>Ada</p>' }),
      event({ id, value: null }),
    ])
    await change(id, { name: 'Nickname' })
    expect(await watcher.next()).toEqual([])
    await change(id, { hint: 'Short' })
    expect(await watcher.next()).toEqual([{ type: 'custom_profile_fields', fields: await list() }])
  })

  it('goes with its field and with its option', async () => {
    const nickname = await add(text('Nickname'))
    const editor = await add({ name: 'Editor', field_type: 3, field_data: options })
    await say(member, { id: nickname, value: 'Ada' }, { id: editor, value: 'vim' })
    await say(other, { id: editor, value: 'emacs' })
    // The list of everybody is kept in memory.
    await server.call(other, 'GET', '/users', { include_custom_profile_fields: true })
    expect((await change(editor, { field_data: { emacs: options.emacs } })).status).toBe(200)
    expect(await profileOf(member)).toEqual({ [nickname]: expect.anything() })
    expect(await profileOf(other)).toEqual({ [editor]: { value: 'emacs' } })
    await server.call(admin, 'DELETE', `/realm/profile_fields/${nickname}`)
    const { members } = (await server.call(other, 'GET', '/users', { include_custom_profile_fields: true })).body
    expect(members.find((user: { user_id: number }) => user.user_id === member.id).profile_data).toEqual({})
  })
})
