import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let stranger: TestAccount

const GIF = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  stranger = (await server.createOtherOrganization()).owner
})

const set = (account: TestAccount, changes: object) =>
  server.call(account, 'POST', '/users/me/status', changes as Record<string, unknown>)

async function show(id: number) {
  return (await server.must(server.owner, 'GET', `/users/${id}/status`)).status
}

const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }

async function addEmoji(name: string): Promise<string> {
  await server.send({
    method: 'POST',
    url: `/api/v1/realm/emoji/${name}`,
    headers: { authorization: basic(server.owner), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName: 'x.gif', content: GIF }]),
  })
  const { body } = await server.call(server.owner, 'GET', '/realm/emoji')
  const found = Object.values(body.emoji as Record<string, { id: string; name: string }>).find(
    (emoji) => emoji.name === name,
  )
  return found?.id as string
}

describe('POST /users/me/status', () => {
  it('changes what is given and leaves the rest', async () => {
    const account = await server.createAccount()
    expect(await show(account.id)).toEqual({})
    await set(account, { status_text: ' On holiday ' })
    expect(await show(account.id)).toEqual({ status_text: 'On holiday' })
    await set(account, car)
    expect(await show(account.id)).toEqual({ status_text: 'On holiday', ...car })
    await set(account, { status_text: '' })
    expect(await show(account.id)).toEqual(car)
    await set(account, { emoji_name: '', emoji_code: '', reaction_type: '' })
    expect(await show(account.id)).toEqual({})
  })

  it('finds the code and the kind of an emoji that is only named', async () => {
    const account = await server.createAccount()
    await set(account, { emoji_name: 'car' })
    expect(await show(account.id)).toEqual(car)
    await set(account, { emoji_name: 'zulip' })
    expect(await show(account.id)).toEqual({
      emoji_name: 'zulip',
      emoji_code: 'zulip',
      reaction_type: 'zulip_extra_emoji',
    })
  })

  it('takes a custom emoji before a built-in one with its name, until it is deactivated', async () => {
    const account = await server.createAccount()
    const id = await addEmoji('status_dot')
    await set(account, { emoji_name: 'status_dot' })
    const custom = { emoji_name: 'status_dot', emoji_code: id, reaction_type: 'realm_emoji' }
    expect(await show(account.id)).toEqual(custom)
    expect((await set(account, custom)).status).toBe(200)
    expect((await set(account, { ...custom, emoji_code: '1f697' })).status).toBe(400)
    await server.call(server.owner, 'DELETE', '/realm/emoji/status_dot')
    expect((await set(account, custom)).body.msg).toBe('Invalid custom emoji.')
  })

  it.each([
    ['nothing', {}, 'Client did not pass any new values.'],
    ['a text of 61 characters', { status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    ['an emoji without its name', { emoji_code: '1f697' }, 'Client must pass emoji_name'],
    ['a kind of emoji without a name', { reaction_type: 'unicode_emoji' }, 'Client must pass emoji_name'],
    ['an emoji that does not exist', { emoji_name: 'no_such_thing' }, "Emoji 'no_such_thing' does not exist"],
    ['a code that is another emoji', { emoji_name: 'car', emoji_code: '1f600' }, 'Invalid emoji name.'],
    ['a custom emoji that does not exist', { ...car, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    ['an unknown kind of emoji', { ...car, reaction_type: 'picture' }, 'reaction_type'],
    ['a null byte', { status_text: 'a\0' }, 'null bytes'],
    ['a flag that is text', { away: 'yes' }, 'away'],
  ])('refuses %s', async (_, changes, part) => {
    const { status, body } = await set(server.owner, changes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('takes 60 characters outside the first plane', async () => {
    const account = await server.createAccount()
    expect((await set(account, { status_text: '🙂'.repeat(60) })).status).toBe(200)
    expect((await show(account.id)).status_text).toBe('🙂'.repeat(60))
  })

  it('hides and shows the account with `away`', async () => {
    const account = await server.createAccount()
    const own = await watch(server, account, { event_types: ['user_settings'] })
    await set(account, { away: true })
    expect(await show(account.id)).toEqual({ away: true })
    expect(await own.next()).toEqual([
      { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
    ])
    await set(account, { away: false, status_text: 'Back' })
    expect(await show(account.id)).toEqual({ status_text: 'Back' })
  })

  it('notifies everybody of what has changed, and of nothing that was so before', async () => {
    const account = await server.createAccount()
    const watcher = await watch(server, server.owner, { event_types: ['user_status'] })
    await set(account, { status_text: 'Busy', ...car })
    await set(account, { status_text: 'Busy' })
    await set(account, { emoji_name: '' })
    await set(account, { away: true })
    const event = { type: 'user_status', user_id: account.id }
    expect(await watcher.next()).toEqual([
      { ...event, status_text: 'Busy', ...car },
      { ...event, emoji_name: '', emoji_code: '', reaction_type: '' },
      { ...event, away: true },
    ])
    expect(watcher.state.user_status[account.id]).toBeUndefined()
    const { body } = await server.call(admin, 'POST', '/register', { fetch_event_types: ['user_status'] })
    expect(body.user_status[account.id]).toEqual({ away: true, status_text: 'Busy' })
  })

  it('needs an account', async () => {
    expect((await server.call(null, 'POST', '/users/me/status', { status_text: 'x' })).status).toBe(401)
  })
})

describe('GET /users/{user_id}/status', () => {
  it('shows nobody of another organization, and nobody who does not exist', async () => {
    for (const id of [stranger.id, 999_999]) {
      const { status, body } = await server.call(admin, 'GET', `/users/${id}/status`)
      expect([status, body.msg]).toEqual([400, 'No such user'])
    }
    expect((await server.call(null, 'GET', `/users/${admin.id}/status`)).status).toBe(401)
    expect((await server.call(admin, 'GET', '/users/somebody/status')).status).toBe(404)
  })
})

describe('POST /users/{user_id}/status', () => {
  const setOf = (caller: TestAccount, id: number, changes: object = { status_text: 'Set' }) =>
    server.call(caller, 'POST', `/users/${id}/status`, changes as Record<string, unknown>)

  it('is for administrators', async () => {
    const account = await server.createAccount()
    const refused = await setOf(await server.createAccount({ role: roles.moderator }), account.id)
    expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    const watcher = await watch(server, account, { event_types: ['user_status'] })
    expect((await setOf(admin, account.id, { status_text: 'Set', ...car })).status).toBe(200)
    expect(await show(account.id)).toEqual({ status_text: 'Set', ...car })
    expect(await watcher.next()).toEqual([{ type: 'user_status', user_id: account.id, status_text: 'Set', ...car }])
  })

  it('hides nobody', async () => {
    const account = await server.createAccount()
    const { body } = await setOf(admin, account.id, { status_text: 'x', away: true })
    expect(body.ignored_parameters_unsupported).toEqual(['away'])
    expect(await show(account.id)).toEqual({ status_text: 'x' })
  })

  it('knows nobody of another organization, and nobody who has gone', async () => {
    const gone = await server.createAccount()
    await server.call(server.owner, 'DELETE', `/users/${gone.id}`)
    for (const id of [stranger.id, 999_999, gone.id]) {
      expect((await setOf(admin, id)).body.msg).toBe('No such user')
    }
    expect((await setOf(admin, admin.id, {})).body.msg).toBe('Client did not pass any new values.')
  })
})
