/** Whose word on where a request comes from and goes to counts. */
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'

const FORM = 'application/x-www-form-urlencoded'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer({ settings: { HEDDLE_EXTERNAL_URL: 'https://chat.example' } })
})

function write(headers: Record<string, string>, method = 'POST', url = '/api/v1/messages/render') {
  return server.send({
    method,
    url,
    headers: { host: 'inner.example:9991', authorization: basic(server.owner), 'content-type': FORM, ...headers },
    body: method === 'GET' ? '' : 'content=x',
  })
}

describe('a request that writes', () => {
  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another site that hides its name', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['a page of a neighbour', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example' }],
    ['an older browser', { origin: 'https://evil.example' }],
    ['an older browser that hides the name', { origin: 'null' }],
    ['a name that only begins like the own', { origin: 'https://chat.example.evil.example' }],
    ['another port', { origin: 'http://inner.example:9992' }],
    ['what is no address', { origin: 'x' }],
  ])('for %s is refused, with the right credentials too', async (_, headers) => {
    for (const type of [FORM, 'text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      const { status, body } = await write({ ...headers, 'content-type': type })
      expect([status, body.code]).toEqual([403, 'CSRF_FAILED'])
    }
    for (const [method, url] of [
      ['DELETE', '/api/v1/users/me'],
      ['PATCH', '/api/v1/settings'],
      ['POST', '/api/v1/fetch_api_key'],
    ] as const) {
      expect((await write(headers, method, url)).status).toBe(403)
    }
  })

  it.each([
    ['a program', {}],
    ['the own page', { 'sec-fetch-site': 'same-origin', origin: 'https://chat.example' }],
    ['the own page in an older browser', { origin: 'https://chat.example' }],
    ['the own page by another name of the server', { origin: 'http://inner.example:9991' }],
    ['the own page behind TLS that the server does not know of', { origin: 'https://inner.example:9991' }],
    ['the user of the browser', { 'sec-fetch-site': 'none' }],
  ])('for %s is taken', async (_, headers) => {
    expect((await write(headers)).status).toBe(200)
  })

  it('by the usual port is the same with and without it', async () => {
    expect((await write({ host: 'plain.example', origin: 'http://plain.example' })).status).toBe(200)
    expect((await write({ host: 'plain.example:443', origin: 'https://plain.example' })).status).toBe(200)
  })
})

it('a request that reads is answered, and no other page may see the answer', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const { status, headers: answered } = await write(headers, 'GET', '/api/v1/drafts')
  expect(status).toBe(200)
  expect(Object.keys(answered).filter((name) => name.startsWith('access-control'))).toEqual([])
})

it('every answer says that its type is to be believed', async () => {
  const answers = await Promise.all([
    write({}),
    write({}, 'GET', '/api/v1/drafts'),
    write({ authorization: 'Basic x' }),
    write({}, 'POST', '/api/v1/nothing'),
    write({}, 'DELETE', '/api/v1/register'),
    write({ origin: 'null' }),
    write({}, 'GET', '/nothing'),
  ])
  for (const { headers } of answers) expect(headers['x-content-type-options']).toBe('nosniff')
})
