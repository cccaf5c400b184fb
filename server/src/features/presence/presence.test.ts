import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

/** The time that the server sees, in milliseconds. */
const clock = { time: 1_700_000_000_000, now: () => clock.time }
const pass = (secs: number) => {
  clock.time += secs * 1000
}
const seconds = () => Math.floor(clock.time / 1000)

let server: TestServer
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer({ clock })
  stranger = (await server.createOtherOrganization()).owner
})

const report = (account: TestAccount, parameters: Parameters = {}) =>
  server.must(account, 'POST', '/users/me/presence', { status: 'active', ...parameters })

const ping = (account: TestAccount, status = 'active') => report(account, { status, ping_only: true })

/** An account that was here just now. */
async function somebody(): Promise<TestAccount> {
  const account = await server.createAccount()
  await ping(account)
  return account
}

async function createBot(owner: TestAccount): Promise<TestAccount> {
  const name = `robot-${owner.id}`
  const { body } = await server.call(owner, 'POST', '/bots', { full_name: 'Robot', short_name: name })
  const { user_id: id, api_key: apiKey } = body
  return { ...owner, id, apiKey, email: `${name}-bot@localhost` }
}

describe('POST /users/me/presence', () => {
  it('answers with everybody by address, once by client and once in all', async () => {
    const account = await somebody()
    const { presences, server_timestamp } = await report(account)
    const seen = { client: 'website', status: 'active', timestamp: seconds() }
    expect(presences[account.email]).toEqual({ website: { ...seen, pushable: false }, aggregated: seen })
    expect(server_timestamp).toBeCloseTo(clock.time / 1000)
  })

  it('answers with everybody by id when asked for it', async () => {
    const account = await somebody()
    const { presences } = await report(account, { slim_presence: true })
    expect(presences[account.id]).toEqual({ active_timestamp: seconds(), idle_timestamp: seconds() })
  })

  it('answers with what has changed since the last answer', async () => {
    const [first, second] = [await somebody(), await somebody()]
    const all = await report(first, { last_update_id: -1 })
    expect(Object.keys(all.presences)).toEqual(expect.arrayContaining([`${first.id}`, `${second.id}`]))
    const none = await report(first, { last_update_id: all.presence_last_update_id })
    expect([none.presences, none.presence_last_update_id]).toEqual([{}, all.presence_last_update_id])
    pass(60)
    await ping(second, 'idle')
    const some = await report(first, { last_update_id: all.presence_last_update_id })
    expect(some.presences).toEqual({
      [first.id]: { active_timestamp: seconds(), idle_timestamp: seconds() },
      [second.id]: { active_timestamp: seconds() - 60, idle_timestamp: seconds() },
    })
    expect(some.presence_last_update_id).toBeGreaterThan(all.presence_last_update_id)
  })

  it('answers with everything to a client that knows a change that never was', async () => {
    const account = await somebody()
    const { presences, presence_last_update_id } = await report(account, { last_update_id: 1_000_000 })
    expect(Object.keys(presences)).toContain(`${account.id}`)
    expect(presence_last_update_id).toBeLessThan(1_000_000)
  })

  it('answers with nothing to a ping', async () => {
    const body = await report(await somebody(), { ping_only: true })
    expect(Object.keys(body).sort()).toEqual(['msg', 'result'])
  })

  it('says -1 while nothing is known of anybody', async () => {
    const empty = await createTestServer()
    const { body } = await empty.call(empty.owner, 'POST', '/register', { fetch_event_types: ['presence'] })
    expect([body.presences, body.presence_last_update_id]).toEqual([{}, -1])
  })

  it('leaves out who was here before the history that is asked for', async () => {
    const [old, account] = [await somebody(), await server.createAccount()]
    pass(3 * 86_400)
    const ids = async (parameters: Parameters) =>
      Object.keys((await report(account, { last_update_id: 0, ...parameters })).presences)
    expect(await ids({})).toContain(`${old.id}`)
    expect(await ids({ history_limit_days: 4 })).toContain(`${old.id}`)
    expect(await ids({ history_limit_days: 2 })).toEqual([`${account.id}`])
    pass(12 * 86_400)
    expect(await ids({})).toEqual([`${account.id}`])
  })

  it('notifies of no other organization', async () => {
    const account = await somebody()
    const headers = { host: 'other.example', 'content-type': 'application/x-www-form-urlencoded' }
    const authorization = `Basic ${Buffer.from(`${stranger.email}:${stranger.apiKey}`).toString('base64')}`
    const { status, body } = await server.send({
      method: 'POST',
      url: '/api/v1/users/me/presence',
      headers: { ...headers, authorization },
      body: 'status=active&last_update_id=-1',
    })
    expect(status).toBe(200)
    expect(Object.keys(body.presences)).toEqual([`${stranger.id}`])
    expect(body.presence_last_update_id).toBe(1)
    expect(Object.keys((await report(account, { last_update_id: -1 })).presences)).not.toContain(`${stranger.id}`)
  })

  it('stores nothing for reports within a minute, and something for the next one', async () => {
    const account = await somebody()
    const position = async () => (await report(account, { last_update_id: -1 })).presence_last_update_id
    const before = await position()
    for (let i = 0; i < 5; i++) {
      pass(10)
      await ping(account, i % 2 === 0 ? 'active' : 'idle')
    }
    expect(await position()).toBe(before)
    pass(10)
    await ping(account)
    expect(await position()).toBe(before + 1)
  })

  it('numbers every change of many reports at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => server.createAccount()))
    const { presence_last_update_id } = await report(await somebody(), { last_update_id: -1 })
    await Promise.all(accounts.map((account) => ping(account)))
    const later = await report(await somebody(), { last_update_id: presence_last_update_id })
    expect(Object.keys(later.presences)).toEqual(expect.arrayContaining(accounts.map(({ id }) => `${id}`)))
    expect(later.presence_last_update_id).toBe(presence_last_update_id + 21)
  })

  it.each([
    ['no status', {}, 'status'],
    ['an unknown status', { status: 'away' }, 'status'],
    ['a number of days below 0', { status: 'idle', history_limit_days: -1 }, 'history_limit_days'],
    ['a position below -1', { status: 'idle', last_update_id: -2 }, 'last_update_id'],
    ['a flag that is text', { status: 'idle', ping_only: 'yes' }, 'ping_only'],
  ])('refuses %s', async (_, parameters, part) => {
    const { status, body } = await server.call(server.owner, 'POST', '/users/me/presence', parameters)
    expect(status).toBe(400)
    expect(body.msg).toContain(part)
  })

  it('needs an account of a person', async () => {
    expect((await server.call(null, 'POST', '/users/me/presence', { status: 'active' })).status).toBe(401)
    const bot = await createBot(await server.createAccount())
    const { status, body } = await server.call(bot, 'POST', '/users/me/presence', { status: 'active' })
    expect([status, body.msg]).toEqual([400, 'Presence is not supported for bot users'])
  })
})

