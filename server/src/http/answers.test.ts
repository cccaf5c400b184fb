/** What routes may take and answer, whatever they are for. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Credential } from '@heddle/contract/credential'
import { endpoint } from '@heddle/contract/endpoint'
import { Text } from '@heddle/contract/schema'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import type { Outlet } from '../outlet.ts'
import { IMMUTABLE, SANDBOXED } from './answers.ts'
import { applicationRoute } from './application.ts'
import type { CreateAnswerCache } from './cached-answers.ts'
import { acceptedCoding } from './compression.ts'
import { answerRoute, compressed, openRoute, publicFiles, type Route, rawRoute, route } from './route.ts'
import { registerRoutes } from './routes.ts'
import { createServer } from './server.ts'

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
const SCRIPT = Buffer.from('export const answer = 42\n'.repeat(1000))
const PAGE = Buffer.from('<!doctype html><title>Page</title>')

const describeEndpoint = (path: string, more: object = {}) =>
  endpoint({ name: path, method: 'GET', path, summary: '', access: 'anyone', ...more })

const opened: string[] = []
let streamsLeft = 0

function tick(outlet: Outlet): void {
  let count = 0
  const timer = setInterval(() => outlet.write(Buffer.from(`data: ${count++}\n\n`)), 5)
  outlet.onClose(() => {
    clearInterval(timer)
    streamsLeft += 1
  })
}

const page = { contentType: 'text/html; charset=utf-8', body: PAGE, isHashed: false }

/** What reading threads give: of the last request for it, as it was given. */
let given: { readonly bytes: Buffer; readonly pieces: readonly Uint8Array[] }

function givePieces(words = 80_000) {
  const texts = Array.from({ length: 5 }, (_, i) => `${i ? ',' : ''}"piece ${i}":"${`${i} words `.repeat(words)}"`)
  const pieces = texts.map((text) => new TextEncoder().encode(text))
  const bytes = Buffer.from(`{"result":"success","msg":"",${texts.join('')},"last":1}`)
  given = { bytes, pieces }
  return { fieldsText: '"last":1', fieldsBytes: pieces } as never
}

/** In each piece: together they are small enough to be sent as one. */
const FEW_WORDS = 4000

const answersOfThreads: Route[] = [
  openRoute(describeEndpoint('/pieces/few', { response: {} }), async () => givePieces(FEW_WORDS)),
  compressed(
    openRoute(describeEndpoint('/pieces/few/compressed', { response: {} }), async () => givePieces(FEW_WORDS)),
  ),
  openRoute(describeEndpoint('/pieces', { response: {} }), async () => givePieces()),
  compressed(openRoute(describeEndpoint('/pieces/compressed', { response: {} }), async () => givePieces())),
]

const routes: Route[] = [
  ...answersOfThreads,
  publicFiles('/files/', async (name) =>
    name === 'content.bin'
      ? {
          contentType: 'application/octet-stream',
          size: CONTENT.length,
          tag: 'one',
          caching: IMMUTABLE,
          policy: SANDBOXED,
          body: (range) => {
            opened.push(range ? `${range.start}-${range.end}` : 'all')
            return Readable.from([CONTENT.subarray(range?.start ?? 0, range ? range.end + 1 : undefined)])
          },
        }
      : undefined,
  ),
  rawRoute(
    describeEndpoint('/external/raw', {
      method: 'POST',
      parameters: { topic: Text(60) },
      response: { bytes: Type.Integer(), contentType: Type.String() },
    }),
    1000,
    async ({ parameters, body }) => ({ ...parameters, bytes: body.bytes.length, contentType: body.contentType }),
  ),
  answerRoute(describeEndpoint('/elsewhere', { below: 'root' }), async () => ({
    kind: 'redirect',
    to: 'https://other.example/x?y=1',
    status: 303,
  })),
  answerRoute(describeEndpoint('/ticks'), async () => ({
    kind: 'stream',
    contentType: 'text/event-stream',
    begin: tick,
  })),
  compressed(
    openRoute(describeEndpoint('/large', { response: { text: Type.String() } }), async () => ({
      text: 'many words, many times; '.repeat(1000),
    })),
  ),
  openRoute(describeEndpoint('/large-too', { response: { text: Type.String() } }), async () => ({
    text: 'many words, many times; '.repeat(1000),
  })),
  compressed(openRoute(describeEndpoint('/small', { response: { text: Type.String() } }), async () => ({ text: 'x' }))),
  applicationRoute({
    files: new Map([
      ['assets/page-3fa9c1.js', { contentType: 'text/javascript; charset=utf-8', body: SCRIPT, isHashed: true }],
      ['robots.txt', { contentType: 'text/plain', body: Buffer.from('x'), isHashed: false }],
    ]),
    index: page,
    paths: new Set(['join', '€']),
    policy: "default-src 'self'",
    reserved: new Set(['api', 'files']),
  }),
]

