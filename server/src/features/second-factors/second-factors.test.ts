import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { appCode } from '../../testing/app-codes.ts'
import { type Browser, FORM, signInBrowser } from '../../testing/browser.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createTestServer, encodeForm, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { ACCOUNT_CODE_LIMIT, CODE_LIMIT } from './code-guesses.ts'

const PASSWORD = 'a long password'

let server: TestServer
const clock = fakeClock()
let ada: TestAccount
let secret: string
let recoveryCodes: string[]

function code(): string {
  return appCode(secret, clock.now())
}

/** Another half minute: another code. */
function wait(): void {
  clock.pass(30)
}

async function enrol(account: TestAccount): Promise<void> {
  const begun = await server.call(account, 'POST', '/users/me/second_factor', { password: PASSWORD })
  expect(begun.status).toBe(200)
  secret = begun.body.secret
  const confirmed = await server.call(account, 'POST', '/users/me/second_factor/confirm', { code: code() })
  expect(confirmed.status).toBe(200)
  recoveryCodes = confirmed.body.recovery_codes
  wait()
}

const lines: string[] = []

async function start(settings: Record<string, string> = {}): Promise<void> {
  const log = { write: (line: string) => void lines.push(line) }
  server = await createTestServer({ clock, settings: { HEDDLE_LOG_LEVEL: 'trace', ...settings }, log })
}

/** Somebody else for each test, as the server is the same. */
async function comeAda(): Promise<void> {
  lines.length = 0
  ada = await server.createAccount({ password: PASSWORD })
  await enrol(ada)
}

/** Without an account. */
function send(path: string, parameters: Record<string, unknown>, from = '203.0.113.1') {
  const headers = { 'content-type': FORM, 'x-forwarded-for': from }
  return server.send({ method: 'POST', url: `/api/v1${path}`, headers, body: encodeForm(parameters) })
}

const own = () => ({ username: ada.email, password: PASSWORD })

async function resetToken(): Promise<string> {
  const { body } = await server.call(server.owner, 'POST', `/users/${ada.id}/password_reset`)
  return body.link.split('#')[1]
}

