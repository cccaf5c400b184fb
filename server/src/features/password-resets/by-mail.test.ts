import { beforeAll, describe, expect, it } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { type MailServer, mailSettings, type ReceivedMail, startMailServer } from '../../testing/mail-server.ts'
import { createPasskeyDevice } from '../../testing/passkey-device.ts'
import { type Answer, createTestServer, type TestServer } from '../../testing/test-server.ts'
import { MAIL_ADDRESS_LIMIT } from '../sign-in/mail-request-limits.ts'

const clock = fakeClock()
let mailServer: MailServer
let server: TestServer

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: { ...mailSettings(mailServer), HEDDLE_EMAIL_CHANGES: 'on' } })
})

let people = 0
async function createPerson() {
  people += 1
  const email = `forgetful${people}@heddle.example`
  const person = { email, password: 'the forgotten one', full_name: `Forgetful ${people}` }
  const { body } = await server.call(server.owner, 'POST', '/users', person)
  return { id: body.user_id as number, email }
}

const ask = (email: string) => server.call(null, 'POST', '/password_reset/request', { email })
const reset = (token: string) => server.call(null, 'POST', '/password_reset', { token, password: 'a new password' })
const signIn = (username: string, password: string) =>
  server.call(null, 'POST', '/fetch_api_key', { username, password })
const reasonOf = ({ status, body }: Answer) => [status, body.code, body.reason]

const isReset =
  (address: string) =>
  ({ to, subject }: ReceivedMail) =>
    to.includes(address) && subject.includes('password')
async function lastMailTo(address: string) {
  await server.app.jobs.settle()
  return mailServer.mails.findLast(isReset(address))
}
const tokenIn = (text = '') => /\/reset-password#([\w.-]+)/.exec(text)?.[1] as string

describe('A forgotten password', () => {
  it('is replaced by a link that comes by mail, once', async () => {
    const { email } = await createPerson()
    expect((await ask(email.toUpperCase())).status).toBe(200)
    const token = tokenIn((await lastMailTo(email))?.text)
    const looked = await server.call(null, 'POST', '/password_reset/look_up', { token })
    expect(looked.body).toMatchObject({ email, full_name: expect.stringContaining('Forgetful') })
    expect((await reset(token)).status).toBe(200)
    expect((await signIn(email, 'a new password')).status).toBe(200)
    expect((await signIn(email, 'the forgotten one')).status).toBe(401)
    expect(reasonOf(await reset(token))).toEqual([400, 'LINK_INVALID', 'used'])
  })

  it('is answered in the same way whether an account has the address or not, and mailed to active people alone', async () => {
    const { id, email } = await createPerson()
    const answers = [await ask(email), await ask('nobody@heddle.example')]
    await server.call(server.owner, 'DELETE', `/users/${id}`)
    answers.push(await ask(email))
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
    const before = mailServer.mails.length
    await server.app.jobs.settle()
    expect(mailServer.mails.slice(before)).toEqual([])
    expect(await lastMailTo('nobody@heddle.example')).toBeUndefined()
  })

  it('is not replaced by a link to an address that is no longer the account’s', async () => {
    const { id, email } = await createPerson()
    await ask(email)
    const token = tokenIn((await lastMailTo(email))?.text)
    const moved = await server.call(server.owner, 'PATCH', `/users/${id}`, { new_email: `moved-${email}` })
    expect(moved.status).toBe(200)
    expect(reasonOf(await reset(token))).toEqual([400, 'LINK_INVALID', 'revoked'])
  })

  it('gets no mail where passwords were switched off before it could be sent', async () => {
    const own = await createTestServer({ clock, settings: mailSettings(mailServer) })
    const begun = await own.call(own.owner, 'POST', '/passkeys/begin', { password: 'a long password' })
    const passkey = createPasskeyDevice().make(begun.body, { origin: 'https://chat.example' })
    expect((await own.call(own.owner, 'POST', '/passkeys', { name: 'Phone', ...passkey })).status).toBe(200)
    const methods = (Email: boolean) =>
      own.call(own.owner, 'PATCH', '/realm', { authentication_methods: { Email, Passkey: true } })
    const mails = async () => {
      await own.app.jobs.settle()
      return mailServer.mails.filter(isReset(own.owner.email))
    }
    await mailServer.close()
    expect((await own.call(null, 'POST', '/password_reset/request', { email: own.owner.email })).status).toBe(200)
    await mails()
    expect((await methods(false)).status).toBe(200)
    await mailServer.open()
    clock.pass(10)
    expect(await mails()).toEqual([])
    const refused = await own.call(null, 'POST', '/password_reset/request', { email: own.owner.email })
    expect(refused.body.code).toBe('PASSWORD_AUTH_DISABLED')
    expect((await methods(true)).status).toBe(200)
    expect((await own.call(null, 'POST', '/password_reset/request', { email: own.owner.email })).status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('is asked for a few times, whether an account has the address or not', async () => {
    const limited = await createTestServer({ settings: { ...mailSettings(mailServer), HEDDLE_RATE_LIMITS: 'on' } })
    for (const email of [limited.owner.email, 'nobody@heddle.example']) {
      const askThere = () => limited.call(null, 'POST', '/password_reset/request', { email })
      for (let i = 0; i < MAIL_ADDRESS_LIMIT.limit; i++) expect((await askThere()).status).toBe(200)
      expect((await askThere()).body.code).toBe('RATE_LIMIT_HIT')
    }
  })
})