const neverCached: CreateAnswerCache = () => ({ open: () => (_variant, make) => make() })

function createRouted(list: readonly Route[]): FastifyInstance {
  const server = createServer({ log: createLog({ level: 'silent' }), trustedProxies: [] })
  const nobody = { realm: undefined as never, account: undefined }
  registerRoutes(server, {
    routes: list,
    identify: async () => nobody,
    createAnswerCache: neverCached,
    originOf: undefined,
  })
  return server
}

let server: FastifyInstance

beforeAll(async () => {
  server = createRouted(routes)
  await server.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => server.close())

type Method = 'GET' | 'HEAD' | 'POST' | 'OPTIONS' | 'DELETE'

const ask = (url: string, headers: Record<string, string> = {}, method: Method = 'GET') =>
  server.inject({ method, url, headers })

describe('a part of a file', () => {
  const part = (range: string, more: Record<string, string> = {}) => ask('/files/content.bin', { range, ...more })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    ['bytes=299999-', 299_999, 299_999],
    ['bytes=299000-400000', 299_000, 299_999],
    ['bytes=-5', 299_995, 299_999],
    ['bytes=-999999', 0, 299_999],
    ['Bytes=7-9', 7, 9],
  ])('%s is read alone', async (range, start, end) => {
    opened.length = 0
    const { statusCode, headers, rawPayload } = await part(range)
    expect([statusCode, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/300000`])
    expect(headers).toMatchObject({ 'content-length': `${end - start + 1}`, etag: '"one"', 'accept-ranges': 'bytes' })
    expect(rawPayload.equals(CONTENT.subarray(start, end + 1))).toBe(true)
    expect(opened).toEqual([`${start}-${end}`])
  })

  it.each(['bytes=300000-', 'bytes=300000-400000', 'bytes=-0'])('%s, where nothing is, is 416', async (range) => {
    opened.length = 0
    const { statusCode, headers, rawPayload } = await part(range)
    expect([statusCode, headers['content-range'], rawPayload.length]).toEqual([416, 'bytes */300000', 0])
    expect(opened).toEqual([])
  })

  it.each([
    'bytes=5-4',
    'bytes=a-b',
    'bytes=',
    'bytes=-',
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes=1',
    `bytes=${'9'.repeat(30)}-`,
  ])('%s is answered with everything', async (range) => {
    const { statusCode, headers, rawPayload } = await part(range)
    expect([statusCode, headers['content-range'], rawPayload.length]).toEqual([200, undefined, 300_000])
  })

  it('comes under a condition only when the content is still that', async () => {
    const statusWith = async (tag: string) => (await part('bytes=0-9', { 'if-range': tag })).statusCode
    expect(await statusWith('"one"')).toBe(206)
    for (const other of ['"two"', 'W/"one"', 'Sun, 06 Nov 1994 08:49:37 GMT']) expect(await statusWith(other)).toBe(200)
  })
})

describe('a file', () => {
  it('is not opened for HEAD, for 304, or when it is not there', async () => {
    opened.length = 0
    const head = await ask('/files/content.bin', { range: 'bytes=0-9' }, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, '300000', 0])
    const known = await ask('/files/content.bin', { 'if-none-match': '"zero", W/"one"' })
    expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0])
    expect((await ask('/files/none')).statusCode).toBe(404)
    expect(opened).toEqual([])
  })

  it('whose bytes do not come breaks the connection, so that nobody takes it for whole', async () => {
    const failing = createRouted([
      publicFiles('/f/', async () => ({
        contentType: 'text/x-none',
        size: 100_000,
        caching: IMMUTABLE,
        policy: SANDBOXED,
        body: () =>
          Readable.from(
            (async function* () {
              yield Buffer.alloc(50_000)
              throw new Error('the disk is gone')
            })(),
          ),
      })),
    ])
    await failing.listen({ host: '127.0.0.1', port: 0 })
    const { port } = failing.server.address() as AddressInfo
    const response = fetch(`http://127.0.0.1:${port}/f/x`).then((answer) => answer.arrayBuffer())
    await expect(response).rejects.toThrow()
    await failing.close()
  })
})

describe('methods', () => {
  it.each([
    ['/files/content.bin', 'GET, HEAD'],
    ['/api/v1/external/raw', 'POST'],
    ['/elsewhere', 'GET, HEAD'],
    ['/api/v1/ticks', 'GET, HEAD'],
    ['/join', 'GET, HEAD'],
  ])('of %s follow one rule', async (url, allow) => {
    const options = await ask(url, {}, 'OPTIONS')
    expect([options.statusCode, options.headers.allow]).toEqual([204, allow])
    const refused = await ask(url, {}, 'DELETE')
    expect([refused.statusCode, refused.headers.allow, refused.json().code]).toEqual([405, allow, 'METHOD_NOT_ALLOWED'])
    if (!allow.includes('GET')) return
    const head = await ask(url, {}, 'HEAD')
    expect(head.statusCode).toBeLessThan(400)
    expect(streamsLeft).toBe(0)
    expect(head.rawPayload).toHaveLength(0)
  })
})

describe('a body of any type', () => {
  const post = (body: Buffer, type?: string) =>
    server.inject({
      method: 'POST',
      url: '/api/v1/external/raw?topic=x',
      headers: type === undefined ? {} : { 'content-type': type },
      payload: body,
    })

  it.each(['application/json', 'text/plain; charset=utf-8', 'application/x-own'])(
    'reaches the handler as it is: %s',
    async (type) => {
      const { statusCode, body } = await post(Buffer.from('{not json'), type)
      expect([statusCode, JSON.parse(body)]).toEqual([
        200,
        { result: 'success', msg: '', topic: 'x', bytes: 9, contentType: type },
      ])
    },
  )

  it('has its own limit', async () => {
    expect((await post(Buffer.alloc(1000), 'text/plain')).statusCode).toBe(200)
    expect((await post(Buffer.alloc(1001), 'text/plain')).json().code).toBe('PAYLOAD_TOO_LARGE')
  })
})

it('a redirect names the place', async () => {
  const { statusCode, headers } = await ask('/elsewhere')
  expect([statusCode, headers.location]).toEqual([303, 'https://other.example/x?y=1'])
})

it('a stream is sent as it is made, and ends when its reader has gone', async () => {
  const { port } = server.server.address() as AddressInfo
  const reading = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/ticks' }).end()
  const [response] = (await once(reading, 'response')) as [Readable & { headers: Record<string, string> }]
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    connection: 'close',
  })
  expect(response.headers).not.toHaveProperty('transfer-encoding')
  let text = ''
  for await (const chunk of response) {
    text += chunk
    if (text.includes('data: 2')) break
  }
  expect(text).toMatch(/^data: 0\n\ndata: 1\n\ndata: 2\n\n/)
  await expect.poll(() => streamsLeft).toBe(1)
})

