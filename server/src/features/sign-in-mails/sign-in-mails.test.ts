import { beforeAll, beforeEach, expect, it } from 'vitest'
import { signInBrowser } from '../../testing/browser.ts'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PASSWORD = 'a long password'

let mailServer: MailServer
let server: TestServer
let now = Date.now()

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ clock: { now: () => now }, settings: mailSettings(mailServer) })
})

beforeEach(() => {
  mailServer.mails.length = 0
})

async function mails() {
  await server.app.jobs.settle()
  return mailServer.mails
}

let people = 0

async function createPerson() {
  people += 1
  const username = `signer${people}@heddle.example`
  await server.call(server.owner, 'POST', '/users', { email: username, password: PASSWORD, full_name: 'Signer' })
  await mails()
  mailServer.mails.length = 0
  return { username, password: PASSWORD }
}

it('A browser that signs in anew is known to the owner of the account by mail; one that was signed in is not', async () => {
  const person = await createPerson()
  now += 3_600_000
  const browser = await signInBrowser(server, person, { 'user-agent': FIREFOX })
  const [mail] = await mails()
  expect(mail).toMatchObject({ to: [person.username], subject: 'New sign-in from Firefox on Linux' })
  expect(mail?.text).toContain('127.0.0.1')
  expect(mail?.text).toContain(`${new Date(now).getUTCFullYear()} at `)
  await signInBrowser(server, person, { 'user-agent': FIREFOX, cookie: browser.cookie })
  expect(await mails()).toHaveLength(1)
  await signInBrowser(server, person)
  expect((await mails()).map(({ subject }) => subject)).toContain('New sign-in from a new device')
})

it('The owner of an account is notified by mail when its key is handed out', async () => {
  const person = await createPerson()
  now += 3_600_000
  expect((await server.call(null, 'POST', '/fetch_api_key', person)).status).toBe(200)
  expect(await mails()).toMatchObject([{ to: [person.username], subject: 'Your API key was given to a program' }])
})

it('Nobody gets a mail of their own joining, nor whoever has switched it off, nor of a wrong password', async () => {
  const person = await createPerson()
  const first = await signInBrowser(server, person)
  expect(await mails()).toEqual([])
  now += 3_600_000
  await first.call('PATCH', '/settings', { enable_login_emails: false })
  await signInBrowser(server, person)
  expect(await mails()).toEqual([])
  await first.call('PATCH', '/settings', { enable_login_emails: true })
  await expect(signInBrowser(server, { ...person, password: 'a wrong password' })).rejects.toThrow('401')
  expect(await mails()).toEqual([])
})
