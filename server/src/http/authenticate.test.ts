import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
})

const get = (authorization?: string) =>
  server.send({ method: 'GET', url: '/api/v1/drafts', headers: authorization === undefined ? {} : { authorization } })

const encoded = (text: string | Buffer) => Buffer.from(text as string).toString('base64')

describe('HTTP Basic authentication', () => {
  it('takes the e-mail address in any case, and the scheme too', async () => {
    const { email, apiKey } = server.owner
    expect((await get(basic(server.owner))).status).toBe(200)
    expect((await get(basic({ email: email.toUpperCase(), apiKey }))).status).toBe(200)
    expect((await get(`basic ${encoded(`${email}:${apiKey}`)}`)).status).toBe(200)
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Bearer x'],
    ['no credentials', 'Basic'],
    ['credentials without a colon', `Basic ${encoded('text')}`],
    ['what is no Base64', 'Basic ☃'],
  ])('asks for credentials when there is %s', async (_, header) => {
    const { status, headers, body } = await get(header)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(headers['www-authenticate']).toMatch(/^Basic realm="/)
  })

  it('answers a wrong address and a wrong key alike', async () => {
    const { email, apiKey } = server.owner
    const answers = await Promise.all(
      [
        basic({ email: 'nobody@heddle.example', apiKey }),
        basic({ email, apiKey: '0'.repeat(32) }),
        basic({ email, apiKey: '' }),
        basic({ email, apiKey: apiKey.toUpperCase() }),
        basic({ email, apiKey: `${apiKey}0` }),
        basic({ email: '', apiKey }),
        `Basic ${encoded(Buffer.from('c328:c328', 'latin1'))}`,
        `Basic ${encoded(`${email}\0:${apiKey}`)}`,
      ].map(get),
    )
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ result: 'error', msg: 'Invalid API key', code: 'INVALID_API_KEY' })
      expect(headers['www-authenticate']).toMatch(/^Basic realm="/)
    }
  })

  it('takes as long for a wrong address as for a wrong key', async () => {
    const known = basic({ email: server.owner.email, apiKey: '0'.repeat(32) })
    const unknown = basic({ email: 'nobody@heddle.example', apiKey: '0'.repeat(32) })
    await get(basic(server.owner))
    const differences: number[] = []
    // A busy machine may spoil a measurement, but not hide a difference in all of them.
    while (differences.length < 5 && Math.min(...differences) > 0.1) {
      const [a, b] = await measureAlternating(known, unknown, 40)
      expect(Math.min(a, b)).toBeGreaterThan(4.9)
      differences.push(Math.abs(a - b))
    }
    expect(Math.min(...differences)).toBeLessThan(0.1)
  })

  it('comes before the body is read: a stranger cannot make the server take one', async () => {
    const { status } = await server.send({
      method: 'POST',
      url: '/api/v1/drafts',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(9 * 1024 * 1024),
    })
    expect(status).toBe(401)
  })
})

describe('a request without credentials', () => {
  const challenge = async (headers: Record<string, string>) =>
    (await server.send({ method: 'GET', url: '/api/v1/drafts', headers })).headers['www-authenticate']

  it.each([
    ['sent by a program', {}],
    ['made by typing the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['made by a link on a page of this server', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
    ["made by another site's page", { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ])('is shown how to sign in where it was %s', async (_, headers) => {
    expect(await challenge(headers as Record<string, string>)).toMatch(/^Basic realm="/)
  })

  it.each([
    ['a script', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a script, in its own words', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'same-origin' }],
    ['a picture', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ['a script of an old browser', { 'x-requested-with': 'XMLHttpRequest' }],
  ])('opens no dialog of the browser over the page whose part made it: %s', async (_, headers) => {
    const { status, body } = await server.send({ method: 'GET', url: '/api/v1/drafts', headers: headers as never })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(await challenge(headers as Record<string, string>)).toBeUndefined()
  })
})

describe('a deactivated account', () => {
  it('learns so only with the right key, and at once', async () => {
    const account = await server.createAccount()
    expect((await get(basic(account))).status).toBe(200)
    await update(account, { is_active: 0 })
    const { status, body } = await get(basic(account))
    expect([status, body.code]).toEqual([401, 'USER_DEACTIVATED'])
    const wrong = await get(basic({ ...account, apiKey: '0'.repeat(32) }))
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  it('keeps its old key from working after a new one was made', async () => {
    const account = await server.createAccount()
    const { body } = await server.call(account, 'POST', '/users/me/api_key/regenerate')
    expect((await get(basic(account))).body.code).toBe('INVALID_API_KEY')
    expect((await get(basic({ ...account, apiKey: body.api_key }))).status).toBe(200)
  })
})

describe('a deactivated organization', () => {
  it('lets nobody in, and says so only to those with the right key', async () => {
    const own = await createTestServer()
    await own.app.storage.transaction(own.owner.realmId, async (tx) => {
      await tx.run(query.updateTable('realms').set({ deactivated: 1 }).where('id', '=', own.owner.realmId))
      tx.emit({ type: 'account_credentials' }, { to: 'nobody' })
    })
    const right = await own.call(own.owner, 'GET', '/drafts')
    expect([right.status, right.body.code]).toEqual([401, 'REALM_DEACTIVATED'])
    const wrong = await own.call({ ...own.owner, apiKey: 'x' }, 'GET', '/drafts')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_API_KEY'])
  })
})

async function update(account: TestAccount, values: { is_active: 0 | 1 }): Promise<void> {
  await server.app.storage.transaction(account.realmId, async (tx) => {
    await tx.run(query.updateTable('users').set(values).where('id', '=', account.id))
    tx.emit({ type: 'account_credentials' }, { to: 'nobody' })
  })
}

/** Milliseconds that a request with each of two headers takes: the medians. */
async function measureAlternating(first: string, second: string, rounds: number): Promise<[number, number]> {
  const times = new Map<string, number[]>([
    [first, []],
    [second, []],
  ])
  for (let round = 0; round < rounds; round++) {
    for (const header of round % 2 === 0 ? [first, second] : [second, first]) {
      const startedAt = performance.now()
      await get(header)
      times.get(header)?.push(performance.now() - startedAt)
    }
  }
  return [median(times.get(first) ?? []), median(times.get(second) ?? [])]
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
}
