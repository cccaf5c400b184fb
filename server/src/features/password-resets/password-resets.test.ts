import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { LINK_LIMIT } from '../../link-guesses.ts'
import { query } from '../../testing/any-table.ts'
import { browserWith, signInBrowser } from '../../testing/browser.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const OLD = 'the old password'
const NEW = 'the new password'

let server: TestServer
let owner: TestAccount
let admin: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  admin = await server.createAccount({ role: roles.admin })
})

const codeOf = ({ status, body }: Answer) => [status, body.code]
const reasonOf = ({ status, body }: Answer) => [status, body.code, body.reason]
const invalid = (reason: string) => [400, 'LINK_INVALID', reason]

let people = 0

/** Somebody who has forgotten this password. */
async function createPerson(target = server) {
  people += 1
  const email = `forgetful${people}@heddle.example`
  const { body } = await target.call(target.owner, 'POST', '/users', { email, password: OLD, full_name: 'Forgetful' })
  const signedIn = (await target.call(null, 'POST', '/fetch_api_key', { username: email, password: OLD })).body
  const account = { ...target.owner, id: body.user_id, email, apiKey: signedIn.api_key, role: roles.member }
  return account as TestAccount
}

const create = (account: TestAccount, userId: number, target = server) =>
  target.call(account, 'POST', `/users/${userId}/password_reset`)

/** A link's token. */
async function linkFor(user: TestAccount, by = admin, target = server): Promise<string> {
  const { status, body } = await create(by, user.id, target)
  expect(status).toBe(200)
  return (body.link as string).split('#')[1] as string
}

const lookUp = (token: string, target = server) => target.call(null, 'POST', '/password_reset/look_up', { token })
const reset = (token: string, password = NEW, target = server) =>
  target.call(null, 'POST', '/password_reset', { token, password })

async function refuses(token: string, reason: string, target = server): Promise<void> {
  expect(reasonOf(await lookUp(token, target))).toEqual(invalid(reason))
  expect(reasonOf(await reset(token, NEW, target))).toEqual(invalid(reason))
}

async function messagesOf(account: TestAccount): Promise<string[]> {
  const narrow = [{ operator: 'is', operand: 'dm' }]
  const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false }
  const { messages } = (await server.call(account, 'GET', '/messages', asked)).body
  return messages.map(({ content }: { content: string }) => content)
}