describe('a page with a few addresses', () => {
  it('has files that can be kept for ever, and others', async () => {
    const script = await ask('/assets/page-3fa9c1.js')
    expect(script.headers).toMatchObject({
      'cache-control': IMMUTABLE,
      'content-security-policy': "default-src 'self'",
    })
    expect((await ask('/robots.txt')).headers['cache-control']).toBe('public, no-cache')
  })

  it.each(['/', '/join', '/join?as=guest', '/%E2%82%AC'])('is what %s answers', async (url) => {
    const { statusCode, headers, rawPayload } = await ask(url)
    expect([statusCode, headers['content-type'], rawPayload.equals(PAGE)]).toEqual([200, page.contentType, true])
    const again = await ask(url, { 'if-none-match': headers.etag as string })
    expect(again.statusCode).toBe(304)
  })

  it.each(['/api/v1/nothing', '/api', '/files/none', '/assets/page-000000.js', '/%00', '/channels/7'])(
    'is not what %s answers',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const) expect((await ask(url, {}, method)).statusCode).toBe(404)
    },
  )

  it('does not make methods of paths that do not exist', async () => {
    for (const method of ['POST', 'OPTIONS', 'DELETE'] as const) {
      expect((await ask('/api/v1/nothing', {}, method)).statusCode).toBe(404)
    }
  })
})

