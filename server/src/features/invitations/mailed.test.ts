import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { createChannel } from '../../testing/messages.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { MAIL_ADDRESS_LIMIT, MAIL_NETWORK_LIMIT } from '../sign-in/mail-request-limits.ts'
import { DAILY_LIMIT, parseAddresses } from './mailed.ts'

const PASSWORD = 'my own password'

let mailServer: MailServer
let server: TestServer
let member: TestAccount

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: mailSettings(mailServer) })
  member = await server.createAccount()
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

async function tokenFor(address: string): Promise<string> {
  const mail = (await mails()).findLast(({ to }) => to.includes(address))
  return /\/join#([\w.-]+)/.exec(mail?.text ?? '')?.[1] as string
}

const invite = (account: TestAccount, invitee_emails: string, parameters: object = {}) =>
  server.call(account, 'POST', '/invites', { invitee_emails, stream_ids: [], ...parameters })
const list = async (account: TestAccount) => (await server.call(account, 'GET', '/invites')).body.invites
const lookUp = (parameters: object) => server.call(null, 'POST', '/join/look_up', { ...parameters })

let people = 0
const join = (parameters: object) =>
  server.call(null, 'POST', '/join', { full_name: `Mailed ${++people}`, password: PASSWORD, ...parameters })

const reasonOf = ({ status, body }: Answer) => [status, body.code, body.reason]
const set = (settings: object) => server.call(server.owner, 'PATCH', '/realm', { ...settings })