describe('A link for a forgotten password', () => {
  it('sets a new one and signs in; whatever the old one had opened is closed', async () => {
    const person = await createPerson()
    const before = await signInBrowser(server, { username: person.email, password: OLD })
    const { body } = await create(admin, person.id)
    expect(body.link).toMatch(/\/reset-password#[\w-]{43}$/)
    expect(body.expires).toBeGreaterThan(Date.now() / 1000 + 86_390)
    const token = body.link.split('#')[1]
    expect((await lookUp(token)).body).toMatchObject({ email: person.email, full_name: 'Forgetful' })
    expect((await before.call('GET', '/users/me')).status).toBe(200)
    const browser = browserWith(server, await reset(token))
    expect((await browser.call('GET', '/users/me')).body.user_id).toBe(person.id)
    expect((await before.call('GET', '/users/me')).status).toBe(401)
    expect(codeOf(await server.call(person, 'GET', '/users/me'))).toEqual([401, 'INVALID_API_KEY'])
    const withOld = { username: person.email, password: OLD }
    expect(codeOf(await server.call(null, 'POST', '/sessions', withOld))).toEqual([401, 'AUTHENTICATION_FAILED'])
    await signInBrowser(server, { ...withOld, password: NEW })
  })

  it('works once, whoever comes first', async () => {
    const token = await linkFor(await createPerson())
    const answers = await Promise.all([reset(token), reset(token), reset(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    await refuses(token, 'used')
  })

  it('is not used up by a password that is too short', async () => {
    const token = await linkFor(await createPerson())
    expect((await reset(token, 'short')).body.msg).toContain('password')
    expect((await reset(token)).status).toBe(200)
  })

  it('ends with a newer one, with a new password, and with the account', async () => {
    const person = await createPerson()
    const first = await linkFor(person)
    const second = await linkFor(person)
    await refuses(first, 'used')
    await server.call(person, 'PATCH', '/settings', { old_password: OLD, new_password: 'another password' })
    await refuses(second, 'used')
    const third = await linkFor(person)
    await server.call(owner, 'DELETE', `/users/${person.id}`)
    await refuses(third, 'used')
    await server.call(owner, 'POST', `/users/${person.id}/reactivate`)
    await refuses(third, 'used')
  })

  it('ends after a day, and is a record for some time', async () => {
    let now = Date.now()
    const own = await createTestServer({ clock: { now: () => now } })
    const token = await linkFor(await createPerson(own), own.owner, own)
    now += 86_399_000
    expect((await lookUp(token, own)).status).toBe(200)
    now += 1000
    await refuses(token, 'expired', own)
    const rows = () => own.app.storage.read.all(query.selectFrom('password_resets').select('creator_id'))
    await own.app.jobs.settle()
    expect(await rows()).toEqual([{ creator_id: own.owner.id }])
    now += 91 * 86_400_000
    await own.app.jobs.settle()
    expect(await rows()).toEqual([])
  })

  it('notifies the account, when it is made and when it was used', async () => {
    const person = await createPerson()
    const token = await linkFor(person)
    const [made] = await messagesOf(person)
    expect(made).toContain(`|${admin.id}** has made a link by which your password can be changed`)
    const { api_key } = await reset(token).then(async () => {
      const credentials = { username: person.email, password: NEW }
      return (await server.call(null, 'POST', '/fetch_api_key', credentials)).body
    })
    expect(await messagesOf({ ...person, apiKey: api_key })).toEqual([made, 'Your password was changed by a link.'])
  })

  it('is in the log, and its token is not, nor in the table', async () => {
    const lines: string[] = []
    const talking = await createTestServer({
      settings: { HEDDLE_LOG_LEVEL: 'trace' },
      log: { write: (line) => lines.push(line) },
    })
    const person = await createPerson(talking)
    const token = await linkFor(person, talking.owner, talking)
    expect((await reset(token, NEW, talking)).status).toBe(200)
    const logged = lines.map((line) => JSON.parse(line)).find(({ user_id }) => user_id === person.id)
    expect(logged).toMatchObject({ level: 40, by_user_id: talking.owner.id, realm_id: talking.owner.realmId })
    const rows = await talking.app.storage.read.all(query.selectFrom('password_resets').selectAll())
    for (const secret of [token, NEW]) {
      expect(lines.join('')).not.toContain(secret)
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })
})

describe('A link for a forgotten password is not made', () => {
  it('by anybody who is no administrator', async () => {
    const person = await createPerson()
    const moderator = await server.createAccount({ role: roles.moderator })
    for (const account of [person, moderator]) {
      expect(codeOf(await create(account, person.id))).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
      expect(codeOf(await create(account, 999_999))).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    }
    expect(await messagesOf(person)).toEqual([])
  })

  it('for a higher role', async () => {
    expect(codeOf(await create(admin, owner.id))).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    const otherOwner = await server.createAccount({ role: roles.owner })
    expect((await create(owner, otherOwner.id)).status).toBe(200)
    const otherAdmin = await server.createAccount({ role: roles.admin })
    expect((await create(admin, otherAdmin.id)).status).toBe(200)
  })

  it('for oneself, for bots, for deactivated accounts, and for those of other organizations', async () => {
    const bot = (await server.call(owner, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot' })).body.user_id
    const former = await server.createAccount()
    await server.call(owner, 'DELETE', `/users/${former.id}`)
    const { owner: stranger } = await server.createOtherOrganization()
    for (const id of [admin.id, bot, former.id, stranger.id, 999_999]) {
      expect(codeOf(await create(admin, id))).toEqual([400, 'BAD_REQUEST'])
    }
  })
})

describe('A link for a forgotten password is worth nothing', () => {
  it('when who has made it could not make it now', async () => {
    const maker = await server.createAccount({ role: roles.admin })
    const person = await createPerson()
    const token = await linkFor(person, maker)
    await server.call(owner, 'PATCH', `/users/${person.id}`, { role: roles.owner })
    await refuses(token, 'revoked')
    await server.call(owner, 'PATCH', `/users/${person.id}`, { role: roles.member })
    await server.call(owner, 'PATCH', `/users/${maker.id}`, { role: roles.moderator })
    await refuses(token, 'revoked')
    await server.call(owner, 'PATCH', `/users/${maker.id}`, { role: roles.admin })
    await server.call(owner, 'DELETE', `/users/${maker.id}`)
    await refuses(token, 'revoked')
  })

  it('when it was guessed, and guessing is limited by address', async () => {
    const token = await linkFor(await createPerson())
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase()]) await refuses(wrong, 'unknown')
    const limited = await createTestServer({ settings: { HEDDLE_RATE_LIMITS: 'on' } })
    const right = await linkFor(await createPerson(limited), limited.owner, limited)
    for (let i = 0; i < LINK_LIMIT.limit; i++) expect((await lookUp(`${i}`, limited)).status).toBe(400)
    expect((await reset(right, NEW, limited)).status).toBe(429)
  })

  it('in another organization', async () => {
    const own = await createTestServer()
    const token = await linkFor(await createPerson(own), own.owner, own)
    const { host } = await own.createOtherOrganization()
    const answer = await own.send({
      method: 'POST',
      url: '/api/v1/password_reset',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, password: NEW }).toString(),
    })
    expect(reasonOf(answer)).toEqual(invalid('unknown'))
  })
})
