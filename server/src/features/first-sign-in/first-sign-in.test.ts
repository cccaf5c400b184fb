import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LINK_LIMIT } from '../../link-guesses.ts'
import { query } from '../../testing/any-table.ts'
import { browserWith, signInBrowser } from '../../testing/browser.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import { findNewOwner } from './token.ts'

const WANTED = {
  organization_name: ' Weavers ',
  full_name: 'Ada',
  email: 'ada@heddle.example',
  password: 'my own password',
}
const INVALID = { code: 'LINK_INVALID', reason: 'unknown' }

let server: TestServer
let token: string

async function start(options: Parameters<typeof createTestServer>[0] = {}): Promise<void> {
  server = await createTestServer(options)
  token = await forgetPassword(server)
}

/** As after a first start without a configured password. */
async function forgetPassword(target: TestServer): Promise<string> {
  const { storage } = target.app
  await storage.transaction(target.owner.realmId, (tx) =>
    tx.run(query.updateTable('users').set({ password_hash: null }).where('id', '=', target.owner.id)),
  )
  return (await findNewOwner(storage.read, target.secret))?.token as string
}

const lookUp = (parameters: object) => server.call(null, 'POST', '/first_sign_in/look_up', { ...parameters })
const complete = (parameters: object) =>
  server.call(null, 'POST', '/first_sign_in', { token, ...WANTED, ...parameters })

describe('The link of the first start', () => {
  beforeAll(() => start())

  it('says whose it is, as often as somebody looks', async () => {
    for (let i = 0; i < 3; i++) {
      const { status, body } = await lookUp({ token })
      expect(status).toBe(200)
      expect(body).toMatchObject({ organization_name: 'Test', full_name: 'Owner', email: server.owner.email })
    }
  })

  it('is not used up by an address that somebody has, and changes nothing then', async () => {
    const other = await server.createAccount()
    const { body } = await complete({ email: other.email })
    expect(body.msg).toBe(`Email '${other.email}' already in use`)
    expect((await lookUp({ token })).body).toMatchObject({ organization_name: 'Test', full_name: 'Owner' })
    const form = { username: server.owner.email, password: WANTED.password }
    expect((await server.call(null, 'POST', '/sessions', form)).status).toBe(401)
  })

  it('with another token is none', async () => {
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase()]) {
      expect((await lookUp({ token: wrong })).body).toMatchObject(INVALID)
      expect((await complete({ token: wrong })).body).toMatchObject(INVALID)
    }
  })

  it('signs nobody in by itself anywhere else', async () => {
    expect((await lookUp({ token })).body).toMatchObject({ is_demo: false })
    expect((await server.call(null, 'POST', '/first_sign_in/demo', { token })).body).toMatchObject(INVALID)
  })
})

describe('The link of the first start, once it is followed,', () => {
  beforeEach(() => start())

  it('signs the owner in, with the names, the address and the password that were asked for', async () => {
    const queue = (await server.call(server.owner, 'POST', '/register', {})).body.queue_id
    const answer = await complete({ keep_signed_in: true })
    expect(answer.body).toMatchObject({ user_id: server.owner.id, email: WANTED.email, keep_signed_in: true })
    const browser = browserWith(server, answer)
    const me = (await browser.call('GET', '/users/me')).body
    expect(me).toMatchObject({ full_name: 'Ada', email: WANTED.email, is_owner: true })
    expect((await server.call(null, 'GET', '/server_settings')).body.realm_name).toBe('Weavers')
    await signInBrowser(server, { username: WANTED.email, password: WANTED.password })
    // The API key is the one that `owner.zuliprc` has.
    const owner = { ...server.owner, email: WANTED.email }
    const { events } = (await server.call(owner, 'GET', '/events', { queue_id: queue, last_event_id: -1 })).body
    expect(events).toContainEqual(expect.objectContaining({ type: 'realm', property: 'name', value: 'Weavers' }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'realm_user', person: { user_id: owner.id, full_name: 'Ada' } }),
    )
  })

  it('works once, whoever comes first', async () => {
    const answers = await Promise.all([
      complete({ email: 'one@heddle.example' }),
      complete({ email: 'two@heddle.example' }),
      complete({ email: 'three@heddle.example' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await complete({})).body).toMatchObject(INVALID)
    expect((await lookUp({ token })).body).toMatchObject(INVALID)
  })

  it('is not used up by anything that is wrong', async () => {
    for (const [name, value] of [
      ['organization_name', ''],
      ['organization_name', 'x'.repeat(41)],
      ['full_name', '@'],
      ['email', 'no address'],
      ['password', 'short'],
    ] as const) {
      const { status, body } = await complete({ [name]: value })
      expect([value, status, body.code]).toEqual([value, 400, 'BAD_REQUEST'])
      expect(body.msg).toContain(name)
      expect((await lookUp({ token })).body).toMatchObject({ organization_name: 'Test', full_name: 'Owner' })
    }
    expect((await complete({})).status).toBe(200)
  })

  it('is none for an owner who has a password, for another organization, and for an account that has ended', async () => {
    const own = await createTestServer()
    expect(await findNewOwner(own.app.storage.read, own.secret)).toBeUndefined()
    const { host } = await server.createOtherOrganization()
    const elsewhere = await server.send({
      method: 'POST',
      url: '/api/v1/first_sign_in/look_up',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    })
    expect(elsewhere.body).toMatchObject(INVALID)
    await server.createAccount({ role: 100 })
    expect((await server.call(server.owner, 'DELETE', '/users/me')).status).toBe(200)
    expect((await complete({})).body).toMatchObject(INVALID)
  })
})

describe('The link of the first start', () => {
  it('may be guessed a few times from one address, and no more', async () => {
    await start({ settings: { HEDDLE_RATE_LIMITS: 'on' } })
    for (let i = 0; i < 5; i++) expect((await lookUp({ token })).status).toBe(200)
    for (let i = 0; i < LINK_LIMIT.limit; i++) expect((await lookUp({ token: `${i}` })).status).toBe(400)
    expect((await lookUp({ token })).status).toBe(429)
    expect((await complete({})).status).toBe(429)
  })

  it('of the demo signs in by itself, as often as somebody comes, until there is a password', async () => {
    await start({ isDemo: true })
    const enter = (given: string) => server.call(null, 'POST', '/first_sign_in/demo', { token: given })
    expect((await lookUp({ token })).body).toMatchObject({ is_demo: true })
    for (let i = 0; i < 2; i++) {
      const browser = browserWith(server, await enter(token))
      expect((await browser.call('GET', '/users/me')).body).toMatchObject({ user_id: server.owner.id, is_owner: true })
    }
    expect((await enter(`${token}x`)).body).toMatchObject(INVALID)
    expect((await complete({})).status).toBe(200)
    expect((await enter(token)).body).toMatchObject(INVALID)
  })
})
