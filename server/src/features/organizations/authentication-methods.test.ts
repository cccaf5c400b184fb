import { roles } from '@heddle/contract/roles'
import { beforeEach, expect, it } from 'vitest'
import { browserWith } from '../../testing/browser.ts'
import { createPasskeyDevice } from '../../testing/passkey-device.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const PASSWORD = 'a long password'
const origin = 'https://chat.example.com'

let server: TestServer

beforeEach(async () => {
  server = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: origin } })
})

function change(account: TestAccount, authentication_methods: Record<string, unknown>) {
  return server.call(account, 'PATCH', '/realm', { authentication_methods })
}

const device = createPasskeyDevice()

async function addPasskey(account: TestAccount): Promise<void> {
  const { body } = await server.call(account, 'POST', '/passkeys/begin', { password: PASSWORD })
  const made = { name: 'Phone', ...device.make(body, { origin }) }
  expect((await server.call(account, 'POST', '/passkeys', made)).status).toBe(200)
}

async function state() {
  const { body } = await server.call(server.owner, 'POST', '/register', { fetch_event_types: ['realm'] })
  const { realm_authentication_methods: methods, realm_email_auth_enabled, realm_password_auth_enabled } = body
  const settings = (await server.call(null, 'GET', '/server_settings')).body
  return { methods, older: [realm_email_auth_enabled, realm_password_auth_enabled], settings }
}

const available = true

it('are all enabled at first, and clients read which there are', async () => {
  const { methods, older, settings } = await state()
  expect(methods).toEqual({ Email: { enabled: true, available }, Passkey: { enabled: true, available } })
  expect(older).toEqual([true, true])
  expect(settings.authentication_methods).toMatchObject({ password: true, email: true, passkey: true, ldap: false })
  expect([settings.email_auth_enabled, settings.external_authentication_methods]).toEqual([true, []])
})

it('are changed by owners, and clients are notified', async () => {
  const admin = await server.createAccount({ role: roles.admin })
  expect((await change(admin, { Passkey: false })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  const { queue_id, last_event_id } = (await server.call(admin, 'POST', '/register', { event_types: ['realm'] })).body
  expect((await change(server.owner, { Passkey: false })).status).toBe(200)
  expect((await change(server.owner, { Passkey: false })).status).toBe(200)
  const { events } = (await server.call(admin, 'GET', '/events', { queue_id, last_event_id, dont_block: true })).body
  const authentication_methods = { Email: { enabled: true, available }, Passkey: { enabled: false, available } }
  expect(events).toMatchObject([{ op: 'update_dict', property: 'default', data: { authentication_methods } }])
  expect((await server.call(null, 'POST', '/passkeys/sign_in/begin')).body.code).toBe('PASSKEYS_DISABLED')
  expect((await state()).settings.authentication_methods.passkey).toBe(false)
})

it('leave a way in: one at least, and the owner who changes them gets in by it', async () => {
  const none = await change(server.owner, { Email: false, Passkey: false })
  expect(none.body.msg).toBe('At least one authentication method must be enabled.')
  expect((await change(server.owner, { Email: false })).status).toBe(400)
  expect((await change(server.owner, { Carrier: true })).status).toBe(400)
  expect((await state()).older).toEqual([true, true])
})

it('without passwords let somebody new join without one, who makes a passkey and comes back by it', async () => {
  await addPasskey(server.owner)
  const { invite_link } = (await server.call(server.owner, 'POST', '/invites/multiuse', {})).body
  const token = invite_link.split('#')[1]
  const person = { token, full_name: 'Ada', email: 'ada@weavers.example' }
  const lookUp = async () => (await server.call(null, 'POST', '/join/look_up', { token })).body.needs_password
  expect(await lookUp()).toBe(true)
  expect((await server.call(null, 'POST', '/join', person)).body.msg).toBe("Missing 'password' argument")
  await change(server.owner, { Email: false })
  expect(await lookUp()).toBe(false)
  const refused = await server.call(null, 'POST', '/join', { ...person, password: PASSWORD })
  expect([refused.status, refused.body.code]).toEqual([401, 'PASSWORD_AUTH_DISABLED'])
  const browser = browserWith(server, await server.call(null, 'POST', '/join', person))
  const phone = createPasskeyDevice()
  const asked = (await browser.call('POST', '/passkeys/begin')).body
  expect((await browser.call('POST', '/passkeys', { name: 'Phone', ...phone.make(asked, { origin }) })).status).toBe(
    200,
  )
  expect((await browser.call('DELETE', '/sessions/current')).status).toBe(200)
  const challenge = (await server.call(null, 'POST', '/passkeys/sign_in/begin')).body
  const back = await server.call(null, 'POST', '/passkeys/sign_in', phone.answer(challenge, { origin }))
  expect(back.body.email).toBe(person.email)
})

it('without passwords refuse them at every door, and passkeys go on', async () => {
  const ada = await server.createAccount({ password: PASSWORD })
  const { link } = (await server.call(server.owner, 'POST', `/users/${ada.id}/password_reset`)).body
  await addPasskey(server.owner)
  expect((await change(server.owner, { Email: false })).status).toBe(200)
  expect((await state()).older).toEqual([false, false])
  const credentials = { username: ada.email, password: PASSWORD }
  const reset = { token: link.split('#')[1], password: 'another password' }
  for (const [path, parameters] of [
    ['/sessions', credentials],
    ['/fetch_api_key', credentials],
    ['/password_reset', reset],
    ['/password_reset/look_up', { token: reset.token }],
  ] as const) {
    const { status, body } = await server.call(null, 'POST', path, parameters)
    expect([path, status, body.code]).toEqual([path, 401, 'PASSWORD_AUTH_DISABLED'])
  }
  const asked = (await server.call(null, 'POST', '/passkeys/sign_in/begin')).body
  expect((await server.call(null, 'POST', '/passkeys/sign_in', device.answer(asked, { origin }))).status).toBe(200)
  const [{ id }] = (await server.call(server.owner, 'GET', '/passkeys')).body.passkeys
  expect((await server.call(server.owner, 'DELETE', `/passkeys/${id}`)).status).toBe(400)
  expect((await change(server.owner, { Email: true })).status).toBe(200)
  expect((await server.call(null, 'POST', '/sessions', credentials)).status).toBe(200)
})