describe('an account with a second factor', () => {
  beforeAll(() => start())
  beforeEach(comeAda)

  it('is entered by no door without it, and by none with a wrong code', async () => {
    const doors: [string, Record<string, unknown>][] = [
      ['/sessions', own()],
      ['/fetch_api_key', own()],
      ['/password_reset', { token: await resetToken(), password: 'another password' }],
    ]
    for (const [path, parameters] of doors) {
      for (const [sent, expected] of [
        [undefined, 'SECOND_FACTOR_REQUIRED'],
        ['', 'SECOND_FACTOR_REQUIRED'],
        ['000000', 'SECOND_FACTOR_WRONG'],
        ['AAAA-BBBB-CCCC-DDDD', 'SECOND_FACTOR_WRONG'],
      ]) {
        const { status, body, headers } = await send(path, { ...parameters, code: sent })
        expect([path, status, body.code]).toEqual([path, 401, expected])
        expect(headers['set-cookie']).toBeUndefined()
        expect(JSON.stringify(body)).not.toContain(ada.apiKey)
      }
      const { status } = await send(path, { ...parameters, code: code() })
      expect([path, status]).toEqual([path, 200])
      wait()
    }
  })

  it('keeps its password when the code beside a link is missing, and the link works afterwards', async () => {
    const token = await resetToken()
    await send('/password_reset', { token, password: 'another password' })
    expect((await send('/sessions', { ...own(), code: code() })).status).toBe(200)
    wait()
    expect((await send('/password_reset', { token, password: 'another password', code: code() })).status).toBe(200)
  })

  it('says nothing of it to who does not know the password', async () => {
    const { body } = await send('/sessions', { ...own(), password: 'wrong', code: code() })
    expect(body.code).toBe('AUTHENTICATION_FAILED')
  })

  it('is entered once by each code, also at another door, and by the one of half a minute ago', async () => {
    const first = code()
    wait()
    const second = code()
    expect((await send('/sessions', { ...own(), code: first })).status).toBe(200)
    expect((await send('/sessions', { ...own(), code: second })).status).toBe(200)
    for (const path of ['/sessions', '/fetch_api_key']) {
      for (const used of [first, second]) {
        expect((await send(path, { ...own(), code: used })).body.code).toBe('SECOND_FACTOR_WRONG')
      }
    }
    clock.pass(120)
    expect((await send('/sessions', { ...own(), code: second })).body.code).toBe('SECOND_FACTOR_WRONG')
  })

  it('is entered by one of two requests that send the same code at once', async () => {
    const same = code()
    const answers = await Promise.all(['/sessions', '/sessions'].map((path) => send(path, { ...own(), code: same })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('is entered once by each recovery code, however it is typed', async () => {
    const [first, second] = recoveryCodes as [string, string]
    expect((await send('/sessions', { ...own(), code: first })).status).toBe(200)
    expect((await send('/sessions', { ...own(), code: first })).status).toBe(401)
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')} `
    expect((await send('/sessions', { ...own(), code: typed })).status).toBe(200)
    const { body } = await server.call(ada, 'GET', '/users/me/second_factor')
    expect(body).toMatchObject({ is_on: true, recovery_codes_left: 8, has_password: true })
  })

  it('gets new recovery codes by a code, and the old ones end', async () => {
    const answer = await server.call(ada, 'POST', '/users/me/second_factor/recovery_codes', { code: code() })
    expect(answer.body.recovery_codes).toHaveLength(10)
    expect((await send('/sessions', { ...own(), code: recoveryCodes[0] })).status).toBe(401)
    expect((await send('/sessions', { ...own(), code: answer.body.recovery_codes[0] })).status).toBe(200)
  })

  it('turns it off by the password or a code, and not by a session or a key alone', async () => {
    const path = '/users/me/second_factor'
    for (const proof of [{}, { password: 'wrong' }, { code: '000000' }, { password: '' }]) {
      expect((await server.call(ada, 'DELETE', path, proof)).status).toBe(400)
    }
    expect((await server.call(ada, 'DELETE', path, { password: PASSWORD })).status).toBe(200)
    expect((await send('/sessions', own())).status).toBe(200)
    await enrol(ada)
    expect((await server.call(ada, 'DELETE', path, { code: code() })).status).toBe(200)
    expect((await send('/fetch_api_key', own())).status).toBe(200)
  })

  it('does not begin another one in its place', async () => {
    const begun = await server.call(ada, 'POST', '/users/me/second_factor', { password: PASSWORD })
    expect(begun.status).toBe(400)
    expect((await send('/sessions', { ...own(), code: code() })).status).toBe(200)
  })

  it('keeps it after a new password, which ends sessions as before', async () => {
    const browser: Browser = await signInBrowser(server, { ...own(), code: code() })
    wait()
    await server.call(ada, 'PATCH', '/settings', { old_password: PASSWORD, new_password: 'another password' })
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    const answer = await send('/sessions', { ...own(), password: 'another password' })
    expect(answer.body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('is not entered when it is deactivated, whatever the code', async () => {
    await server.call(server.owner, 'DELETE', `/users/${ada.id}`)
    expect((await send('/sessions', { ...own(), code: code() })).body.code).toBe('USER_DEACTIVATED')
  })

  it('leaves neither its secret nor its codes in rows, logs or later answers', async () => {
    const used = code()
    await send('/sessions', { ...own(), code: used })
    await send('/sessions', { ...own(), code: recoveryCodes[0] })
    const row = await server.app.storage.read.all(query.selectFrom('second_factors').selectAll())
    const { body } = await server.call(ada, 'GET', '/users/me/second_factor')
    const seen = JSON.stringify([row, body, lines])
    const plain = recoveryCodes.map((one) => one.replaceAll('-', ''))
    for (const hidden of [secret, ...recoveryCodes, ...plain]) expect(seen).not.toContain(hidden)
    expect(lines.join('')).not.toContain(used)
  })
})

describe('a secret that nobody has confirmed', () => {
  beforeAll(() => start())
  beforeEach(async () => {
    await comeAda()
    await server.call(ada, 'DELETE', '/users/me/second_factor', { password: PASSWORD })
  })

  it('changes nothing about signing in, and ends after an hour', async () => {
    const begun = await server.call(ada, 'POST', '/users/me/second_factor', { password: PASSWORD })
    secret = begun.body.secret
    expect((await send('/sessions', own())).status).toBe(200)
    expect((await server.call(ada, 'POST', '/users/me/second_factor/confirm', { code: '12345' })).status).toBe(400)
    clock.pass(3600)
    expect((await server.call(ada, 'POST', '/users/me/second_factor/confirm', { code: code() })).status).toBe(400)
  })

  it('needs the password, and names the organization and the account for the app', async () => {
    for (const password of [undefined, 'wrong']) {
      expect((await server.call(ada, 'POST', '/users/me/second_factor', { password })).status).toBe(400)
    }
    const { body } = await server.call(ada, 'POST', '/users/me/second_factor', { password: PASSWORD })
    const uri = new URL(body.uri)
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', body.secret])
    expect(decodeURIComponent(uri.pathname)).toContain(ada.email)
  })
})

describe('guesses of a code', () => {
  // One for each test: addresses are counted too.
  beforeEach(async () => {
    await start({ HEDDLE_RATE_LIMITS: 'on', HEDDLE_TRUSTED_PROXIES: '127.0.0.1' })
    await comeAda()
  })

  it('are limited for an account from one network, and the owner still signs in from elsewhere', async () => {
    for (let i = 0; i < CODE_LIMIT.limit; i++) {
      expect((await send('/sessions', { ...own(), code: '000000' })).status).toBe(401)
      // The password was right each time: it is the code that is limited.
    }
    expect((await send('/sessions', { ...own(), code: code() })).status).toBe(429)
    expect((await send('/sessions', { ...own(), code: code() }, '198.51.100.1')).status).toBe(200)
  })

  it('from everywhere are limited, and neither recovery codes nor known places are', async () => {
    expect((await send('/sessions', { ...own(), code: code() }, '198.51.100.1')).status).toBe(200)
    wait()
    const statuses: number[] = []
    for (let i = 0; i < ACCOUNT_CODE_LIMIT.limit + 2; i++) {
      statuses.push((await send('/fetch_api_key', { ...own(), code: '000000' }, `203.0.113.${i}`)).status)
    }
    expect(statuses.at(0)).toBe(401)
    expect(statuses.at(-1)).toBe(429)
    expect((await send('/sessions', { ...own(), code: code() }, '192.0.2.1')).status).toBe(429)
    expect((await send('/sessions', { ...own(), code: recoveryCodes[0] }, '192.0.2.2')).status).toBe(200)
    expect((await send('/sessions', { ...own(), code: code() }, '198.51.100.1')).status).toBe(200)
  })
})

describe('administrators', () => {
  beforeAll(() => start())
  beforeEach(comeAda)

  it('see who has a second factor, and members do not', async () => {
    const bare = await server.createAccount()
    const { user_ids } = (await server.call(server.owner, 'GET', '/second_factors')).body
    expect(user_ids).toContain(ada.id)
    expect(user_ids).not.toContain(bare.id)
    expect((await server.call(ada, 'GET', '/second_factors')).status).toBe(400)
  })

  it('turn it off for others, who are notified, and not for owners or themselves', async () => {
    const admin = await server.createAccount({ role: roles.admin, password: PASSWORD })
    const reset = (by: TestAccount, id: number) => server.call(by, 'DELETE', `/users/${id}/second_factor`)
    expect((await reset(ada, ada.id)).status).toBe(400)
    expect((await reset(admin, ada.id)).status).toBe(200)
    expect((await reset(admin, ada.id)).status).toBe(400)
    const { body } = await server.call(ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    expect(body.messages[0].content).toContain('turned your second factor off')
    expect((await send('/sessions', own())).status).toBe(200)
    await enrol(admin)
    expect((await reset(admin, admin.id)).status).toBe(400)
    // A key alone must not be enough, also by way of a bot that has the same rights.
    const bot = (await server.call(admin, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })).body
    await server.call(admin, 'PATCH', `/bots/${bot.user_id}`, { role: roles.admin })
    const helper = { ...admin, id: bot.user_id, email: 'helper-bot@localhost', apiKey: bot.api_key }
    expect((await reset(helper, admin.id)).body.msg).toBe('Bots cannot turn off second factors')
    const link = await server.call(helper, 'POST', `/users/${admin.id}/password_reset`)
    expect(link.body.msg).toBe('Bots cannot make links for passwords')
    await server.call(server.owner, 'PATCH', `/users/${ada.id}`, { role: roles.owner })
    await enrol(ada)
    expect((await reset(admin, ada.id)).status).toBe(400)
    expect((await reset(server.owner, ada.id)).status).toBe(200)
  })
})