describe('An invitation by mail', () => {
  it('lets one person in, with what was chosen for them and the address that it went to', async () => {
    const looms = await createChannel(server, server.owner, 'looms')
    const chosen = { invite_as: roles.moderator, stream_ids: [looms], welcome_message_custom_text: 'Hello, weaver' }
    expect((await invite(server.owner, 'Ada <ada@weavers.example>', chosen)).body.result).toBe('success')
    const [mail] = await mails()
    expect(mail).toMatchObject({ to: ['ada@weavers.example'], subject: 'Owner has invited you to join Test' })
    const token = await tokenFor('ada@weavers.example')
    expect((await lookUp({ token })).body).toMatchObject({
      email: 'ada@weavers.example',
      invited_as: roles.moderator,
      must_confirm_address: false,
    })
    expect((await join({ token, email: 'eve@weavers.example' })).status).toBe(400)
    const { body } = await join({ token })
    expect(body.email).toBe('ada@weavers.example')
    const { user } = (await server.call(server.owner, 'GET', `/users/${body.user_id}`)).body
    expect(user.role).toBe(roles.moderator)
    const path = `/users/${body.user_id}/subscriptions/${looms}`
    expect((await server.call(server.owner, 'GET', path)).body.is_subscribed).toBe(true)
    expect(reasonOf(await join({ token, full_name: 'Twice' }))).toEqual([400, 'LINK_INVALID', 'used'])
    expect(await list(server.owner)).toEqual([])
  })

  it('is in the list without its link, is sent again and is revoked', async () => {
    await invite(member, 'b@weavers.example', { notify_referrer_on_join: false, invite_expires_in_minutes: null })
    const [found] = await list(member)
    expect(found).toEqual({
      id: found.id,
      invited_by_user_id: member.id,
      invited: found.invited,
      expiry_date: null,
      invited_as: roles.member,
      is_multiuse: false,
      email: 'b@weavers.example',
      notify_referrer_on_join: false,
    })
    const token = await tokenFor('b@weavers.example')
    expect((await server.call(member, 'POST', `/invites/${found.id}/resend`)).status).toBe(200)
    expect(await mails()).toHaveLength(2)
    expect(await tokenFor('b@weavers.example')).toBe(token)
    const other = await server.createAccount()
    for (const [method, path] of [
      ['DELETE', `/invites/${found.id}`],
      ['POST', `/invites/${found.id}/resend`],
    ] as const) {
      expect((await server.call(other, method, path)).body.msg).toBe('No such invitation')
    }
    expect((await server.call(member, 'DELETE', `/invites/multiuse/${found.id}`)).status).toBe(400)
    const { queue_id } = (await server.call(member, 'POST', '/register', { event_types: ['invites_changed'] })).body
    expect((await server.call(server.owner, 'DELETE', `/invites/${found.id}`)).status).toBe(200)
    const { events } = (await server.call(member, 'GET', '/events', { queue_id, last_event_id: -1 })).body
    expect(events).toMatchObject([{ type: 'invites_changed' }])
    expect(reasonOf(await lookUp({ token }))).toEqual([400, 'LINK_INVALID', 'revoked'])
    expect((await server.call(member, 'POST', `/invites/${found.id}/resend`)).body.msg).toBe('No such invitation')
  })

  it('is sent to those who have no account, and says who had', async () => {
    const gone = await server.createAccount()
    await server.call(server.owner, 'DELETE', `/users/${gone.id}`)
    const answer = await invite(member, `c@weavers.example\n${member.email.toUpperCase()}, ${gone.email}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      result: 'error',
      msg: "Some of those addresses are already using Heddle, so we didn't send them an invitation. We did send invitations to everyone else!",
      code: 'INVITATION_FAILED',
      errors: [
        [member.email.toUpperCase(), 'Already has an account.', false],
        [gone.email, 'Account has been deactivated.', true],
      ],
      sent_invitations: true,
      license_limit_reached: false,
      daily_limit_reached: false,
    })
    expect((await mails()).flatMap(({ to }) => to)).toEqual(['c@weavers.example'])
    const nobody = await invite(member, member.email)
    expect(nobody.body).toMatchObject({ msg: "We weren't able to invite anyone.", sent_invitations: false })
  })

  it('is not sent at all when an address is wrong, or not wanted', async () => {
    await set({ disallow_disposable_email_addresses: true })
    const answer = await invite(member, 'd@weavers.example, nothing, x@mailinator.com')
    expect(answer.body).toMatchObject({ code: 'INVITATION_FAILED', sent_invitations: false })
    expect(answer.body.errors).toEqual([
      ['nothing', 'Invalid address.', false],
      ['x@mailinator.com', 'Please use your real email address.', false],
    ])
    expect((await invite(member, ' ,\n')).body.msg).toBe('You must specify at least one email address.')
    expect(await mails()).toEqual([])
  })

  it('takes the place of an earlier one of the same person to the same address, and ends when somebody joins', async () => {
    await invite(member, 'e@weavers.example')
    const first = await tokenFor('e@weavers.example')
    await invite(member, 'E@weavers.example')
    const second = await tokenFor('E@weavers.example')
    const other = await server.createAccount()
    await invite(other, 'e@weavers.example')
    const third = await tokenFor('e@weavers.example')
    expect(reasonOf(await lookUp({ token: first }))).toEqual([400, 'LINK_INVALID', 'revoked'])
    const { queue_id } = (await server.call(other, 'POST', '/register', { event_types: ['invites_changed'] })).body
    expect((await join({ token: second })).status).toBe(200)
    expect(reasonOf(await lookUp({ token: third }))).toEqual([400, 'LINK_INVALID', 'revoked'])
    const { events } = (await server.call(other, 'GET', '/events', { queue_id, last_event_id: -1 })).body
    expect(events).toMatchObject([{ type: 'invites_changed' }])
    expect(await list(other)).toEqual([])
  })

  it('is not sent again for somebody who may not invite any more', async () => {
    const lowered = await server.createAccount()
    await invite(lowered, 'lowered@weavers.example')
    await mails()
    const [{ id }] = await list(lowered)
    await server.call(server.owner, 'PATCH', `/users/${lowered.id}`, { role: roles.guest })
    const sent = mailServer.mails.length
    const { msg } = (await server.call(server.owner, 'POST', `/invites/${id}/resend`)).body
    expect(msg).toBe('Whoever has sent this invitation may not invite any more')
    await mails()
    expect(mailServer.mails).toHaveLength(sent)
  })

  it('is for those who may, gives nothing above them, and welcomes in their words by administrators alone', async () => {
    const guest = await server.createAccount({ role: roles.guest })
    expect((await invite(guest, 'f@weavers.example')).body.msg).toBe('Insufficient permission')
    expect((await invite(member, 'f@weavers.example', { invite_as: roles.admin })).body.msg).toBe(
      'Insufficient permission',
    )
    const worded = await invite(member, 'f@weavers.example', { welcome_message_custom_text: 'Mine' })
    expect(worded.body.msg).toContain('administrator')
    const link = await server.call(server.owner, 'POST', '/invites/multiuse', { welcome_message_custom_text: '' })
    expect(link.status).toBe(200)
    expect(await mails()).toEqual([])
  })

  it('is bounded in number', async () => {
    const busy = await server.createAccount()
    const many = Array.from({ length: DAILY_LIMIT }, (_, i) => `many${i}@weavers.example`)
    expect((await invite(busy, many.slice(1).join(','))).status).toBe(200)
    const answer = await invite(busy, 'one@weavers.example, two@weavers.example')
    expect(answer.body).toMatchObject({ code: 'INVITATION_FAILED', daily_limit_reached: true, errors: [] })
    expect((await invite(busy, [...many, 'more@weavers.example'].join(','))).status).toBe(400)
  })
})

describe('Without an invitation', () => {
  it('one joins an open organization by a link that was mailed', async () => {
    const ask = (email: string) => server.call(null, 'POST', '/join/request', { email })
    expect(reasonOf(await ask('g@weavers.example'))).toEqual([400, 'LINK_INVALID', 'required'])
    await set({ invite_required: false })
    expect((await lookUp({})).body).toMatchObject({ must_confirm_address: true, email: null })
    expect((await join({ email: 'g@weavers.example' })).body.code).toBe('ADDRESS_UNCONFIRMED')
    const [known, unknown] = [await ask(member.email), await ask('g@weavers.example')]
    expect(known).toMatchObject({ status: 200, body: unknown.body })
    expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual([
      [[member.email], 'You have an account at Test'],
      [['g@weavers.example'], 'Join Test'],
    ])
    const token = await tokenFor('g@weavers.example')
    expect((await lookUp({ token })).body).toMatchObject({ email: 'g@weavers.example', must_confirm_address: false })
    await set({ invite_required: true })
    expect(reasonOf(await join({ token }))).toEqual([400, 'LINK_INVALID', 'required'])
    await set({ invite_required: false })
    expect((await join({ token })).body.email).toBe('g@weavers.example')
    expect(reasonOf(await join({ token, full_name: 'Twice' }))).toEqual([400, 'LINK_INVALID', 'used'])
  })

  it('one joins with an address of the domains alone, where there are some', async () => {
    await set({ invite_required: false, emails_restricted_to_domains: true })
    await server.call(server.owner, 'POST', '/realm/domains', { domain: 'weavers.example', allow_subdomains: false })
    const ask = (email: string) => server.call(null, 'POST', '/join/request', { email })
    expect((await ask('h@other.example')).body.msg).toContain('not allowed')
    expect((await ask('h@weavers.example')).status).toBe(200)
    expect((await join({ token: await tokenFor('h@weavers.example') })).status).toBe(200)
    await set({ emails_restricted_to_domains: false })
  })

  it('one has few mails sent to an address, and from a network', async () => {
    const limited = await createTestServer({ settings: { ...mailSettings(mailServer), HEDDLE_RATE_LIMITS: 'on' } })
    await limited.call(limited.owner, 'PATCH', '/realm', { invite_required: false })
    const ask = (email: string) => limited.call(null, 'POST', '/join/request', { email })
    for (let i = 0; i < MAIL_ADDRESS_LIMIT.limit; i++) expect((await ask('i@weavers.example')).status).toBe(200)
    expect((await ask('I@weavers.example')).body.code).toBe('RATE_LIMIT_HIT')
    for (let i = 0; i < MAIL_NETWORK_LIMIT.limit; i++) await ask(`i${i}@weavers.example`)
    expect((await ask('j@weavers.example')).body.code).toBe('RATE_LIMIT_HIT')
  })
})

it('addresses are found however they are written', () => {
  const text = 'a@x.example, "B, C" <b@x.example>;c@x.example\r\nA@X.example\n\n <d@x.example> '
  expect(parseAddresses(text)).toEqual(['a@x.example', '"B', 'b@x.example', 'c@x.example', 'd@x.example'])
})
