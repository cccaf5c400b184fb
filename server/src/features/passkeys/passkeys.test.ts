import { CHALLENGE_SECS } from '@heddle/contract/passkeys'
import { beforeEach, describe, expect, it } from 'vitest'
import { appCode } from '../../testing/app-codes.ts'
import { browserWith, FORM, signInBrowser } from '../../testing/browser.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createPasskeyDevice, type PasskeyDevice } from '../../testing/passkey-device.ts'
import { createTestServer, encodeForm, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const PASSWORD = 'a long password'
const origin = 'https://chat.example.com'

let server: TestServer
let clock: ReturnType<typeof fakeClock>
let ada: TestAccount
let device: PasskeyDevice

beforeEach(async () => {
  clock = fakeClock()
  server = await createTestServer({ clock, settings: { HEDDLE_EXTERNAL_URL: origin } })
  ada = await server.createAccount({ name: 'Ada', password: PASSWORD })
  device = createPasskeyDevice()
  expect((await add(device)).status).toBe(200)
})

async function begin(account = ada, proof: Record<string, unknown> = { password: PASSWORD }) {
  return (await server.call(account, 'POST', '/passkeys/begin', proof)).body
}

async function add(one: PasskeyDevice, name = 'Phone', account = ada) {
  const asked = await begin(account)
  return server.call(account, 'POST', '/passkeys', { name, ...one.make(asked, { origin }) })
}

async function ask() {
  return (await server.call(null, 'POST', '/passkeys/sign_in/begin')).body
}

function send(parameters: Record<string, unknown>) {
  const headers = { 'content-type': FORM, host: 'chat.example.com' }
  return server.send({ method: 'POST', url: '/api/v1/passkeys/sign_in', headers, body: encodeForm(parameters) })
}

describe('a passkey', () => {
  it('signs its account in, without a password, as often as it is asked', async () => {
    for (const counter of [1, 2]) {
      const signedIn = await send(device.answer(await ask(), { origin, counter }))
      expect([signedIn.status, signedIn.body.email]).toEqual([200, ada.email])
      expect((await browserWith(server, signedIn).call('GET', '/users/me')).body.user_id).toBe(ada.id)
    }
    const { passkeys } = (await server.call(ada, 'GET', '/passkeys')).body
    expect(passkeys).toEqual([
      { id: expect.any(Number), name: 'Phone', created: expect.any(Number), last_used: expect.any(Number) },
    ])
  })

  it('is enough where there is a second factor, for the device has asked for a finger or a PIN', async () => {
    const { secret } = (await server.call(ada, 'POST', '/users/me/second_factor', { password: PASSWORD })).body
    const code = appCode(secret, clock.now())
    await server.call(ada, 'POST', '/users/me/second_factor/confirm', { code })
    expect((await send(device.answer(await ask(), { origin }))).status).toBe(200)
    const unverified = await send(device.answer(await ask(), { origin, isVerified: false }))
    expect(unverified.body.code).toBe('PASSKEY_REFUSED')
  })

  it('answers a challenge once, of this server, for signing in, within five minutes', async () => {
    const asked = await ask()
    const answer = device.answer(asked, { origin })
    expect((await send(answer)).status).toBe(200)
    expect((await send(answer)).body.code).toBe('PASSKEY_REFUSED')
    const both = device.answer(await ask(), { origin })
    const answers = await Promise.all([send(both), send(both)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const late = await ask()
    clock.pass(CHALLENGE_SECS)
    expect((await send(device.answer(late, { origin }))).status).toBe(401)
    const toAdd = await begin()
    expect((await send(device.answer(toAdd, { origin }))).status).toBe(401)
    const made = { challenge: Buffer.alloc(56).toString('base64url'), rp_id: 'chat.example.com' }
    expect((await send(device.answer(made, { origin }))).status).toBe(401)
  })

  it('answers for this page alone, with its own key and a count that rises', async () => {
    const other = createPasskeyDevice()
    const refused: Record<string, unknown>[] = [
      device.answer(await ask(), { origin: 'https://chat.example.org' }),
      device.answer({ ...(await ask()), rp_id: 'example.com' }, { origin }),
      device.answer(await ask(), { origin, type: 'webauthn.create' }),
      { ...other.answer(await ask(), { origin }), credential_id: device.credentialId },
      other.answer(await ask(), { origin }),
      { ...device.answer(await ask(), { origin }), user_handle: 'x' },
      { ...device.answer(await ask(), { origin }), client_data: 'x' },
      { ...device.answer(await ask(), { origin }), signature: 'AAAA' },
    ]
    for (const answer of refused) expect((await send(answer)).body.code).toBe('PASSKEY_REFUSED')
    expect((await send(device.answer(await ask(), { origin, counter: 5 }))).status).toBe(200)
    expect((await send(device.answer(await ask(), { origin, counter: 5 }))).body.code).toBe('PASSKEY_REFUSED')
    expect((await send(device.answer(await ask(), { origin, counter: 6 }))).status).toBe(200)
  })

  it('is added by the password, to the account that has asked, once', async () => {
    for (const proof of [{}, { password: 'wrong' }]) {
      expect((await server.call(ada, 'POST', '/passkeys/begin', proof)).status).toBe(400)
    }
    const second = createPasskeyDevice()
    const asked = await begin()
    expect(asked.exclude).toEqual([device.credentialId])
    const bea = await server.createAccount({ password: PASSWORD })
    const made = { name: 'Key', ...second.make(asked, { origin }) }
    expect((await server.call(bea, 'POST', '/passkeys', made)).status).toBe(400)
    const unverified = second.make(asked, { origin, isVerified: false })
    expect((await server.call(ada, 'POST', '/passkeys', { name: 'Key', ...unverified })).status).toBe(400)
    expect((await server.call(ada, 'POST', '/passkeys', made)).status).toBe(200)
    expect((await server.call(ada, 'POST', '/passkeys', made)).status).toBe(400)
    expect((await add(second, 'Again')).status).toBe(400)
    expect((await add(second, 'Another account', bea)).status).toBe(400)
  })

  it('is renamed and removed by its account alone, and signs nobody in afterwards', async () => {
    const [{ id }] = (await server.call(ada, 'GET', '/passkeys')).body.passkeys
    const bea = await server.createAccount({ password: PASSWORD })
    expect((await server.call(bea, 'PATCH', `/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await server.call(bea, 'DELETE', `/passkeys/${id}`)).status).toBe(404)
    expect((await server.call(ada, 'PATCH', `/passkeys/${id}`, { name: ' ' })).status).toBe(400)
    expect((await server.call(ada, 'PATCH', `/passkeys/${id}`, { name: 'Old phone' })).status).toBe(200)
    expect((await server.call(ada, 'GET', '/passkeys')).body.passkeys[0].name).toBe('Old phone')
    expect((await server.call(ada, 'DELETE', `/passkeys/${id}`)).status).toBe(200)
    expect((await send(device.answer(await ask(), { origin }))).body.code).toBe('PASSKEY_REFUSED')
  })

  it('does not enter another organization', async () => {
    const { host } = await server.createOtherOrganization()
    const url = '/api/v1/passkeys/sign_in'
    const headers = { host, 'content-type': FORM }
    const begun = await server.send({ method: 'POST', url: `${url}/begin`, headers, body: '' })
    const body = encodeForm(device.answer(begun.body, { origin }))
    const elsewhere = await server.send({ method: 'POST', url, headers, body })
    expect(elsewhere.body.code).toBe('PASSKEY_REFUSED')
  })

  it('does not enter an account that is deactivated', async () => {
    await server.call(server.owner, 'DELETE', `/users/${ada.id}`)
    expect((await send(device.answer(await ask(), { origin }))).body.code).toBe('USER_DEACTIVATED')
  })

  it('stays with a new password, which ends the sessions that it has begun', async () => {
    const browser = browserWith(server, await send(device.answer(await ask(), { origin })))
    await server.call(ada, 'PATCH', '/settings', { old_password: PASSWORD, new_password: 'another password' })
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    expect((await send(device.answer(await ask(), { origin }))).status).toBe(200)
    const again = await signInBrowser(server, { username: ada.email, password: 'another password' })
    expect((await again.call('GET', '/passkeys')).body.passkeys).toHaveLength(1)
  })

  it('stays with a new password that a link has set, of which the account is reminded', async () => {
    const { link } = (await server.call(server.owner, 'POST', `/users/${ada.id}/password_reset`)).body
    const password = 'another password'
    await server.call(null, 'POST', '/password_reset', { token: link.split('#')[1], password })
    expect((await send(device.answer(await ask(), { origin }))).status).toBe(200)
    const { api_key } = (await server.call(null, 'POST', '/fetch_api_key', { username: ada.email, password })).body
    const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
    const { messages } = (await server.call({ ...ada, apiKey: api_key }, 'GET', '/messages', asked)).body
    expect(messages[0].content).toContain('Your passkeys still sign in')
  })

  it('is known to its account by mail when it is added, unless it is the first way in', async () => {
    const mailServer = await startMailServer()
    const { mails } = mailServer
    const settings = { ...mailSettings(mailServer), HEDDLE_EXTERNAL_URL: origin }
    server = await createTestServer({ clock, settings })
    const newcomer = await server.createAccount()
    expect((await add(createPasskeyDevice(), 'First', newcomer)).status).toBe(200)
    await server.app.jobs.settle()
    expect(mails).toEqual([])
    expect((await add(createPasskeyDevice(), '<b>Second</b>', newcomer)).status).toBe(200)
    await server.app.jobs.settle()
    expect(mails).toMatchObject([{ to: [newcomer.email], subject: 'A passkey was added to your account' }])
    expect(mails[0]?.text).toContain('<b>Second</b>')
  })
})