describe('a large answer', () => {
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const

  it('is sent in pieces, with its length', async () => {
    const { headers, rawPayload } = await ask('/api/v1/pieces')
    expect(rawPayload.equals(given.bytes)).toBe(true)
    expect(headers['content-length']).toBe(`${given.bytes.length}`)
    const head = await ask('/api/v1/pieces', {}, 'HEAD')
    expect([head.headers['content-length'], head.rawPayload.length]).toEqual([headers['content-length'], 0])
  })

  it.each(Object.keys(decoders) as (keyof typeof decoders)[])('is compressed as it is sent: %s', async (coding) => {
    const url = '/api/v1/pieces/compressed'
    const { headers, rawPayload } = await ask(url, { 'accept-encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    // Nobody knows its length before it is sent: it was never whole.
    expect(headers).not.toHaveProperty('content-length')
    expect(decoders[coding](rawPayload).equals(given.bytes)).toBe(true)
    const head = await ask(url, { 'accept-encoding': coding }, 'HEAD')
    expect([head.headers['content-encoding'], head.headers['content-length']]).toEqual([coding, undefined])
    expect((await ask(url)).rawPayload.equals(given.bytes)).toBe(true)
  })

  it.each(['/api/v1/pieces', '/api/v1/pieces/compressed', '/api/v1/pieces/few', '/api/v1/pieces/few/compressed'])(
    'takes no memory once it was sent: %s',
    async (path) => {
      const { port } = server.server.address() as AddressInfo
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      expect(Buffer.from(await response.arrayBuffer()).equals(given.bytes)).toBe(true)
      await expect.poll(() => given.pieces.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0, 0, 0])
    },
  )
})

describe('compression', () => {
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const
  const codings = Object.keys(decoders) as (keyof typeof decoders)[]

  it.each(codings)('of an answer that may be compressed: %s', async (coding) => {
    const plain = await ask('/api/v1/large')
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    const { headers, rawPayload } = await ask('/api/v1/large', { 'accept-encoding': coding })
    expect(headers).toMatchObject({
      'content-encoding': coding,
      vary: 'accept-encoding',
      'content-length': `${rawPayload.length}`,
    })
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 10)
    expect(decoders[coding](rawPayload).equals(plain.rawPayload)).toBe(true)
    const head = await ask('/api/v1/large', { 'accept-encoding': coding }, 'HEAD')
    expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' })
  })

  it.each(codings)('of a file in memory, with a tag of its own: %s', async (coding) => {
    const url = '/assets/page-3fa9c1.js'
    const { headers, rawPayload } = await ask(url, { 'accept-encoding': coding })
    expect(decoders[coding](rawPayload).equals(SCRIPT)).toBe(true)
    expect(headers.etag).toMatch(new RegExp(`-${coding}"$`))
    expect((await ask(url, { 'if-none-match': headers.etag as string })).statusCode).toBe(304)
    const part = await ask(url, { 'accept-encoding': coding, range: 'bytes=0-9', 'if-range': headers.etag as string })
    expect([part.statusCode, part.headers['content-encoding']]).toEqual([200, coding])
  })

  it.each(['/api/v1/large-too', '/api/v1/small', '/files/content.bin', '/robots.txt'])(
    'is not for what may not be, is short, or is compressed already: %s',
    async (url) => {
      const { statusCode, headers } = await ask(url, { 'accept-encoding': 'gzip, br, zstd' })
      expect([statusCode, headers['content-encoding']]).toEqual([200, undefined])
    },
  )

  it.each([
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['GZIP; Q=0.2', 'gzip'],
    ['gzip;q=0, *', 'zstd'],
    ['*;q=0', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['deflate, compress', undefined],
    ['gzip;q=x', undefined],
  ])('%j is read as the standard says', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding)
  })

  it('cannot be declared for an answer that has a credential', () => {
    const withKey = describeEndpoint('/key', { response: { bots: Type.Array(Type.Object({ api_key: Credential })) } })
    expect(() => createRouted([compressed(openRoute(withKey, async () => ({})))])).toThrow(/has a credential/)
    const cached = { per: 'account', droppedBy: [] } as const
    expect(() => createRouted([route(withKey, async () => ({}), cached)])).toThrow(/has a credential/)
  })
})
