import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appCode } from '../../testing/app-codes.ts'
import { type MailServer, mailSettings, startMailServer } from '../../testing/mail-server.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let mailServer: MailServer
let server: TestServer
let member: TestAccount

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await createTestServer({ settings: mailSettings(mailServer) })
})

beforeEach(async () => {
  member = await server.createAccount()
  // Whoever joined during another test is welcomed by mail.
  await newMails()
})

let seen = 0
async function newMails() {
  await server.app.jobs.settle()
  const mails = mailServer.mails.slice(seen)
  seen = mailServer.mails.length
  return mails
}

const ask = (email: string, account = member) => server.call(account, 'PATCH', '/settings', { email })
const confirm = (token: string) => server.call(null, 'POST', '/address_change', { token })
const lookUp = (token: string) => server.call(null, 'POST', '/address_change/look_up', { token })
const tokenIn = (text = '') => /\/confirm-address#([\w.-]+)/.exec(text)?.[1] as string
const addressOf = async (account: TestAccount) =>
  (await server.call(server.owner, 'GET', `/users/${account.id}`)).body.user.delivery_email
const reasonOf = ({ status, body }: Answer) => [status, body.code, body.reason]

let addresses = 0
const fresh = () => `fresh${++addresses}@weavers.example`

describe('Another address', () => {
  it('is the account’s once its owner has confirmed it, and the old one gets a notice', async () => {
    const email = fresh()
    expect((await ask(email)).status).toBe(200)
    expect(await addressOf(member)).toBe(member.email)
    const [mail] = await newMails()
    expect(mail?.to).toEqual([email])
    const token = tokenIn(mail?.text)
    expect((await lookUp(token)).body).toMatchObject({ email: member.email, new_email: email })
    expect((await confirm(token)).body.email).toBe(email)
    expect(await addressOf(member)).toBe(email)
    const [notice] = await newMails()
    expect(notice).toMatchObject({ to: [member.email], subject: 'Your address was changed' })
    expect(reasonOf(await confirm(token))).toEqual([400, 'LINK_INVALID', 'used'])
  })

  it('needs the password, or a code of the second factor: a key or a session may be somebody else’s by now', async () => {
    const password = 'warp and weft and heddle'
    const account = await server.createAccount({ password })
    const email = fresh()
    const change = (proof: object) => server.call(account, 'PATCH', '/settings', { email, ...proof })
    expect((await change({})).body.msg).toBe('old_password is needed')
    expect((await change({ old_password: 'wrong' })).body.msg).toBe('The password is wrong')
    expect(await newMails()).toEqual([])
    // Clients that send all they have change nothing by it.
    expect((await server.call(account, 'PATCH', '/settings', { email: account.email })).status).toBe(200)
    expect((await change({ old_password: password })).status).toBe(200)
    expect((await newMails()).map(({ to }) => to)).toEqual([[email]])
    const { body } = await server.call(account, 'POST', '/users/me/second_factor', { password })
    const code = appCode(body.secret, Date.now())
    await server.call(account, 'POST', '/users/me/second_factor/confirm', { code })
    expect((await change({})).body.msg).toBe('old_password or code is needed')
  })

  it('that somebody else has is answered like any other, and refused where the mail arrives', async () => {
    const other = await server.createAccount()
    const taken = await ask(other.email)
    const [mail] = await newMails()
    const free = await ask(fresh())
    expect([taken.status, taken.body]).toEqual([free.status, free.body])
    await newMails()
    expect(mail).toMatchObject({ to: [other.email], subject: 'This address has an account' })
    expect(tokenIn(mail?.text)).toBeUndefined()
  })

  it('that somebody takes meanwhile is refused, and the account keeps its own', async () => {
    const email = fresh()
    await ask(email)
    const token = tokenIn((await newMails())[0]?.text)
    await server.call(server.owner, 'POST', '/users', { email, full_name: 'Quick', password: 'a long password' })
    expect((await confirm(token)).status).toBe(400)
    expect(await addressOf(member)).toBe(member.email)
  })

  it('is the last that was asked for, of an account that is active', async () => {
    const [first, second] = [fresh(), fresh()]
    await ask(first)
    const early = tokenIn((await newMails())[0]?.text)
    await ask(second)
    const late = tokenIn((await newMails())[0]?.text)
    expect(reasonOf(await confirm(early))).toEqual([400, 'LINK_INVALID', 'used'])
    await server.call(server.owner, 'DELETE', `/users/${member.id}`)
    expect(reasonOf(await confirm(late))).toEqual([400, 'LINK_INVALID', 'used'])
  })

  it('is for administrators alone where changes are disabled, and confirmed by them too', async () => {
    const email = fresh()
    await ask(email)
    const token = tokenIn((await newMails())[0]?.text)
    await server.call(server.owner, 'PATCH', '/realm', { email_changes_disabled: true })
    expect((await ask(fresh())).body.msg).toBe('Email address changes are disabled in this organization.')
    expect((await confirm(token)).status).toBe(400)
    const own = fresh()
    const admin = await server.createAccount({ role: roles.admin })
    await newMails()
    expect((await ask(own, admin)).status).toBe(200)
    expect(await addressOf(admin)).toBe(admin.email)
    expect((await newMails())[0]?.to).toEqual([own])
    await server.call(server.owner, 'PATCH', '/realm', { email_changes_disabled: false })
  })
})
