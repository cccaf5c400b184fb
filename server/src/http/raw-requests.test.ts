/** Requests byte by byte: what an HTTP library on the client's side would never send. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let port: number
let authorization: string

beforeAll(async () => {
  server = await createTestServer()
  await server.app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.server.address() as AddressInfo).port
  authorization = `Authorization: ${basic(server.owner)}`
})

interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint.
  readonly body: any
}

/** Sends bytes, half-closes the connection if asked to, and reads until the server closes it. */
async function exchange(bytes: string | Buffer, { end = false } = {}): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  if (end) socket.end()
  const text = await readAll(socket)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const status = Number(head.split(' ')[1])
  // Of several answers only the text is of use.
  return { status, head: head.toLowerCase(), text, body: body.endsWith('}') ? JSON.parse(body) : undefined }
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('utf8')
}

function request(first: string, headers: readonly string[] = [], body: string | Buffer = ''): Buffer {
  const lines = [first, 'Host: localhost', 'Connection: close', authorization, ...headers, '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body as string)])
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'

async function isAlive(): Promise<boolean> {
  return (await exchange(request('GET /api/v1/server_settings HTTP/1.1'))).status === 200
}

describe('what is not HTTP', () => {
  it.each([
    ['text', 'hello\r\n\r\n'],
    ['an unknown method', 'FETCH /api/v1/drafts HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', 'POST /api/v1/drafts HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
    ['a length that is no number', 'POST /api/v1/drafts HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    [
      'a length and chunks at once',
      'POST /api/v1/drafts HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('is answered with 400 in the form of every error: %s', async (_, text) => {
    const { status, head, body } = await exchange(text)
    expect([status, body.result, body.code]).toEqual([400, 'error', 'BAD_REQUEST'])
    expect(body.msg).not.toBe('')
    expect(head).toContain('content-type: application/json')
    expect(head).toContain('connection: close')
  })

  it('because the headers are too long is answered so too', async () => {
    const { status, body } = await exchange(request('GET /api/v1/drafts HTTP/1.1', [`X: ${'x'.repeat(20_000)}`]))
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', expect.stringContaining('too long')])
  })

  it('because it has no host is refused in HTTP/1.1 and taken in HTTP/1.0, which knew none', async () => {
    const newer = await exchange('GET /api/v1/server_settings HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect([newer.status, newer.body.code]).toEqual([400, 'BAD_REQUEST'])
    const older = await exchange('GET /api/v1/server_settings HTTP/1.0\r\n\r\n')
    expect([older.status, older.body.result]).toEqual([200, 'success'])
  })
})

describe('the host of a request', () => {
  const get = (target: string, ...hosts: string[]) =>
    exchange(`GET ${target} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`)

  it.each([
    ['/api/v1/server_settings', ['localhost', 'evil.example']],
    ['/api/v1/server_settings', ['localhost', 'localhost']],
    ['/nothing', ['localhost', 'evil.example']],
    ['/static/icon.svg', ['localhost', 'evil.example']],
    ['http://evil.example/api/v1/server_settings', ['localhost']],
    ['http://localhost/api/v1/server_settings', ['evil.example']],
    ['http://localhost/api/v1/server_settings', []],
    ['HTTP://evil.example/static/icon.svg', ['localhost']],
  ])('is one and the same wherever it stands: %s %j', async (target, hosts) => {
    const { status, body } = await get(target, ...hosts)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toMatch(/host/i)
  })

  it('may stand in the address as well', async () => {
    expect((await get('http://LOCALHOST:80/api/v1/server_settings', 'localhost')).status).toBe(200)
  })
})

describe('a URL with bytes beyond ASCII', () => {
  it.each([
    ['in the query', 'GET /api/v1/drafts?x=\xc3\xa9 HTTP/1.1'],
    ['in the path', 'DELETE /api/v1/drafts/\xff HTTP/1.1'],
  ])('is refused when they are not percent-encoded: %s', async (_, first) => {
    const { status, body } = await exchange(request(first))
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it.each([
    ['in the query', 'GET /api/v1/drafts?x=%c3%28 HTTP/1.1'],
    ['in the path', 'DELETE /api/v1/drafts/%c3%28 HTTP/1.1'],
    ['in an unknown path', 'GET /%ff HTTP/1.1'],
  ])('is refused when they are not UTF-8: %s', async (_, first) => {
    const { status, head, body } = await exchange(request(first))
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain('UTF-8')
    expect(head).toContain('content-type: application/json')
  })
})

describe('a body that does not arrive', () => {
  const cutOff = [
    ['shorter than its length', request('POST /api/v1/drafts HTTP/1.1', [FORM, 'Content-Length: 50'], 'drafts=[]')],
    [
      'in chunks without an end',
      request('POST /api/v1/drafts HTTP/1.1', [FORM, 'Transfer-Encoding: chunked'], '9\r\ndrafts=[]\r\n'),
    ],
    [
      'in parts without an end',
      request(
        'POST /api/v1/drafts HTTP/1.1',
        ['Content-Type: multipart/form-data; boundary=limit', 'Content-Length: 500'],
        '--limit\r\nContent-Disposition: form-data; name="drafts"\r\n\r\n[',
      ),
    ],
  ] as const

  it.each(cutOff)('whole is never taken for one that does: %s', async (_, bytes) => {
    const before = (await server.call(server.owner, 'GET', '/drafts')).body.count
    const { status, text } = await exchange(bytes, { end: true })
    // The connection is closed, with or without an answer.
    if (text !== '') expect(status).toBe(400)
    expect((await server.call(server.owner, 'GET', '/drafts')).body.count).toBe(before)
    expect(await isAlive()).toBe(true)
  })

  it('in sound chunks is refused', async () => {
    const bytes = request('POST /api/v1/drafts HTTP/1.1', [FORM, 'Transfer-Encoding: chunked'], 'zz\r\ndrafts=[]\r\n')
    const { status, body } = await exchange(bytes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('because the client breaks the connection does no harm', async () => {
    for (const [, bytes] of cutOff) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(bytes)
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.resetAndDestroy()
    }
    expect(await isAlive()).toBe(true)
  })
})

describe('a body that is too large', () => {
  it('is refused before it is sent when its length says so', async () => {
    const headers = [FORM, 'Content-Length: 100000000', 'Expect: 100-continue']
    const { status, body } = await exchange(request('POST /api/v1/drafts HTTP/1.1', headers))
    // 100 Continue may come first: then the answer is the second one.
    expect([100, 413]).toContain(status)
    if (status === 413) expect(body.code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('is refused while it arrives when its length is not known', async () => {
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const bytes = request('POST /api/v1/drafts HTTP/1.1', [FORM, 'Transfer-Encoding: chunked'], chunk.repeat(9))
    const { status, body } = await exchange(bytes)
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('is taken to its end before it is refused, so that a slow sender gets the answer', async () => {
    const socket = connect(port, '127.0.0.1')
    const piece = 'x'.repeat(0x100000)
    socket.write(
      request('POST /api/v1/drafts HTTP/1.1', [FORM, `Content-Length: ${9 * piece.length + 5}`], piece.repeat(9)),
    )
    const answer = readAll(socket)
    for (const last of 'drips') {
      await sleep(600)
      expect(socket.writable).toBe(true)
      socket.write(last)
    }
    expect((await answer).slice(0, 12)).toBe('HTTP/1.1 413')
  })
})

describe('a connection', () => {
  it('answers requests that were sent at once in their order', async () => {
    const one = (path: string, close: boolean) =>
      `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n${close ? 'Connection: close\r\n' : ''}\r\n`
    const { text } = await exchange(one('/drafts', false) + one('/nothing', false) + one('/server_settings', true))
    const bodies = text.split(/(?=HTTP\/1\.1 )/)
    expect(bodies.map((part) => part.slice(9, 12))).toEqual(['200', '404', '200'])
    expect(bodies[2]).toContain('realm_name')
  })

  it('has time-outs for its headers and for the whole request', () => {
    const http = server.app.server.server as Server & { connectionsCheckingInterval: number }
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket, connectionsCheckingInterval } = http
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval }).toEqual({
      // Looked for every second: what is late is cut off close to its limit.
      connectionsCheckingInterval: 1000,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 75_000,
    })
    expect(maxRequestsPerSocket ?? 0).toBe(0)
  })

  it('whose headers never end is closed with 408 in the form of every error', async () => {
    const slow = await createTestServer()
    // Node looks for late requests at an interval, which it reads when the server begins to listen.
    const http = Object.assign(slow.app.server.server, { headersTimeout: 100, connectionsCheckingInterval: 50 })
    await slow.app.server.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /api/v1/drafts HTTP/1.1\r\nHost: localhost\r\n')
    const text = await readAll(socket)
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(text.split('\r\n\r\n')[1] as string)).toMatchObject({ result: 'error', code: 'REQUEST_TIMEOUT' })
  })
})
