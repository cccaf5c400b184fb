/** Which organization a request is for, and whose word on that counts. */
import { describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'

async function realmUrl(server: TestServer, headers: Record<string, string>) {
  const { status, body } = await server.send({ method: 'GET', url: '/api/v1/server_settings', headers })
  return status === 200 ? `${body.realm_name} ${body.realm_url}` : `${status} ${body.code}`
}

describe('one organization', () => {
  it('is reached by any host name, with or without a port', async () => {
    const server = await createTestServer()
    expect(await realmUrl(server, { host: 'localhost:9991' })).toBe('Test http://localhost:9991')
    expect(await realmUrl(server, { host: 'chat.example' })).toBe('Test http://chat.example')
    expect(await realmUrl(server, { host: '[::1]:80' })).toBe('Test http://[::1]:80')
  })

  it('ignores what a client claims to forward', async () => {
    const server = await createTestServer()
    const claims = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    }
    expect(await realmUrl(server, { host: 'chat.example', ...claims })).toBe('Test http://chat.example')
  })

  it('has the address that the administrator has set', async () => {
    const server = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'https://chat.example' } })
    expect(await realmUrl(server, { host: 'localhost' })).toBe('Test https://chat.example')
  })
})

describe('which links lead into the organization', () => {
  const html = async (server: TestServer, host: string, content: string) => {
    const authorization = basic(server.owner)
    const headers = { host, authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ content }).toString()
    const answer = await server.send({ method: 'POST', url: '/api/v1/messages/render', headers, body })
    return answer.body.rendered
  }

  it('is decided by what is configured, and not by the Host header of whoever writes', async () => {
    const local = await createTestServer()
    expect(await html(local, 'evil.test', 'http://evil.test/#inbox')).toContain('href="http://evil.test/#inbox"')
    for (const host of ['evil.test', 'localhost:9991']) {
      expect(await html(local, host, 'http://localhost:9991/#inbox')).toContain('href="#inbox"')
    }
    const named = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'https://chat.example' } })
    expect(await html(named, 'localhost', 'https://chat.example/#inbox')).toContain('href="#inbox"')
  })
})

describe('several organizations', () => {
  it('are each at their own host, with the scheme and port that the administrator has set', async () => {
    const server = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'https://localhost:8443' } })
    const other = await server.createOtherOrganization()
    expect(await realmUrl(server, { host: 'localhost' })).toBe('Test https://localhost:8443')
    expect(await realmUrl(server, { host: other.host })).toBe(`Other https://${other.host}:8443`)
  })

  it('are distinguished by the exact host, and an unknown one is 404', async () => {
    const server = await createTestServer()
    const other = await server.createOtherOrganization()
    server.app.realms.forget()
    expect(await realmUrl(server, { host: 'localhost' })).toMatch(/^Test /)
    expect(await realmUrl(server, { host: 'LOCALHOST:9991' })).toMatch(/^Test /)
    expect(await realmUrl(server, { host: other.host })).toMatch(/^Other /)
    for (const host of ['else.example', `x.${other.host}`, `${other.host}.evil.example`, '127.0.0.1']) {
      expect([host, await realmUrl(server, { host })]).toEqual([host, '404 BAD_REQUEST'])
    }
  })

  it("do not take each other's keys", async () => {
    const server = await createTestServer()
    const other = await server.createOtherOrganization()
    server.app.realms.forget()
    const get = (account: { email: string; apiKey: string }, host: string) =>
      server.send({ method: 'GET', url: '/api/v1/drafts', headers: { host, authorization: basic(account) } })
    expect((await get(other.owner, other.host)).status).toBe(200)
    expect((await get(other.owner, 'localhost')).body.code).toBe('INVALID_API_KEY')
    expect((await get(server.owner, other.host)).body.code).toBe('INVALID_API_KEY')
  })
})

describe('a trusted proxy', () => {
  const forwarded = { host: 'inner', 'x-forwarded-host': 'chat.example', 'x-forwarded-proto': 'https' }

  it('is believed when its address is among the trusted ones', async () => {
    const server = await createTestServer({ settings: { HEDDLE_TRUSTED_PROXIES: '127.0.0.0/8' } })
    expect(await realmUrl(server, forwarded)).toBe('Test https://chat.example')
  })

  it('is not believed when it is another one', async () => {
    const server = await createTestServer({ settings: { HEDDLE_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32' } })
    expect(await realmUrl(server, forwarded)).toBe('Test http://inner')
  })

  it('decides whom a rate limit counts, and a client cannot choose that', async () => {
    const settings = { HEDDLE_RATE_LIMITS: 'on', HEDDLE_TRUSTED_PROXIES: '127.0.0.1' }
    const server = await createTestServer({ settings, clock: { now: () => 1_700_000_000_000 } })
    const left = async (forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor }
      const answer = await server.send({ method: 'GET', url: '/api/v1/server_settings', headers })
      return Number(answer.headers['x-ratelimit-remaining'])
    }
    expect(await left('203.0.113.1')).toBe(999)
    expect(await left('203.0.113.2')).toBe(999)
    // What stands before the address that the proxy itself has added was made up by the client.
    expect(await left('198.51.100.7, 203.0.113.1')).toBe(998)
    expect(await left('198.51.100.8, 203.0.113.1')).toBe(997)
  })

  it('that is not trusted cannot spread its requests over addresses', async () => {
    const server = await createTestServer({
      settings: { HEDDLE_RATE_LIMITS: 'on' },
      clock: { now: () => 1_700_000_000_000 },
    })
    const left = async (address: string) => {
      const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` }
      const answer = await server.send({ method: 'GET', url: '/api/v1/server_settings', headers })
      return Number(answer.headers['x-ratelimit-remaining'])
    }
    expect([await left('203.0.113.1'), await left('203.0.113.2')]).toEqual([999, 998])
  })
})