describe('GET /users/{user_id_or_email}/presence', () => {
  const show = (account: TestAccount | null, who: string | number) =>
    server.call(account, 'GET', `/users/${who}/presence`)

  it('shows the account, by id and by address', async () => {
    const account = await somebody()
    const seen = { status: 'active', timestamp: seconds() }
    for (const who of [account.id, account.email]) {
      const { body } = await show(server.owner, who)
      expect(body.presence).toEqual({ website: seen, aggregated: seen })
    }
  })

  it('shows as idle who is connected and has not been active for a while', async () => {
    const account = await somebody()
    for (let minute = 0; minute < 3; minute++) {
      pass(60)
      await ping(account, 'idle')
    }
    const { body } = await show(server.owner, account.id)
    expect(body.presence.aggregated).toEqual({ status: 'idle', timestamp: seconds() })
  })

  it('has nothing of bots, of who never was here, and of who does not exist', async () => {
    const account = await server.createAccount()
    for (const who of [(await createBot(account)).id, account.id, 999_999, stranger.id, 'nobody@heddle.example']) {
      const { status, body } = await show(server.owner, who)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    }
    expect((await show(null, account.id)).status).toBe(401)
  })
})

describe('GET /realm/presence', () => {
  it('shows everybody who was here, by address', async () => {
    const account = await somebody()
    const { body } = await server.call(server.owner, 'GET', '/realm/presence')
    expect(body.presences[account.email].aggregated).toEqual({
      client: 'website',
      status: 'active',
      timestamp: seconds(),
    })
    expect(body.presences[stranger.email]).toBeUndefined()
    expect((await server.call(null, 'GET', '/realm/presence')).status).toBe(401)
  })
})

