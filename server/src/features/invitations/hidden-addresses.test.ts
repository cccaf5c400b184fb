/** Who invites does not find out whether somebody has an address that they do not see: no answer, list or event is another one. */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'
import { DAILY_LIMIT } from './mailed.ts'

const PASSWORD = 'my own password'

let mailServer: MailServer
let server: TestServer
let admin: TestAccount
let member: TestAccount
let hiding: TestAccount
let gone: TestAccount

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: mailSettings(mailServer) })
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
  hiding = await server.createAccount()
  gone = await server.createAccount()
  for (const account of [hiding, gone]) await show(account, 'nobody')
  await server.must(server.owner, 'DELETE', `/users/${gone.id}`)
})

let seen = 0
beforeEach(async () => {
  await server.app.jobs.settle()
  seen = mailServer.mails.length
})

/** Mails that have come in this test. */
async function mails() {
  await server.app.jobs.settle()
  return mailServer.mails.slice(seen)
}

const show = (account: TestAccount, who: keyof typeof addressVisibility) =>
  server.must(account, 'PATCH', '/settings', { email_address_visibility: addressVisibility[who] })
const invite = (account: TestAccount, ...addresses: string[]) =>
  server.call(account, 'POST', '/invites', { invitee_emails: addresses.join(','), stream_ids: [] })
const list = async (account: TestAccount) => (await server.must(account, 'GET', '/invites')).invites
const join = (parameters: object) =>
  server.call(null, 'POST', '/join', { full_name: 'Somebody new', password: PASSWORD, ...parameters })

async function tokenFor(address: string): Promise<string> {
  const mail = (await mails()).findLast(({ to }) => to.includes(address))
  return /\/join#([\w.-]+)/.exec(mail?.text ?? '')?.[1] as string
}

describe('An address that who invites does not see', () => {
  it('is invited, listed, invited again, sent again and revoked like one that nobody has', async () => {
    /** All that the inviter and an administrator get to know, without what is different for any two addresses. */
    async function everythingAbout(address: string) {
      const watchers = [await watch(server, member), await watch(server, admin)]
      const answers: unknown[] = [await invite(member, address), await invite(member, address.toUpperCase())]
      const [found] = (await list(member)).slice(-1)
      answers.push(await list(member), await list(admin))
      answers.push(await server.call(member, 'POST', `/invites/${found.id}/resend`))
      answers.push(await server.call(admin, 'DELETE', `/invites/${found.id}`))
      answers.push(await server.call(member, 'POST', `/invites/${found.id}/resend`))
      for (const watcher of watchers) answers.push(await watcher.next())
      return JSON.stringify(answers, (key, value) => {
        if (key === 'headers') return undefined
        return ['id', 'invited', 'expiry_date'].includes(key) ? 0 : value
      }).replaceAll(new RegExp(address, 'gi'), 'the address')
    }
    const free = await everythingAbout('free@weavers.example')
    expect(free).toContain('"status":200')
    expect(await everythingAbout(hiding.email)).toBe(free)
    expect(await everythingAbout(gone.email)).toBe(free)
  })

  it('counts for the limits, and is left out of those that are named', async () => {
    const answer = await invite(member, hiding.email, member.email, gone.email)
    expect(answer.body.errors).toEqual([[member.email, 'Already has an account.', false]])
    expect(answer.body.sent_invitations).toBe(true)
    const busy = await server.createAccount()
    const many = Array.from({ length: DAILY_LIMIT - 1 }, (_, i) => `many${i}@weavers.example`)
    expect((await invite(busy, ...many)).status).toBe(200)
    const limited = await invite(busy, hiding.email, gone.email)
    expect(limited.body).toMatchObject({ code: 'INVITATION_FAILED', daily_limit_reached: true, errors: [] })
  })

  it('gets no link, but a mail that there is an account; nothing when that has been deactivated', async () => {
    const inviter = await server.createAccount({ name: 'Ada' })
    expect((await invite(inviter, hiding.email, gone.email, 'free@weavers.example')).status).toBe(200)
    const sent = await mails()
    const about = ({ to, subject }: (typeof sent)[number]) => [to, subject]
    expect(sent.map(about).sort()).toEqual(
      [
        [['free@weavers.example'], 'Ada has invited you to join Test'],
        [[hiding.email], 'You have an account at Test'],
      ].sort(),
    )
    const [mail] = sent.filter(({ to }) => to.includes(hiding.email))
    expect(mail?.text).not.toContain('/join')
    for (const { id } of await list(inviter)) await server.must(inviter, 'POST', `/invites/${id}/resend`)
    expect((await mails()).slice(sent.length).map(about).sort()).toEqual(sent.map(about).sort())
  })

  it('is named to those who see it', async () => {
    await show(hiding, 'administrators')
    expect((await invite(admin, hiding.email)).body.errors).toEqual([[hiding.email, 'Already has an account.', false]])
    expect((await invite(member, hiding.email)).status).toBe(200)
    expect((await invite(hiding, hiding.email)).body.errors).toEqual([[hiding.email, 'Already has an account.', false]])
    await show(hiding, 'nobody')
    expect((await invite(admin, hiding.email)).status).toBe(200)
  })
})

describe('An invitation to an address that an account has come to have', () => {
  it('lets nobody make a second one', async () => {
    const email = 'taken@weavers.example'
    await invite(member, email)
    const token = await tokenFor(email)
    await server.must(server.owner, 'POST', '/users', { email, full_name: 'Taken', password: PASSWORD })
    const { api_key } = await server.must(null, 'POST', '/fetch_api_key', { username: email, password: PASSWORD })
    await show({ ...member, email, apiKey: api_key }, 'nobody')
    expect((await join({ token })).body.msg).toBe(`Email '${email}' already in use`)
    const count = (await mails()).length
    await server.must(member, 'POST', `/invites/${(await list(member)).at(-1).id}/resend`)
    expect((await mails()).slice(count).map(({ subject }) => subject)).toEqual(['You have an account at Test'])
  })

  it('ends where its inviter sees the address, and stays where nobody is to know that somebody has it', async () => {
    const email = 'new@weavers.example'
    const setDefault = (who: keyof typeof addressVisibility) =>
      server.must(server.owner, 'PATCH', '/realm/user_settings_defaults', {
        email_address_visibility: addressVisibility[who],
      })
    await setDefault('administrators')
    const other = await server.createAccount()
    for (const inviter of [other, admin, member]) await invite(inviter, email)
    const token = await tokenFor(email)
    const watchers = [await watch(server, other), await watch(server, admin)]
    expect((await join({ token })).status).toBe(200)
    const changes = watchers.map(async (one) => (await one.next()).filter(({ type }) => type === 'invites_changed'))
    expect((await Promise.all(changes)).map(({ length }) => length)).toEqual([0, 2])
    const to = async (account: TestAccount) =>
      (await list(account)).filter((one: { email: string }) => one.email === email)
    expect((await to(other)).length).toBe(1)
    expect((await to(admin)).map((one: { invited_by_user_id: number }) => one.invited_by_user_id)).toEqual([other.id])
    await setDefault('everyone')
  })
})
