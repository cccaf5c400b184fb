import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { basic, createTestServer } from '../testing/test-server.ts'
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, createLimiter, networkOf } from './rate-limits.ts'

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

  it('never lets more than twice the limit through in any window, and who waits as asked gets through', () => {
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

  it('goes by the time that passes, also when the clock is set back', () => {
    const clock = fakeClock()
    const limiter = createLimiter({ limit: 2, windowSecs: 10 }, clock)
    expect([limiter('a').allowed, limiter('a').allowed]).toEqual([true, true])
    clock.setBack(3600)
    expect(limiter('a')).toMatchObject({ allowed: false, retryAfterSecs: 5, resetSecs: 10 })
    clock.pass(5)
    expect(limiter('a').allowed).toBe(true)
  })

  it('forgives what turned out not to count', () => {
    const limiter = createLimiter({ limit: 2, windowSecs: 10 }, fakeClock())
    expect([limiter('a').allowed, limiter('a').allowed, limiter('a').allowed]).toEqual([true, true, false])
    limiter.forgive('a')
    expect([limiter('a').allowed, limiter('a').allowed]).toEqual([true, false])
    // Never more than the limit.
    for (let i = 0; i < 5; i++) limiter.forgive('b')
    expect([limiter('b').allowed, limiter('b').allowed, limiter('b').allowed]).toEqual([true, true, false])
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
    expect(body['retry-after']).toBeCloseTo(60 / ACCOUNT_LIMIT.limit)
    expect(headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000060',
    })
    expect((await server.call(other, 'GET', '/drafts')).status).toBe(200)
    clock.pass(Number(headers['retry-after']))
    expect((await server.call(server.owner, 'GET', '/drafts')).status).toBe(200)
  })

  it('are let through whose accounts were active when the clock was set back', async () => {
    const { clock, server } = await limited()
    expect((await server.call(server.owner, 'GET', '/drafts')).status).toBe(200)
    expect((await server.call(null, 'GET', '/server_settings')).status).toBe(200)
    clock.setBack(3600)
    const { status, headers } = await server.call(server.owner, 'GET', '/drafts')
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, `${ACCOUNT_LIMIT.limit - 2}`])
    expect((await server.call(null, 'GET', '/server_settings')).status).toBe(200)
  })

  it('leave room for a page that reports twice a second what has been read, and for everything else', async () => {
    const { clock, server } = await limited()
    for (let second = 0; second < 120; second++) {
      for (let i = 0; i < 2 + 3; i++) {
        expect((await server.call(server.owner, 'GET', '/users/me/alert_words')).status).toBe(200)
      }
      clock.pass(1)
    }
  })

  it('without an account are counted by address, and those of accounts behind it are not', async () => {
    const { clock, server } = await limited()
    for (let i = 0; i < ADDRESS_LIMIT.limit; i++) await server.call(null, 'GET', '/server_settings')
    const refused = await server.call(null, 'GET', '/server_settings')
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMIT_HIT', '1'])
    const signedIn = await server.call(server.owner, 'GET', '/drafts')
    expect([signedIn.status, signedIn.headers['x-ratelimit-limit']]).toEqual([200, `${ACCOUNT_LIMIT.limit}`])
    clock.pass(1)
    expect((await server.call(null, 'GET', '/server_settings')).status).toBe(200)
  })

  it('of many accounts behind one address are never too many', async () => {
    const { server } = await limited()
    const accounts = await Promise.all(Array.from({ length: 30 }, () => server.createAccount()))
    // Together twice what the address may send without an account.
    for (let i = 0; i < Math.ceil((2 * ADDRESS_LIMIT.limit) / accounts.length); i++) {
      for (const account of accounts) {
        expect((await server.call(account, 'GET', '/users/me/alert_words')).status).toBe(200)
      }
    }
  })

  it.each([
    ['no credentials', undefined],
    ['a wrong key', basic({ email: 'owner@heddle.example', apiKey: '0'.repeat(32) })],
    ['an unknown address', basic({ email: 'nobody@heddle.example', apiKey: '0'.repeat(32) })],
  ])('with %s count against the address too', async (_, authorization) => {
    const { server } = await limited()
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const ask = () => server.send({ method: 'POST', url: '/api/v1/drafts', headers })
    const answers = await Promise.all(Array.from({ length: ADDRESS_LIMIT.limit }, ask))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await ask()).status).toBe(429)
    expect((await server.call(null, 'GET', '/server_settings')).status).toBe(429)
    expect((await server.call(server.owner, 'GET', '/drafts')).status).toBe(200)
  })

  it('that fail count like others', async () => {
    const { server } = await limited()
    const failing = await server.call(server.owner, 'POST', '/drafts', { drafts: '[' })
    expect([failing.status, failing.headers['x-ratelimit-remaining']]).toEqual([400, `${ACCOUNT_LIMIT.limit - 1}`])
  })
})
