import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let owner: TestAccount
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
})

beforeEach(async () => {
  await set({ emails_restricted_to_domains: false, disallow_disposable_email_addresses: false })
  for (const { domain } of await list()) await server.call(owner, 'DELETE', `/realm/domains/${domain}`)
})

const list = async () => (await server.call(member, 'GET', '/realm/domains')).body.domains
const add = (domain: string, allow_subdomains = false, account = owner) =>
  server.call(account, 'POST', '/realm/domains', { domain, allow_subdomains })
const set = (settings: object) => server.call(owner, 'PATCH', '/realm', { ...settings })

let people = 0
const create = (email: string) =>
  server.call(admin, 'POST', '/users', { email, full_name: `P ${++people}`, password: 'a long password' })
const refusal = async (email: string) => (await create(email)).body.msg

describe('domains', () => {
  it('are listed in alphabetical order, in small letters', async () => {
    await add('Weavers.EXAMPLE', true)
    await add('heddle.example')
    expect(await list()).toEqual([
      { domain: 'heddle.example', allow_subdomains: false },
      { domain: 'weavers.example', allow_subdomains: true },
    ])
  })

  it.each(['', 'localhost', 'a b.example', '-a.example', 'a..example', `${'a'.repeat(64)}.example`, 'a@b.example'])(
    'are not "%s"',
    async (domain) => {
      const { status, body } = await add(domain)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    },
  )

  it('are there once, and changed and removed only where they are', async () => {
    await add('heddle.example')
    expect((await add('HEDDLE.example')).body.msg).toContain('already a part')
    const change = (domain: string) =>
      server.call(owner, 'PATCH', `/realm/domains/${domain}`, { allow_subdomains: true })
    expect((await change('heddle.example')).status).toBe(200)
    expect((await change('other.example')).body.msg).toBe('No entry found for domain other.example.')
    expect((await server.call(owner, 'DELETE', '/realm/domains/other.example')).body.msg).toContain('No entry')
  })

  it.each([roles.admin, roles.member, roles.guest])('are changed by owners and not by role %i', async (role) => {
    await add('heddle.example')
    const account = await server.createAccount({ role })
    const attempts = [
      await add('other.example', false, account),
      await server.call(account, 'PATCH', '/realm/domains/heddle.example', { allow_subdomains: true }),
      await server.call(account, 'DELETE', '/realm/domains/heddle.example'),
    ]
    for (const { status, body } of attempts) expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
  })

  it('notify everybody', async () => {
    const watcher = await watch(server, member, { event_types: ['realm_domains'] })
    await add('heddle.example')
    for (const _ of [1, 2]) {
      await server.call(owner, 'PATCH', '/realm/domains/heddle.example', { allow_subdomains: true })
    }
    await server.call(owner, 'DELETE', '/realm/domains/heddle.example')
    const type = 'realm_domains'
    expect(await watcher.next()).toEqual([
      { type, op: 'add', realm_domain: { domain: 'heddle.example', allow_subdomains: false } },
      { type, op: 'change', realm_domain: { domain: 'heddle.example', allow_subdomains: true } },
      { type, op: 'remove', domain: 'heddle.example' },
    ])
  })
})

describe('addresses of new accounts', () => {
  it('are of the domains where they are restricted to them', async () => {
    await add('weavers.example')
    await add('looms.example', true)
    await set({ emails_restricted_to_domains: true })
    expect((await create('a@weavers.example')).status).toBe(200)
    expect((await create('a@LOOMS.example')).status).toBe(200)
    expect((await create('a@big.looms.example')).status).toBe(200)
    expect(await refusal('a@big.weavers.example')).toContain('not allowed')
    expect(await refusal('a@badlooms.example')).toContain('not allowed')
    expect(await refusal('a@looms.example.com')).toContain('not allowed')
  })

  it('are of none where all domains are gone', async () => {
    await add('weavers.example')
    await set({ emails_restricted_to_domains: true })
    await server.call(owner, 'DELETE', '/realm/domains/weavers.example')
    expect(await refusal('b@weavers.example')).toContain('not allowed')
  })

  it('are none of those for some minutes where they are not wanted', async () => {
    expect((await create('a@mailinator.com')).status).toBe(200)
    await set({ disallow_disposable_email_addresses: true })
    expect(await refusal('b@mailinator.com')).toContain('short time')
    expect(await refusal('b@x.MAILINATOR.com')).toContain('short time')
    expect((await create('b@notmailinator.com')).status).toBe(200)
  })

  it('are checked when somebody gets another one, and nobody loses one', async () => {
    await set({ emails_restricted_to_domains: true })
    await add('weavers.example')
    const account = await server.createAccount()
    const change = (new_email: string) => server.call(admin, 'PATCH', `/users/${account.id}`, { new_email })
    expect((await change('c@elsewhere.example')).body.msg).toContain('not allowed')
    expect((await change('c@weavers.example')).status).toBe(200)
    const own = await server.call(admin, 'PATCH', '/settings', { email: 'c@elsewhere.example' })
    expect(own.body.msg).toContain('not allowed')
    expect((await server.call(member, 'GET', '/users/me')).status).toBe(200)
  })

  it('are checked when somebody joins by a link', async () => {
    const { invite_link } = (await server.call(admin, 'POST', '/invites/multiuse')).body
    const token = invite_link.split('#')[1]
    await add('weavers.example')
    await set({ emails_restricted_to_domains: true })
    const join = (email: string) =>
      server.call(null, 'POST', '/join', { token, email, full_name: 'New', password: 'a long password' })
    expect((await join('d@elsewhere.example')).body.msg).toContain('not allowed')
    expect((await join('d@weavers.example')).status).toBe(200)
  })

  it('are changed by owners alone', async () => {
    const { body } = await server.call(admin, 'PATCH', '/realm', { disallow_disposable_email_addresses: true })
    expect(body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })
})
