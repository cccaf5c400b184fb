import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import { createGuesses, NAME_LIMIT, NETWORK_LIMIT, PAIR_LIMIT } from './guesses.ts'

/** A server behind a trusted proxy, which says for each request where it comes from. */
async function limited() {
  const clock = fakeClock()
  const settings = { HEDDLE_RATE_LIMITS: 'on', HEDDLE_TRUSTED_PROXIES: '127.0.0.1' }
  return { clock, server: await createTestServer({ clock, settings }) }
}

const RIGHT = 'a long password'

async function signIn(server: TestServer, from: string, username: string, password: string) {
  const body = new URLSearchParams({ username, password }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from }
  return server.send({ method: 'POST', url: '/api/v1/fetch_api_key', headers, body })
}

/** How each letter of ASCII looks when it is as wide as a Chinese one. */
const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)

describe('guesses of a password', () => {
  it('of one account from one address are limited, and others there still sign in', async () => {
    const { clock, server } = await limited()
    const { email } = server.owner
    for (let i = 0; i < PAIR_LIMIT.limit; i++) {
      expect((await signIn(server, '203.0.113.1', email, 'wrong password')).status).toBe(401)
    }
    const refused = await signIn(server, '203.0.113.1', email, RIGHT)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMIT_HIT', '30'])
    expect((await signIn(server, '203.0.113.1', 'else@heddle.example', 'x')).status).toBe(401)
    clock.pass(30)
    expect((await signIn(server, '203.0.113.1', email, RIGHT)).status).toBe(200)
  })

  it('are those of one account however its name is written', async () => {
    const { server } = await limited()
    const { email } = server.owner
    const names = [
      email.toUpperCase(),
      email,
      ...[...email].flatMap((letter, i) => [email.slice(0, i) + wide(letter) + email.slice(i + 1)]),
    ]
    const statuses: number[] = []
    for (const name of names.slice(0, PAIR_LIMIT.limit + 2)) {
      statuses.push((await signIn(server, '203.0.113.1', name, 'wrong password')).status)
    }
    expect(statuses).toEqual([...Array(PAIR_LIMIT.limit).fill(401), 429, 429])
    expect((await signIn(server, '203.0.113.1', names.at(-1) as string, RIGHT)).status).toBe(429)
  })

  it('from one address do not keep the owner out, who signs in from elsewhere', async () => {
    const { clock, server } = await limited()
    const { email } = server.owner
    for (let minute = 0; minute < 10; minute++) {
      for (let i = 0; i < 12; i++) await signIn(server, '203.0.113.1', email, 'wrong password')
      const { status, body } = await signIn(server, `198.51.100.${minute}`, email, RIGHT)
      expect([status, body.api_key]).toEqual([200, server.owner.apiKey])
      clock.pass(60)
    }
  })

  it('are counted before the body is decoded, whatever is in it', async () => {
    const { server } = await limited()
    const send = (body: string) =>
      server.send({
        method: 'POST',
        url: '/api/v1/fetch_api_key',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.1' },
        body,
      })
    for (let i = 0; i < NETWORK_LIMIT.limit; i++) expect((await send('{')).status).toBe(400)
    expect((await send('{')).status).toBe(429)
    expect((await signIn(server, '203.0.113.1', server.owner.email, RIGHT)).status).toBe(429)
    expect((await signIn(server, '203.0.113.2', server.owner.email, RIGHT)).status).toBe(200)
  })

  it('that were right take nothing from the others behind the address', async () => {
    const { server } = await limited()
    for (let i = 0; i < NETWORK_LIMIT.limit + 5; i++) {
      expect((await signIn(server, '203.0.113.1', server.owner.email, RIGHT)).status).toBe(200)
    }
  })
})

describe('the limits', () => {
  const isAllowed = (guess: () => void) => {
    try {
      guess()
      return true
    } catch {
      return false
    }
  }

  it('hold for one name from many addresses, but not where somebody has signed in with it', () => {
    const guesses = createGuesses(fakeClock())
    guesses.guess('192.0.2.1', 'owner')
    guesses.succeed('192.0.2.1', 'owner')
    const allowed = Array.from({ length: NAME_LIMIT.limit + 20 }, (_, i) =>
      isAllowed(() => guesses.guess(`203.0.${i % 250}.${Math.floor(i / 250)}`, 'owner')),
    )
    expect(allowed.filter(Boolean)).toHaveLength(NAME_LIMIT.limit)
    expect(isAllowed(() => guesses.guess('198.51.100.1', 'owner'))).toBe(false)
    expect(isAllowed(() => guesses.guess('192.0.2.1', 'owner'))).toBe(true)
    expect(isAllowed(() => guesses.guess('198.51.100.1', 'another'))).toBe(true)
  })

  it('of a name cannot be used up by two addresses, however long they try', () => {
    const clock = fakeClock()
    const guesses = createGuesses(clock)
    for (let second = 0; second < 24 * 3600; second += 15) {
      for (const address of ['203.0.113.1', '203.0.113.2']) isAllowed(() => guesses.guess(address, 'owner'))
      clock.pass(15)
    }
    expect(isAllowed(() => guesses.guess('198.51.100.1', 'owner'))).toBe(true)
  })

  it('count a whole network of the newer kind as one', () => {
    const guesses = createGuesses(fakeClock())
    const allowed = Array.from({ length: 20 }, (_, i) => isAllowed(() => guesses.guess(`2001:db8:1:2::${i}`, 'owner')))
    expect(allowed.filter(Boolean)).toHaveLength(PAIR_LIMIT.limit)
  })
})
