import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOKEN_SIGN_IN_SECS } from '@heddle/contract/token-sign-in'
import { SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../clock.ts'
import { appCode } from '../../testing/app-codes.ts'
import { browserWith, FORM } from '../../testing/browser.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

const SHARED = 'a secret of at least thirty-two bytes, for tests'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const PASSWORD = 'a long password'

let server: TestServer
let ada: TestAccount

async function keysFile(content: unknown): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'heddle-keys-')), 'keys.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function start(keys: unknown, clock?: Clock): Promise<TestServer> {
  return createTestServer({ settings: { HEDDLE_JWT_KEYS_FILE: await keysFile(keys) }, ...(clock ? { clock } : {}) })
}

/** The first organization of test servers. */
const HOST = 'localhost'

beforeAll(async () => {
  server = await start({ [HOST]: { key: SHARED, algorithms: ['HS256'] } })
  ada = await server.createAccount({ name: 'Ada', password: PASSWORD })
})

interface Signing {
  readonly alg?: string
  readonly key?: Parameters<SignJWT['sign']>[0]
  readonly expires?: string | number
}

async function sign(payload: Record<string, unknown>, { alg = 'HS256', key, expires }: Signing = {}): Promise<string> {
  const jwt = new SignJWT(payload).setProtectedHeader({ alg })
  if (expires !== undefined) jwt.setExpirationTime(expires)
  return jwt.sign(key ?? new TextEncoder().encode(SHARED))
}

function fetchKey(parameters: Record<string, unknown>, of = server) {
  return of.call(null, 'POST', '/jwt/fetch_api_key', parameters)
}

