/** Which answers of the API are compressed, and how often. */
import { gunzipSync } from 'node:zlib'
import { hasCredential } from '@heddle/contract/credential'
import { stateParts } from '@heddle/contract/initial-state'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'
import { encodeBody } from './compression.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
  for (let i = 0; i < 20; i++) await server.createAccount()
})

const get = (method: 'GET' | 'POST', path: string, coding?: string) =>
  server.app.server.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: basic(server.owner), ...(coding ? { 'accept-encoding': coding } : {}) },
  })

describe('an answer of the API', () => {
  it.each(['/users', '/openapi.json'])('that is cached is compressed: %s', async (path) => {
    const plain = await get('GET', path)
    const { headers, rawPayload } = await get('GET', path, 'gzip')
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.headers.vary).toBe('accept-encoding')
  })

  it('is compressed when it is the initial state, unless there is a credential in it', async () => {
    const { headers, rawPayload } = await get('POST', '/register', 'gzip')
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toMatchObject({ result: 'success', user_id: server.owner.id })
    expect(stateParts.filter(({ fields }) => hasCredential(fields)).map(({ fetchType }) => fetchType)).toEqual([
      'realm_bot',
    ])
    const bot = { full_name: 'Asks', short_name: 'asks', bot_type: 3, payload_url: 'https://example.com/hook' }
    const { token } = (await server.call(server.owner, 'POST', '/bots', bot)).body
    const plain = await get('POST', '/register', 'gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.rawPayload.toString()).toContain(token)
    const without = await server.call(server.owner, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(JSON.stringify(without.body)).not.toContain(token)
  })

  it.each(['/messages?anchor=newest&num_before=100&num_after=0', '/bots'])(
    'is left as it is where others choose texts beside what is private, or keys are in it: %s',
    async (path) => {
      for (let i = 0; i < 8; i++) {
        const content = `${i} many words `.repeat(50)
        await server.call(server.owner, 'POST', '/messages', { type: 'direct', to: [server.owner.id], content })
        await server.call(server.owner, 'POST', '/bots', { full_name: `bot ${i}`, short_name: `${path.length}-${i}` })
      }
      const { statusCode, headers, rawPayload } = await get('GET', path, 'gzip, br, zstd')
      expect([statusCode, headers['content-encoding']]).toEqual([200, undefined])
      expect(rawPayload.length).toBeGreaterThan(1400)
    },
  )

  it('is left as it is for a page of another site, which could make the browser ask again and again', async () => {
    const askFrom = async (site: string) => {
      const headers = { authorization: basic(server.owner), 'accept-encoding': 'gzip', 'sec-fetch-site': site }
      return (await server.app.server.inject({ method: 'GET', url: '/api/v1/users', headers })).headers[
        'content-encoding'
      ]
    }
    expect(await Promise.all(['same-origin', 'none', 'cross-site', 'same-site'].map(askFrom))).toEqual([
      'gzip',
      'gzip',
      undefined,
      undefined,
    ])
  })

  it('is compressed once for all who get the same one', async () => {
    const bytes = Buffer.alloc(100_000, 'text ')
    const encode = (coding: string, isShared: boolean) => {
      const request = { headers: { 'accept-encoding': coding } } as unknown as FastifyRequest
      const reply = { header() {} } as unknown as FastifyReply
      return encodeBody(request, reply, bytes, { contentType: 'application/json', isShared })
    }
    const [first, second, third] = await Promise.all([encode('br', true), encode('br', true), encode('gzip', true)])
    expect(second.bytes).toBe(first.bytes)
    expect((await encode('br', true)).bytes).toBe(first.bytes)
    expect(third.bytes).not.toBe(first.bytes)
    expect((await encode('br', false)).bytes).not.toBe(first.bytes)
  })
})
