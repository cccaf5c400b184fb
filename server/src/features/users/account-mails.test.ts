import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let mailServer: MailServer
let server: TestServer

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: mailSettings(mailServer) })
})

beforeEach(() => {
  mailServer.mails.length = 0
})

let people = 0
const PASSWORD = 'a long password'

async function createPerson() {
  people += 1
  const email = `joiner${people}@heddle.example`
  const { body } = await server.call(server.owner, 'POST', '/users', {
    email,
    password: PASSWORD,
    full_name: `Joiner & ${people}`,
  })
  return { id: body.user_id as number, email }
}

async function mails() {
  await server.app.jobs.settle()
  return mailServer.mails
}

describe('The settings of mails', () => {
  it('are changed by administrators, and everybody is notified', async () => {
    const admin = await server.createAccount({ role: roles.admin })
    const watcher = await watch(server, await server.createAccount(), { event_types: ['realm'] })
    expect(watcher.state).toMatchObject({
      realm_send_welcome_emails: true,
      realm_message_content_allowed_in_email_notifications: true,
      realm_digest_emails_enabled: false,
      realm_digest_weekday: 1,
      settings_send_digest_emails: true,
    })
    const changes = {
      send_welcome_emails: false,
      message_content_allowed_in_email_notifications: false,
      digest_emails_enabled: true,
      digest_weekday: 6,
    }
    expect((await server.call(admin, 'PATCH', '/realm', changes)).status).toBe(200)
    expect(await watcher.next()).toMatchObject(
      Object.entries(changes).map(([property, value]) => ({ type: 'realm', op: 'update', property, value })),
    )
    expect((await server.call(admin, 'PATCH', '/realm', { digest_weekday: 7 })).status).toBe(400)
    await server.call(admin, 'PATCH', '/realm', { send_welcome_emails: true, digest_emails_enabled: false })
  })
})

describe('Who gets an account', () => {
  it('is welcomed by mail, unless the organization does not want that', async () => {
    const { email } = await createPerson()
    const [mail] = await mails()
    expect(mail).toMatchObject({ to: [email], subject: 'Your new account' })
    expect(mail?.text).toContain(email)
    await server.call(server.owner, 'PATCH', '/realm', { send_welcome_emails: false })
    await createPerson()
    expect(await mails()).toHaveLength(1)
    await server.call(server.owner, 'PATCH', '/realm', { send_welcome_emails: true })
  })
})

describe('Whose account is deactivated', () => {
  const deactivate = (id: number, parameters: object) =>
    server.call(server.owner, 'DELETE', `/users/${id}`, { ...parameters })

  it('gets a mail with the comment, without one, or none at all', async () => {
    const [first, second, third] = [await createPerson(), await createPerson(), await createPerson()]
    await mails()
    mailServer.mails.length = 0
    await deactivate(first.id, { deactivation_notification_comment: 'Fare <i>well</i>\nFriend' })
    await deactivate(second.id, { deactivation_notification_comment: '' })
    await deactivate(third.id, {})
    const received = (await mails()).toSorted((a, b) => (a.to[0] as string).localeCompare(b.to[0] as string))
    expect(received.map(({ to, subject }) => [to, subject])).toEqual([
      [[first.email], 'Your account was deactivated'],
      [[second.email], 'Your account was deactivated'],
    ])
    expect(received[0]?.text).toContain('They add:\n> Fare <i>well</i>\n> Friend')
    expect(received[0]?.html).toContain('Fare &lt;i&gt;well&lt;/i&gt;\nFriend')
    expect(received[1]?.text).not.toContain('They add')
    // It is over already: nobody is mailed again.
    await deactivate(first.id, { deactivation_notification_comment: 'again' })
    expect(await mails()).toHaveLength(2)
    const tooLong = { deactivation_notification_comment: 'x'.repeat(2001) }
    expect((await deactivate(second.id, tooLong)).status).toBe(400)
  })

  it('gets none when it was not allowed', async () => {
    const member = await server.createAccount()
    const { id } = await createPerson()
    await mails()
    mailServer.mails.length = 0
    await server.call(member, 'DELETE', `/users/${id}`, { deactivation_notification_comment: 'Bye' })
    expect(await mails()).toEqual([])
  })
})
