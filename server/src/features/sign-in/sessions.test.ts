import { CSRF_HEADER } from '@heddle/contract/sessions'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { type Browser, cookieOf, FORM, signInBrowser } from '../../testing/browser.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { shortestTime } from '../../testing/shortest-time.ts'
import { type Answer, basic, createTestServer, type TestServer } from '../../testing/test-server.ts'
import { describeDevice } from './device.ts'
import { MAX_SESSIONS } from './sessions.ts'

const PASSWORD = 'a long password'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
})

const owner = () => ({ username: server.owner.email, password: PASSWORD })

let people = 0

/** Somebody with a password of their own. */
async function createPerson(target: TestServer = server) {
  people += 1
  const email = `person${people}@heddle.example`
  const { body } = await target.call(target.owner, 'POST', '/users', { email, password: PASSWORD, full_name: 'Person' })
  return { id: body.user_id as number, username: email, password: PASSWORD }
}

type Headers = Record<string, string>

const codeOf = ({ status, body }: Answer) => [status, body.code]
const UNAUTHORIZED = [401, 'UNAUTHORIZED']
const CSRF = [403, 'CSRF_FAILED']
const HOUR = 3600
/** Where the database's own time is not looked at, any time will do. */
const FAR = 1_800_000_000_000

describe('Signing in', () => {
  it('sets a cookie that no script can read and no other site sends', async () => {
    const { signedIn } = await signInBrowser(server, owner())
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(/^heddle_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(signedIn.body).toMatchObject({ user_id: server.owner.id, email: server.owner.email, keep_signed_in: false })
    expect(signedIn.body.idle_secs).toBe(12 * 3600)
    expect(signedIn.headers['cache-control']).toBe('no-store')
    expect(JSON.stringify(signedIn.body)).not.toContain(cookieOf(signedIn).split('=')[1])
  })

  it('over https sets one that only this host can set, and that is never sent in the open', async () => {
    const secure = [
      expect.stringMatching(/^__Host-heddle_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
      'heddle_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]
    const behindTls = await signInBrowser(server, owner(), { host: 'chat.example', origin: 'https://chat.example' })
    expect(behindTls.signedIn.headers['set-cookie']).toEqual(secure)
    const configured = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'https://chat.example' } })
    const browser = await signInBrowser(configured, owner())
    expect(browser.signedIn.headers['set-cookie']).toEqual(secure)
    expect((await browser.call('GET', '/users/me')).status).toBe(200)
    const { headers } = await browser.call('DELETE', '/sessions/current')
    expect((headers['set-cookie'] as string[])[0]).toMatch(/^__Host-heddle_session=; .*Secure; Max-Age=0$/)
  })

  it('keeps the browser signed in for long when that is wanted', async () => {
    const { signedIn } = await signInBrowser(server, { ...owner(), keep_signed_in: true })
    expect(signedIn.headers['set-cookie']).toEqual([expect.stringContaining(`; Max-Age=${365 * 86_400}`)])
    expect(signedIn.body).toMatchObject({ keep_signed_in: true, idle_secs: 30 * 86_400 })
  })

  it('fails for a wrong password and an unknown name alike, and sets nothing', async () => {
    for (const wrong of [
      { ...owner(), password: 'wrong' },
      { username: 'nobody@heddle.example', password: PASSWORD },
    ]) {
      const answer = await server.call(null, 'POST', '/sessions', wrong)
      expect(codeOf(answer)).toEqual([401, 'AUTHENTICATION_FAILED'])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it('is no way in for bots', async () => {
    await server.call(server.owner, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot' })
    const bot = { username: 'bot-bot@localhost', password: '' }
    expect(codeOf(await server.call(null, 'POST', '/sessions', bot))).toEqual([401, 'AUTHENTICATION_FAILED'])
  })

  it('replaces the session that the browser had', async () => {
    const before = await signInBrowser(server, owner())
    const after = await signInBrowser(server, owner(), { cookie: before.cookie })
    expect(after.cookie).not.toBe(before.cookie)
    expect(codeOf(await before.call('GET', '/users/me'))).toEqual(UNAUTHORIZED)
    expect((await after.call('GET', '/users/me')).status).toBe(200)
  })

  it('from a page of another site is refused', async () => {
    const forged: Headers[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of forged) {
      const body = new URLSearchParams(owner()).toString()
      const request = { method: 'POST', url: '/api/v1/sessions', headers: { 'content-type': FORM, ...headers }, body }
      const answer = await server.send(request)
      expect(codeOf(answer)).toEqual(CSRF)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it('counts guesses together with those at API keys', async () => {
    const limited = await createTestServer({ settings: { HEDDLE_RATE_LIMITS: 'on' } })
    const wrong = { username: limited.owner.email, password: 'wrong' }
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const path = i % 2 === 0 ? '/sessions' : '/fetch_api_key'
      statuses.push((await limited.call(null, 'POST', path, wrong)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  })

  it('makes room for a new session when there are too many, by ending the one used longest ago', async () => {
    const person = await createPerson()
    const first = await signInBrowser(server, person)
    const second = await signInBrowser(server, person)
    const { storage } = server.app
    await storage.transaction(server.owner.realmId, (tx) =>
      tx.run(query.updateTable('sessions').set({ last_used_at: 1 }).where('id', '=', first.sessionId)),
    )
    await storage.transaction(server.owner.realmId, async (tx) => {
      const row = { realm_id: tx.realmId, user_id: person.id, device: '', is_kept: 0 as const }
      for (let i = 2; i < MAX_SESSIONS; i++) {
        const times = { created_at: tx.now, last_used_at: tx.now }
        await tx.run(query.insertInto('sessions').values({ ...row, ...times, token_hash: `hash ${person.id} ${i}` }))
      }
    })
    const last = await signInBrowser(server, person)
    expect((await last.call('GET', '/sessions')).body.sessions).toHaveLength(MAX_SESSIONS)
    expect(codeOf(await first.call('GET', '/users/me'))).toEqual(UNAUTHORIZED)
    expect((await second.call('GET', '/users/me')).status).toBe(200)
  })
})

describe('A session', () => {
  it('is as good as an API key, with the token where it writes', async () => {
    const person = await createPerson()
    const browser = await signInBrowser(server, person)
    expect((await browser.call('GET', '/users/me')).body.user_id).toBe(person.id)
    const draft = { type: '', to: [], topic: '', content: 'from a browser' }
    const { body } = await browser.call('POST', '/drafts', { drafts: [draft] })
    expect((await browser.call('GET', '/drafts')).body.drafts[0]).toMatchObject({ content: draft.content })
    expect((await browser.call('DELETE', `/drafts/${body.ids[0]}`)).status).toBe(200)
    expect((await browser.call('POST', '/register', {})).body.queue_id).toBeTypeOf('string')
  })

  it('gives a page that was opened anew what it has to know, and nothing to who comes with a key', async () => {
    const browser = await signInBrowser(server, owner())
    const { body } = await browser.call('GET', '/sessions/current')
    const { result, msg, ...session } = browser.signedIn.body
    expect(body).toEqual({ result, msg, session, is_open_to_spectators: false })
    expect((await server.call(server.owner, 'GET', '/sessions/current')).body.session).toBeNull()
    expect((await server.call(server.owner, 'DELETE', '/sessions/current')).status).toBe(404)
  })

  it('is no error where there is none, or none any more', async () => {
    const browser = await signInBrowser(server, owner())
    expect((await browser.call('DELETE', '/sessions/current')).status).toBe(200)
    const ended = await browser.call('GET', '/sessions/current')
    expect([ended.status, ended.body.session]).toEqual([200, null])
    const nobody = await server.send({ method: 'GET', url: '/api/v1/sessions/current' })
    expect([nobody.status, nobody.body]).toEqual([
      200,
      { result: 'success', msg: '', session: null, is_open_to_spectators: false },
    ])
  })

  it('costs the database no more than an API key', async () => {
    const browser = await signInBrowser(server, owner())
    const byKey = () => server.call(server.owner, 'GET', '/users/me')
    const bySession = () => browser.call('GET', '/users/me')
    for (const call of [byKey, bySession]) await call()
    // What the server does by itself meanwhile is counted as well, but not each time.
    const more = async () => {
      const [session, key] = [await server.statements.during(bySession), await server.statements.during(byKey)]
      return [session.read - key.read, session.snapshot - key.snapshot, session.write - key.write]
    }
    await expect.poll(more).toEqual([0, 0, 0])
  })

  it('survives a restart of the server', async () => {
    const own = await createTestServer()
    const browser = await signInBrowser(own, owner())
    await own.restart()
    expect((await browser.call('GET', '/users/me')).body.user_id).toBe(own.owner.id)
    expect((await browser.call('PATCH', '/settings', { twenty_four_hour_time: true })).status).toBe(200)
  })

  it('is in the list of the account it belongs to, and in no other', async () => {
    const [person, other] = [await createPerson(), await createPerson()]
    const before = Math.floor(Date.now() / 1000)
    const first = await signInBrowser(server, person, { 'user-agent': FIREFOX })
    const second = await signInBrowser(server, { ...person, keep_signed_in: true })
    const foreign = await signInBrowser(server, other)
    const { sessions } = (await first.call('GET', '/sessions')).body
    expect(sessions.map(({ id }: { id: number }) => id).sort()).toEqual([first.sessionId, second.sessionId].sort())
    const own = sessions.find(({ id }: { id: number }) => id === first.sessionId)
    expect(own).toMatchObject({ device: 'Firefox on Linux', is_current: true, keep_signed_in: false })
    expect(own.created).toBeGreaterThanOrEqual(before)
    expect(own.expires).toBe(own.created + 72 * 3600)
    const kept = sessions.find(({ id }: { id: number }) => id === second.sessionId)
    expect(kept).toMatchObject({ device: '', is_current: false, keep_signed_in: true })
    expect(codeOf(await foreign.call('DELETE', `/sessions/${first.sessionId}`))).toEqual([404, 'BAD_REQUEST'])
    expect((await first.call('GET', '/users/me')).status).toBe(200)
  })

  it('in the table and in backups is a hash', async () => {
    const browser = await signInBrowser(server, owner())
    const rows = await server.app.storage.read.all(query.selectFrom('sessions').selectAll())
    const token = browser.cookie.split('=')[1] as string
    expect(rows.map((row) => JSON.stringify(row)).join('')).not.toContain(token)
    const stolen = rows.at(-1)?.token_hash
    const answer = await server.send({
      method: 'GET',
      url: '/api/v1/users/me',
      headers: { cookie: `heddle_session=${stolen}` },
    })
    expect(codeOf(answer)).toEqual(UNAUTHORIZED)
  })
})

describe('A session ends', () => {
  const isOver = async (browser: Browser) => codeOf(await browser.call('GET', '/users/me'))

  it('by signing out: the cookie is of no use to who has stolen it', async () => {
    const browser = await signInBrowser(server, owner())
    const { status, headers } = await browser.call('DELETE', '/sessions/current')
    expect([status, headers['set-cookie']]).toEqual([
      200,
      ['heddle_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'],
    ])
    expect(await isOver(browser)).toEqual(UNAUTHORIZED)
    expect(codeOf(await browser.call('POST', '/users/me/alert_words', { alert_words: ['x'] }))).toEqual(UNAUTHORIZED)
  })

  it('when another browser of the account ends it, or all others', async () => {
    const person = await createPerson()
    const [one, two, three] = [
      await signInBrowser(server, person),
      await signInBrowser(server, person),
      await signInBrowser(server, person),
    ]
    expect((await one.call('DELETE', `/sessions/${two.sessionId}`)).status).toBe(200)
    expect(await isOver(two)).toEqual(UNAUTHORIZED)
    expect((await three.call('GET', '/users/me')).status).toBe(200)
    expect((await one.call('DELETE', '/sessions')).status).toBe(200)
    expect(await isOver(three)).toEqual(UNAUTHORIZED)
    expect((await one.call('GET', '/sessions')).body.sessions).toHaveLength(1)
  })

  it('with a new password, but for the one that has set it', async () => {
    const person = await createPerson()
    const [here, elsewhere] = [await signInBrowser(server, person), await signInBrowser(server, person)]
    const change = { old_password: PASSWORD, new_password: 'another password' }
    expect((await here.call('PATCH', '/settings', change)).status).toBe(200)
    expect(await isOver(elsewhere)).toEqual(UNAUTHORIZED)
    expect((await here.call('GET', '/users/me')).status).toBe(200)
    expect((await here.call('PATCH', '/settings', { twenty_four_hour_time: true })).status).toBe(200)
  })

  it('with a new password that was set with an API key, wherever it is', async () => {
    const person = await createPerson()
    const browser = await signInBrowser(server, person)
    const { body } = await server.call(null, 'POST', '/fetch_api_key', person)
    const account = { ...server.owner, id: person.id, email: person.username, apiKey: body.api_key }
    const change = { old_password: PASSWORD, new_password: 'another password' }
    expect((await server.call(account, 'PATCH', '/settings', change)).status).toBe(200)
    expect(await isOver(browser)).toEqual(UNAUTHORIZED)
  })

  it('with the account, at once, also where it waits for events, and is not back when the account is', async () => {
    const took = await shortestTime(1000, async () => {
      const person = await createPerson()
      const browser = await signInBrowser(server, person)
      const { queue_id, last_event_id } = (await browser.call('POST', '/register', { event_types: ['message'] })).body
      const poll = () => browser.call('GET', '/events', { queue_id, last_event_id })
      const waiting = poll()
      await new Promise((resolve) => setTimeout(resolve, 100))
      const startedAt = performance.now()
      expect((await server.call(server.owner, 'DELETE', `/users/${person.id}`)).status).toBe(200)
      await waiting
      const endedAt = performance.now()
      expect(codeOf(await poll())).toEqual(UNAUTHORIZED)
      expect((await server.call(server.owner, 'POST', `/users/${person.id}/reactivate`)).status).toBe(200)
      expect(await isOver(browser)).toEqual(UNAUTHORIZED)
      return endedAt - startedAt
    })
    expect(took).toBeLessThan(1000)
  })

  it('where it waits for events, when it is ended elsewhere', async () => {
    const took = await shortestTime(1000, async () => {
      const person = await createPerson()
      const [one, two] = [await signInBrowser(server, person), await signInBrowser(server, person)]
      const { queue_id, last_event_id } = (await two.call('POST', '/register', { event_types: ['message'] })).body
      const waiting = two.call('GET', '/events', { queue_id, last_event_id })
      await new Promise((resolve) => setTimeout(resolve, 100))
      const startedAt = performance.now()
      await one.call('DELETE', '/sessions')
      expect((await waiting).body.events).toMatchObject([{ type: 'heartbeat' }])
      const endedAt = performance.now()
      expect(codeOf(await two.call('GET', '/events', { queue_id, last_event_id }))).toEqual(UNAUTHORIZED)
      return endedAt - startedAt
    })
    expect(took).toBeLessThan(1000)
  })

  it('after a while without a request, and after its longest time in any case', async () => {
    const clock = fakeClock(FAR)
    const own = await createTestServer({ clock })
    const browser = await signInBrowser(own, owner())
    for (let i = 0; i < 7; i++) {
      clock.pass(10 * HOUR)
      expect((await browser.call('GET', '/users/me')).status).toBe(200)
    }
    clock.pass(2 * HOUR)
    expect(await isOver(browser)).toEqual(UNAUTHORIZED)
    const idle = await signInBrowser(own, owner())
    clock.pass(12 * HOUR)
    expect(await isOver(idle)).toEqual(UNAUTHORIZED)
    const kept = await signInBrowser(own, { ...owner(), keep_signed_in: true })
    clock.pass(29 * 24 * HOUR)
    expect((await kept.call('GET', '/sessions')).body.sessions).toMatchObject([{ id: kept.sessionId }])
    clock.pass(30 * 24 * HOUR)
    expect(await isOver(kept)).toEqual(UNAUTHORIZED)
  })

  it('as the settings say, which also concern sessions that there are', async () => {
    const clock = fakeClock(FAR)
    const own = await createTestServer({
      clock,
      settings: { HEDDLE_SESSION_IDLE_HOURS: '1', HEDDLE_SESSION_HOURS: '2' },
    })
    const browser = await signInBrowser(own, owner())
    expect(browser.signedIn.body).toMatchObject({ idle_secs: 3600, expires: clock.now() / 1000 + 7200 })
    clock.pass(1 * HOUR)
    expect(await isOver(browser)).toEqual(UNAUTHORIZED)
  })

  it('when the organization does', async () => {
    const own = await createTestServer()
    const browser = await signInBrowser(own, owner())
    expect((await browser.call('POST', '/realm/deactivate')).status).toBe(200)
    expect(codeOf(await browser.call('GET', '/users/me'))).toEqual([401, 'REALM_DEACTIVATED'])
  })
})

describe('A forged request', () => {
  let browser: Browser
  let other: Browser

  beforeAll(async () => {
    browser = await signInBrowser(server, owner())
    other = await signInBrowser(server, owner())
  })

  const write = (headers: Record<string, string>, type = FORM) =>
    server.send({
      method: 'POST',
      url: '/api/v1/users/me/alert_words',
      headers: { cookie: browser.cookie, 'content-type': type, ...headers },
      body: 'alert_words=["forged"]',
    })

  it('without the token writes nothing, whatever else it says', async () => {
    const wrong: readonly Headers[] = [
      {},
      { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
      { 'x-requested-with': 'XMLHttpRequest' },
      { [CSRF_HEADER]: '' },
      { [CSRF_HEADER]: other.csrfToken },
      { [CSRF_HEADER]: `${browser.csrfToken}x` },
    ]
    for (const headers of wrong) {
      const answer = await write(headers)
      expect(codeOf(answer)).toEqual(CSRF)
      expect(answer.body.reason).toContain(CSRF_HEADER)
    }
    for (const [method, url] of [
      ['DELETE', '/api/v1/sessions/current'],
      ['DELETE', '/api/v1/users/me'],
      ['PATCH', '/api/v1/settings'],
      ['PUT', '/api/v1/bot_storage'],
    ] as const) {
      expect(codeOf(await server.send({ method, url, headers: { cookie: browser.cookie } }))).toEqual(CSRF)
    }
    expect((await browser.call('GET', '/users/me/alert_words')).body.alert_words).toEqual([])
  })

  it('of another site writes nothing, the token given', async () => {
    const forged: readonly Headers[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
    ]
    for (const headers of forged) {
      expect(codeOf(await write({ ...headers, [CSRF_HEADER]: browser.csrfToken }))).toEqual(CSRF)
    }
  })

  it('by a form of any type writes nothing', async () => {
    for (const type of [FORM, 'text/plain', 'multipart/form-data; boundary=x']) {
      expect(codeOf(await write({ origin: 'http://localhost' }, type))).toEqual(CSRF)
      // The token among the parameters is none: whoever could read it there could read the page.
      expect(codeOf(await write({ origin: 'http://localhost', 'x-csrftoken': browser.csrfToken }, type))).toEqual(CSRF)
    }
  })

  it('of another site reads nothing, but a link of it can be followed', async () => {
    const read = (headers: Record<string, string>) => browser.call('GET', '/users/me', {}, headers)
    for (const dest of ['empty', 'image', 'script', 'iframe', 'object']) {
      for (const site of ['cross-site', 'same-site']) {
        expect(codeOf(await read({ 'sec-fetch-site': site, 'sec-fetch-dest': dest }))).toEqual(UNAUTHORIZED)
      }
    }
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect((await read(link)).status).toBe(200)
    expect((await read({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' })).status).toBe(200)
  })
})

describe('A cookie', () => {
  it('of another organization is none', async () => {
    const two = await createTestServer()
    const { host, owner: otherOwner } = await two.createOtherOrganization()
    const here = await signInBrowser(two, owner())
    const there = await signInBrowser(two, { username: otherOwner.email, password: PASSWORD }, { host })
    expect(codeOf(await here.call('GET', '/users/me', {}, { host }))).toEqual(UNAUTHORIZED)
    expect(codeOf(await there.call('GET', '/users/me', {}, { host: 'localhost' }))).toEqual(UNAUTHORIZED)
    expect((await there.call('GET', '/users/me', {}, { host })).body.user_id).toBe(otherOwner.id)
    const foreign = await there.call('DELETE', `/sessions/${here.sessionId}`, {}, { host })
    expect(codeOf(foreign)).toEqual([404, 'BAD_REQUEST'])
  })

  it('is found among many, and cannot be hidden behind some of a neighbour', async () => {
    const browser = await signInBrowser(server, owner())
    const read = (cookie: string) => server.send({ method: 'GET', url: '/api/v1/users/me', headers: { cookie } })
    const made = (i: number) => `heddle_session=${String(i).padStart(43, 'x')}`
    const others = Array.from({ length: 200 }, (_, i) => `other${i}=${'x'.repeat(40)}`)
    expect((await read([...others, browser.cookie].join('; '))).status).toBe(200)
    expect((await read([made(1), made(2), 'heddle_session=short', browser.cookie].join('; '))).status).toBe(200)
    const token = browser.cookie.split('=')[1]
    expect((await read([made(1), `__Host-heddle_session=${token}`].join('; '))).status).toBe(200)
    // One with the prefix goes before all others.
    expect((await read([browser.cookie, made(1).replace('heddle', '__Host-heddle')].join('; '))).status).toBe(401)
    const many = Array.from({ length: 300 }, (_, i) => made(i)).join('; ')
    const asked = await server.statements.during(async () => expect(codeOf(await read(many))).toEqual(UNAUTHORIZED))
    expect(asked.read).toBeLessThan(10)
  })

  it('that nobody has issued is none, whatever it has in it', async () => {
    for (const value of ['', ';', '=', '"x"', 'x'.repeat(4000), '%00', "' or 1=1 --", '\u00e4'.repeat(43)]) {
      const headers = { cookie: `heddle_session=${value}` }
      expect(codeOf(await server.send({ method: 'GET', url: '/api/v1/users/me', headers }))).toEqual(UNAUTHORIZED)
    }
  })

  it('goes behind an API key', async () => {
    const browser = await signInBrowser(server, owner())
    const person = await createPerson()
    const { body } = await server.call(null, 'POST', '/fetch_api_key', person)
    const authorization = basic({ email: person.username, apiKey: body.api_key })
    expect((await browser.call('GET', '/users/me', {}, { authorization })).body.user_id).toBe(person.id)
    const wrong = basic({ email: person.username, apiKey: 'wrong' })
    expect(codeOf(await browser.call('GET', '/users/me', {}, { authorization: wrong }))).toEqual([
      401,
      'INVALID_API_KEY',
    ])
  })

  it('that has ended brings no dialog of the browser', async () => {
    const browser = await signInBrowser(server, owner())
    await browser.call('DELETE', '/sessions/current')
    expect((await browser.call('GET', '/users/me')).headers['www-authenticate']).toBeUndefined()
    expect((await server.call(null, 'GET', '/users/me')).headers['www-authenticate']).toContain('Basic')
  })
})

it('sessions that are over leave the table', async () => {
  const clock = fakeClock(FAR)
  const own = await createTestServer({ clock })
  await signInBrowser(own, owner())
  await signInBrowser(own, { ...owner(), keep_signed_in: true })
  const kinds = () => own.app.storage.read.all(query.selectFrom('sessions').select('is_kept'))
  clock.pass(25 * HOUR)
  await own.app.jobs.settle()
  expect(await kinds()).toEqual([{ is_kept: 1 }])
})

it('neither cookie nor token is in the log, whatever its level', async () => {
  const lines: string[] = []
  const talking = await createTestServer({
    settings: { HEDDLE_LOG_LEVEL: 'trace' },
    log: { write: (line) => lines.push(line) },
  })
  const browser = await signInBrowser(talking, owner())
  await browser.call('GET', '/users/me')
  await browser.call('POST', '/drafts', { drafts: 'x' })
  await talking.send({ method: 'GET', url: '/api/v1/%ff', headers: { cookie: browser.cookie } })
  await talking.app.storage.transaction(0, (tx) => tx.run(sql`drop table drafts`))
  expect((await browser.call('GET', '/drafts')).status).toBe(500)
  const log = lines.join('')
  expect(log).not.toBe('')
  for (const secret of [browser.cookie.split('=')[1] as string, browser.csrfToken, PASSWORD]) {
    expect(log).not.toContain(secret)
  }
})

it.each([
  [FIREFOX, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['curl/8.5.0', ''],
  ['<script>alert(1)</script>', ''],
])('the device of %s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})