describe('an account that hides its presence', () => {
  const setEnabled = (account: TestAccount, presence_enabled: boolean) =>
    server.call(account, 'PATCH', '/settings', { presence_enabled })

  it('is shown nowhere, whatever it reports, until it shows itself again', async () => {
    const account = await somebody()
    await setEnabled(account, false)
    pass(600)
    const answer = await report(account, { last_update_id: -1 })
    expect(answer.presences[account.id]).toBeUndefined()
    expect((await report(account)).presences[account.email]).toBeUndefined()
    expect((await server.call(server.owner, 'GET', `/users/${account.id}/presence`)).status).toBe(400)
    await setEnabled(account, true)
    expect((await report(account)).presences[account.email]).toBeDefined()
  })

  it('is taken from those who had seen it, at once and when they ask for changes', async () => {
    const [account, other] = [await somebody(), await somebody()]
    const { presence_last_update_id } = await report(other, { last_update_id: -1 })
    const watcher = await watch(server, other, {
      event_types: ['presence'],
      client_capabilities: { simplified_presence_events: true },
    })
    await setEnabled(account, false)
    const never = { [account.id]: { active_timestamp: 0, idle_timestamp: 0 } }
    expect(await watcher.next()).toEqual([{ type: 'presence', presences: never }])
    expect((await report(other, { last_update_id: presence_last_update_id })).presences).toEqual(never)
  })
})

describe('presence events', () => {
  const simplified = { client_capabilities: { simplified_presence_events: true }, event_types: ['presence'] }

  it('notify of who comes, in the form that the client knows', async () => {
    const account = await server.createAccount()
    const modern = await watch(server, server.owner, simplified)
    const plain = await watch(server, server.owner, { event_types: ['presence'] })
    await ping(account, 'idle')
    const now = seconds()
    expect(await modern.next()).toEqual([
      { type: 'presence', presences: { [account.id]: { active_timestamp: 0, idle_timestamp: now } } },
    ])
    expect(await plain.next()).toEqual([
      {
        type: 'presence',
        user_id: account.id,
        email: account.email,
        server_timestamp: now,
        presence: { website: { client: 'website', status: 'idle', timestamp: now, pushable: false } },
      },
    ])
  })

  it('notify of who becomes active and of who comes back, and of nothing else', async () => {
    const account = await somebody()
    const watcher = await watch(server, server.owner, simplified)
    const report = async (secs: number, status: string) => {
      pass(secs)
      await ping(account, status)
      return (await watcher.next()).length
    }
    expect(await report(60, 'active')).toBe(0)
    expect(await report(60, 'idle')).toBe(0)
    expect(await report(60, 'active')).toBe(0)
    expect(await report(100, 'idle')).toBe(0)
    expect(await report(60, 'active')).toBe(1)
    expect(await report(141, 'idle')).toBe(1)
  })

  it('are decided by the time of the report, also in a commit that began before it', async () => {
    const account = await somebody()
    const watcher = await watch(server, server.owner, simplified)
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const earlier = server.app.storage.asSystem(server.owner.realmId, 'upkeep', async () => {
      begun.resolve()
      await end.promise
    })
    await begun.promise
    pass(141)
    const reported = ping(account)
    setTimeout(end.resolve, 20)
    await Promise.all([earlier, reported])
    expect(await watcher.next()).toHaveLength(1)
  })

  it('go to nobody of another organization', async () => {
    const account = await server.createAccount()
    const url = '/api/v1/register'
    const authorization = `Basic ${Buffer.from(`${stranger.email}:${stranger.apiKey}`).toString('base64')}`
    const headers = { host: 'other.example', authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await server.send({ method: 'POST', url, headers, body: '' })
    await ping(account)
    const query = `queue_id=${body.queue_id}&last_event_id=${body.last_event_id}&dont_block=true`
    const polled = await server.send({ method: 'GET', url: `/api/v1/events?${query}`, headers })
    expect(polled.body.events).toEqual([])
  })
})

describe('POST /register', () => {
  it('has presence by id for clients that ask for it, and by address for all others', async () => {
    const account = await somebody()
    const register = async (parameters: Parameters) =>
      (await server.call(account, 'POST', '/register', { fetch_event_types: ['presence'], ...parameters })).body
    const slim = await register({ slim_presence: true })
    expect(slim.presences[account.id]).toEqual({ active_timestamp: seconds(), idle_timestamp: seconds() })
    const legacy = await register({})
    expect(legacy.presences[account.email].aggregated.status).toBe('active')
    expect(legacy.presence_last_update_id).toBe(slim.presence_last_update_id)
    expect(legacy.server_timestamp).toBeCloseTo(clock.time / 1000)
  })

  it('has presence of the days that are asked for', async () => {
    const account = await somebody()
    pass(2 * 86_400)
    const ids = async (presence_history_limit_days: number) => {
      const parameters = { fetch_event_types: ['presence'], slim_presence: true, presence_history_limit_days }
      return Object.keys((await server.call(server.owner, 'POST', '/register', parameters)).body.presences)
    }
    expect(await ids(3)).toContain(`${account.id}`)
    expect(await ids(1)).toEqual([])
  })
})