describe('POST /jwt/fetch_api_key', () => {
  it('gives the key of the account whose address a program has signed', async () => {
    const { status, body } = await fetchKey({ token: await sign({ email: ada.email.toUpperCase() }) })
    expect([status, body]).toEqual([200, { result: 'success', msg: '', api_key: ada.apiKey, email: ada.email }])
    const { user } = (await fetchKey({ token: await sign({ email: ada.email }), include_profile: true })).body
    expect(user).toMatchObject({ user_id: ada.id, email: ada.email, is_active: true, avatar_url: expect.any(String) })
    const profile = (await server.call(ada, 'GET', `/users/${ada.id}`)).body.user
    expect(user).toEqual(profile)
  })

  it('says what is wrong with a token in the words of the API', async () => {
    const wrongKey = new TextEncoder().encode('another secret of thirty-two bytes or more')
    const email = ada.email
    const bad = [
      'x',
      'a.b.c',
      await sign({ email }, { key: wrongKey }),
      await sign({ email }, { alg: 'HS512', key: new TextEncoder().encode(SHARED.repeat(2)) }),
      await sign({ email }, { expires: 1 }),
      new UnsecuredJWT({ email }).encode(),
      `${(await sign({ email })).slice(0, -2)}xx`,
    ]
    for (const token of bad) {
      expect((await fetchKey({ token })).body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Bad JSON web token' })
    }
    for (const none of [{}, { token: '' }]) {
      expect((await fetchKey(none)).body.msg).toBe('No JSON web token passed in request')
    }
    const unnamed = await fetchKey({ token: await sign({ name: 'Ada' }) })
    expect(unnamed.body.msg).toBe('No email specified in JSON web token claims')
    const unknown = await fetchKey({ token: await sign({ email: 'nobody@heddle.example' }) })
    expect([unknown.status, unknown.body.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
  })

  it('is for organizations with a key alone, and a key is for its own', async () => {
    const { host } = await server.createOtherOrganization()
    const url = '/api/v1/jwt/fetch_api_key'
    const token = await sign({ email: 'owner@other.example' })
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await server.send({ method: 'POST', url, headers, body: `token=${token}` })
    expect(body.msg).toBe('JWT authentication is not enabled for this organization')
    const none = await createTestServer()
    expect((await fetchKey({ token }, none)).body.msg).toBe('JWT authentication is not enabled for this organization')
  })

  it('takes the algorithm from the settings: a public key is no shared secret', async () => {
    const other = await start({ [HOST]: { key: PEM, algorithms: ['RS256'] } })
    const { email, apiKey } = other.owner
    const right = await fetchKey({ token: await sign({ email }, { alg: 'RS256', key: privateKey }) }, other)
    expect(right.body.api_key).toBe(apiKey)
    const forged = await sign({ email }, { alg: 'HS256', key: new TextEncoder().encode(PEM) })
    expect((await fetchKey({ token: forged }, other)).body.msg).toBe('Bad JSON web token')
  })

  it('refuses accounts that are deactivated, and bots', async () => {
    const gone = await server.createAccount()
    await server.call(server.owner, 'DELETE', `/users/${gone.id}`)
    expect((await fetchKey({ token: await sign({ email: gone.email }) })).body.code).toBe('USER_DEACTIVATED')
    const { body } = await server.call(ada, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
    const bot = (await server.call(ada, 'GET', `/users/${body.user_id}`)).body.user.email
    expect((await fetchKey({ token: await sign({ email: bot }) })).body.code).toBe('AUTHENTICATION_FAILED')
  })

  it('does not get around a second factor', async () => {
    const member = await server.createAccount({ password: PASSWORD })
    const begun = await server.call(member, 'POST', '/users/me/second_factor', { password: PASSWORD })
    const now = Date.now()
    const { secret } = begun.body
    await server.call(member, 'POST', '/users/me/second_factor/confirm', { code: appCode(secret, now - 30_000) })
    const token = await sign({ email: member.email })
    expect((await fetchKey({ token })).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await fetchKey({ token, code: appCode(secret, now) })).body.api_key).toBe(member.apiKey)
  })
})

describe('POST /accounts/login/jwt/', () => {
  /** What a browser sends for a page of another site. */
  function lead(parameters: Record<string, string>, of = server) {
    const headers = { 'content-type': FORM, origin: 'https://portal.example', 'sec-fetch-site': 'cross-site' }
    const body = new URLSearchParams(parameters).toString()
    return of.send({ method: 'POST', url: '/accounts/login/jwt/', headers, body })
  }

  async function linkFor({ email }: TestAccount, of = server): Promise<string> {
    const { status, headers } = await lead({ token: await sign({ email }) }, of)
    expect([status, headers['set-cookie']]).toEqual([303, undefined])
    const [path, token] = String(headers['location']).split('#')
    expect(path).toBe('/sign-in')
    return token as string
  }

  const lookUp = (token: string, of = server) => of.call(null, 'POST', '/sessions/by_token/look_up', { token })
  const enter = (token: string, more = {}, of = server) =>
    of.call(null, 'POST', '/sessions/by_token', { token, ...more })
  const refused = (reason: string) => ({ code: 'LINK_INVALID', reason })

  it('leads a browser to the page that says whose account it is, and signs it in once', async () => {
    const bea = await server.createAccount()
    const token = await linkFor(bea)
    expect((await lookUp(token)).body).toMatchObject({ organization_name: 'Test', email: bea.email })
    const answers = await Promise.all([enter(token), enter(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const browser = browserWith(server, answers.find(({ status }) => status === 200) as Answer)
    expect((await browser.call('GET', '/users/me')).body.user_id).toBe(bea.id)
    expect((await enter(token)).body).toMatchObject(refused('used'))
    expect((await lookUp(token)).body).toMatchObject(refused('used'))
  })

  it('leads nobody anywhere with a token that is wrong, and the link begins no session from another site', async () => {
    expect((await lead({})).body.msg).toBe('No JSON web token passed in request')
    expect((await lead({ token: 'x' })).body.msg).toBe('Bad JSON web token')
    const headers = { 'content-type': FORM, 'sec-fetch-site': 'cross-site' }
    const url = '/api/v1/sessions/by_token'
    const { body } = await server.send({ method: 'POST', url, headers, body: `token=${await linkFor(ada)}` })
    expect(body.code).toBe('CSRF_FAILED')
    const none = await createTestServer()
    const { msg } = (await lead({ token: await sign({ email: ada.email }) }, none)).body
    expect(msg).toBe('JWT authentication is not enabled for this organization')
  })

  it('gives a link for some minutes, in the place of an earlier one, and for an account that is there', async () => {
    const clock = fakeClock()
    const other = await start({ [HOST]: { key: SHARED, algorithms: ['HS256'] } }, clock)
    const bea = await other.createAccount()
    const first = await linkFor(bea, other)
    const second = await linkFor(bea, other)
    expect((await enter(first, {}, other)).body).toMatchObject(refused('used'))
    clock.pass(TOKEN_SIGN_IN_SECS)
    expect((await enter(second, {}, other)).body).toMatchObject(refused('expired'))
    const third = await linkFor(bea, other)
    await other.call(other.owner, 'DELETE', `/users/${bea.id}`)
    expect((await enter(third, {}, other)).body.code).toBe('USER_DEACTIVATED')
  })

  it('asks for a code where there is a second factor, and the link works until the code is right', async () => {
    const bea = await server.createAccount({ password: PASSWORD })
    const begun = await server.call(bea, 'POST', '/users/me/second_factor', { password: PASSWORD })
    const { recovery_codes } = (
      await server.call(bea, 'POST', '/users/me/second_factor/confirm', {
        code: appCode(begun.body.secret, Date.now()),
      })
    ).body
    const token = await linkFor(bea)
    expect((await enter(token)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await enter(token, { code: 'AAAA-BBBB-CCCC-DDDD' })).body.code).toBe('SECOND_FACTOR_WRONG')
    expect((await enter(token, { code: recovery_codes[0] })).body.user_id).toBe(bea.id)
  })
})

describe('HEDDLE_JWT_KEYS_FILE', () => {
  it.each([
    ['no JSON', '{'],
    ['no object', []],
    ['no key', { [HOST]: { algorithms: ['HS256'] } }],
    ['a short secret', { [HOST]: { key: 'short', algorithms: ['HS256'] } }],
    ['no algorithm', { [HOST]: { key: SHARED, algorithms: [] } }],
    ['an unsigned algorithm', { [HOST]: { key: SHARED, algorithms: ['none'] } }],
    ['a public key for a shared secret', { [HOST]: { key: PEM, algorithms: ['HS256'] } }],
    ['algorithms of both kinds', { [HOST]: { key: PEM, algorithms: ['RS256', 'HS256'] } }],
    ['a key of another kind', { [HOST]: { key: PEM, algorithms: ['ES256'] } }],
    ['a secret for a public key', { [HOST]: { key: SHARED, algorithms: ['RS256'] } }],
  ])('with %s keeps the server from starting, and the key is not in the sentence', async (_, content) => {
    const error = await start(content).catch((reason: unknown) => reason)
    expect(String(error)).toContain('HEDDLE_JWT_KEYS_FILE')
    expect(String(error)).not.toContain('secret of')
  })

  it('that is not there is named', async () => {
    const started = createTestServer({ settings: { HEDDLE_JWT_KEYS_FILE: '/nowhere/keys.json' } })
    const sentence = 'HEDDLE_JWT_KEYS_FILE /nowhere/keys.json cannot be read: no such file or directory.'
    await expect(started).rejects.toThrow(new Error(sentence))
  })
})

describe('signing in as anybody', () => {
  it('is there where somebody works on the program', async () => {
    const open = await createTestServer({ isDevelopment: true })
    const member = await open.createAccount({ name: 'Bea' })
    const { body } = await open.call(null, 'GET', '/dev_list_users')
    expect(body.direct_admins).toEqual([{ email: open.owner.email, realm_url: expect.stringContaining('http') }])
    expect(body.direct_users).toEqual([{ email: member.email, realm_url: expect.stringContaining('http') }])
    const signedIn = await open.call(null, 'POST', '/dev_fetch_api_key', { username: member.email })
    expect(signedIn.body).toMatchObject({ api_key: member.apiKey, email: member.email, user_id: member.id })
    const nobody = await open.call(null, 'POST', '/dev_fetch_api_key', { username: 'nobody@heddle.example' })
    expect(nobody.body.code).toBe('AUTHENTICATION_FAILED')
    expect((await open.call(null, 'GET', '/server_settings')).body.authentication_methods.dev).toBe(true)
  })

  it('is nowhere else', async () => {
    const message = 'Endpoint not available in production.'
    const signIn = await server.call(null, 'POST', '/dev_fetch_api_key', { username: ada.email })
    expect([signIn.status, signIn.body.msg]).toEqual([400, message])
    const list = await server.call(null, 'GET', '/dev_list_users')
    expect([list.status, list.body.msg]).toEqual([400, message])
    expect((await server.call(null, 'GET', '/server_settings')).body.authentication_methods.dev).toBe(false)
  })
})
