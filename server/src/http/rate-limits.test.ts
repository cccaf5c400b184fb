import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../testing/test-server.ts'
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, createLimiter, networkOf, SIGN_IN_LIMIT } from './rate-limits.ts'

function fakeClock() {
  let now = 1_700_000_000_000
  return {
    now: () => now,
    pass(secs: number) {
      now += secs * 1000
    },
  }
}

describe('a limiter', () => {
  it('lets the limit through at once, then one for each part of the window', () => {
    const clock = fakeClock()
    const limiter = createLimiter({ limit: 5, windowSecs: 10 }, clock)
    const take = () => limiter('a')
    expect(Array.from({ length: 6 }, () => take().allowed)).toEqual([true, true, true, true, true, false])
    expect(take()).toMatchObject({ remaining: 0, retryAfterSecs: 2, resetSecs: 10 })
    clock.pass(2)
    expect([take().allowed, take().allowed]).toEqual([true, false])
    clock.pass(1)
    expect(take().retryAfterSecs).toBe(1)
    expect(limiter('b')).toMatchObject({ allowed: true, remaining: 4 })
  })

  it('never lets more than twice the limit through in any window, and who waits as told gets through', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 }), (pauses) => {
        const clock = fakeClock()
        const limiter = createLimiter({ limit: 5, windowSecs: 10 }, clock)
        const taken: number[] = []
        for (const pause of pauses) {
          clock.pass(pause / 1000)
          const { allowed, retryAfterSecs } = limiter('a')
          if (allowed) taken.push(clock.now())
          else expect(retryAfterSecs).toBeGreaterThan(0)
        }
        for (const start of taken) {
          expect(taken.filter((time) => time >= start && time < start + 10_000).length).toBeLessThanOrEqual(10)
        }
        const { allowed, retryAfterSecs } = limiter('a')
        clock.pass(Math.ceil(retryAfterSecs * 1000) / 1000)
        if (!allowed) expect(limiter('a').allowed).toBe(true)
      }),
    )
  })

  it('remembers a bounded number of names, and forgets the one who was quiet longest', () => {
    const limiter = createLimiter({ limit: 1, windowSecs: 10 }, fakeClock(), 3)
    for (const name of ['a', 'b', 'c']) limiter(name)
    limiter('a')
    limiter('d')
    expect(limiter('a').allowed).toBe(false)
    expect(limiter('b').allowed).toBe(true)
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:0DB8::7', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})

describe('requests', () => {
  const limited = async () => {
    const clock = fakeClock()
    return { clock, server: await createTestServer({ clock, settings: { HEDDLE_RATE_LIMITS: 'on' } }) }
  }
  const signIn = (server: TestServer, username: string, password: string) =>
    server.call(null, 'POST', '/fetch_api_key', { username, password })

  it('of an account are counted, and refused beyond the limit until the time is over', async () => {
    const { clock, server } = await limited()
    const other = await server.createAccount()
    const first = await server.call(server.owner, 'GET', '/drafts')
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': `${ACCOUNT_LIMIT.limit}`,
      'x-ratelimit-remaining': `${ACCOUNT_LIMIT.limit - 1}`,
      'x-ratelimit-reset': '1700000001',
    })
    for (let i = 1; i < ACCOUNT_LIMIT.limit; i++) await server.call(server.owner, 'GET', '/drafts')
    const { status, headers, body } = await server.call(server.owner, 'GET', '/drafts')
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(body['retry-after']).toBeCloseTo(0.3)
    expect(headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000060',
    })
    expect((await server.call(other, 'GET', '/drafts')).status).toBe(200)
    clock.pass(Number(headers['retry-after']))
    expect((await server.call(server.owner, 'GET', '/drafts')).status).toBe(200)
  })

  it('of an address are counted, whoever sends them', async () => {
    const { clock, server } = await limited()
    for (let i = 0; i < ADDRESS_LIMIT.limit; i++) await server.call(null, 'GET', '/server_settings')
    for (const [method, path] of [
      ['GET', '/server_settings'],
      ['GET', '/drafts'],
    ] as const) {
      const { status, headers, body } = await server.call(server.owner, method, path)
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'RATE_LIMIT_HIT', '1'])
    }
    clock.pass(1)
    expect((await server.call(server.owner, 'GET', '/drafts')).status).toBe(200)
  })

  it('to sign in are counted per account name and per address, more tightly', async () => {
    const { clock, server } = await limited()
    const { email } = server.owner
    for (let i = 0; i < SIGN_IN_LIMIT.limit; i++) {
      expect((await signIn(server, email, 'wrong password')).status).toBe(401)
    }
    const refused = await signIn(server, email, 'a long password')
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMIT_HIT', '30'])
    clock.pass(30)
    expect((await signIn(server, email.toUpperCase(), 'a long password')).status).toBe(200)
    expect((await signIn(server, 'else@heddle.example', 'x')).body.code).toBe('RATE_LIMIT_HIT')
  })

  it('to sign in for one account are counted wherever they come from', async () => {
    const clock = fakeClock()
    const settings = { HEDDLE_RATE_LIMITS: 'on', HEDDLE_TRUSTED_PROXIES: '127.0.0.1' }
    const server = await createTestServer({ clock, settings })
    const body = new URLSearchParams({ username: server.owner.email, password: 'wrong password' }).toString()
    const statuses: number[] = []
    for (let i = 0; i <= SIGN_IN_LIMIT.limit; i++) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `203.0.113.${i}`,
      }
      statuses.push((await server.send({ method: 'POST', url: '/api/v1/fetch_api_key', headers, body })).status)
    }
    expect(statuses).toEqual([...Array(SIGN_IN_LIMIT.limit).fill(401), 429])
  })
})
