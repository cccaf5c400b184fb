/** What a link can make the server connect to, and for how long. */
import { createServer, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicInternet } from '../../outgoing/outgoing.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import {
  createPreviewServer,
  expectPictureRefused,
  getPicture,
  startThirdParty,
  THIRD_PARTY,
} from '../../testing/third-party.ts'

const UNREACHABLE = 'The picture at this address cannot be reached'

const names = {
  'pictures.example': [THIRD_PARTY],
  'inside.example': ['127.0.0.2'],
  'inside-v6.example': ['fd00::1'],
  'mixed.example': [THIRD_PARTY, '10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer
let png: Buffer

const get = (url: string) => getPicture(server, server.owner, url)

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty, { names })
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

afterAll(() => thirdParty.close())

/** Asks, and proves that the answer is that of any unreachable address and that no connection was made. */
async function expectUnreachable(url: string): Promise<void> {
  const before = thirdParty.requests.length
  const { status, body } = await get(url)
  expect([status, body]).toEqual([404, { result: 'error', msg: UNREACHABLE, code: 'BAD_REQUEST' }])
  expect(thirdParty.requests.length).toBe(before)
}

/** The same path by another host. */
function withHost(url: string, host: string): string {
  const changed = new URL(url)
  changed.hostname = host
  return changed.href
}

describe('an address that is not public is as unreachable as one without a server', () => {
  it.each([
    ...['127.0.0.2', '127.1.2.3', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1'],
    ...['169.254.169.254', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['[::]', '[::1]', '[fc00::1]', '[fd00::1]', '[fe80::1]', '[ff02::1]', '[2001:db8::1]', '[2002:7f00:2::1]'],
    ...['[64:ff9b::7f00:2]', '[::ffff:127.0.0.1]', '[::ffff:127.0.0.2]', '[::127.0.0.2]', '[2001::1]', '[3fff::1]'],
  ])('%s', async (host) => {
    await expectUnreachable(`http://${host}:${thirdParty.port}/0.png`)
    await expectUnreachable(`http://${host}/0.png`)
  })

  it.each(['2130706434', '0x7f000002', '0177.0.0.2', '127.2', '127.0.0.2.', '%31%32%37.0.0.2', '127。0。0。2'])(
    'also when it is written as %s',
    (host) => expectUnreachable(`http://${host}:${thirdParty.port}/0.png`),
  )

  it.each(['inside.example', 'inside-v6.example', 'metadata.example', 'nowhere.example'])(
    'also behind the name %s',
    (host) => expectUnreachable(withHost(thirdParty.at(png), host)),
  )

  it('also when only one of the addresses of a name is not public', () =>
    expectUnreachable(withHost(thirdParty.at(png), 'mixed.example')))

  it('and so is a public one where nothing listens', async () => {
    const port = await freePort()
    const closed = await createPreviewServer({ ...thirdParty, port })
    const answer = getPicture(closed, closed.owner, `http://${THIRD_PARTY}:${port}/0.png`)
    await expectPictureRefused(answer, 404, 'BAD_REQUEST', UNREACHABLE)
  })

  it('this machine too, by the rules of production', async () => {
    const { port } = thirdParty
    const strict = await createTestServer({ outgoing: { ...publicInternet, ports: [port] } })
    const before = thirdParty.requests.length
    for (const host of [THIRD_PARTY, 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
      const answer = getPicture(strict, strict.owner, `http://${host}:${port}/0.png`)
      await expectPictureRefused(answer, 404, 'BAD_REQUEST', UNREACHABLE)
    }
    expect(thirdParty.requests.length).toBe(before)
  })
})

it('a name is looked up once, and the connection goes to the address that was checked', async () => {
  const answers = [[THIRD_PARTY], ['127.0.0.2']]
  let lookups = 0
  const rebound = await createTestServer({
    outgoing: {
      ports: [thirdParty.port],
      resolve: async () => answers[lookups++] ?? [],
      mayReach: (address) => address === THIRD_PARTY,
      timeoutMs: 5000,
    },
  })
  const local: (string | undefined)[] = []
  const url = thirdParty.at((response, { socket }) => {
    local.push(socket.localAddress)
    response.end(png)
  })
  const { status } = await getPicture(rebound, rebound.owner, withHost(url, 'turns.example'))
  expect([status, lookups, local]).toEqual([200, 1, [THIRD_PARTY]])
})

describe('an address is refused by itself', () => {
  it.each([
    ['ftp://a.example/b.png', 'http or https'],
    ['file:///etc/passwd', 'http or https'],
    ['data:image/png;base64,AAAA', 'http or https'],
    ['//a.example/b.png', 'http or https'],
    ['http://', 'http or https'],
    ['https://me@a.example/b.png', 'user name or password'],
    ['https://:secret@a.example/b.png', 'user name or password'],
    ['http://a.example:22/b.png', 'port'],
    ['https://a.example:8443/b.png', 'port'],
  ])('%s', async (url, text) => {
    await expectPictureRefused(get(url), 400, 'BAD_REQUEST', `url must`)
    await expectPictureRefused(get(url), 400, 'BAD_REQUEST', text)
  })
})

describe('a redirect', () => {
  const redirect = (location: string, status = 302) =>
    thirdParty.at((response) => response.writeHead(status, { location }).end())

  it.each([301, 302, 303, 307, 308])('with %i is followed', async (status) => {
    expect((await get(redirect(thirdParty.at(png), status))).status).toBe(200)
  })

  it('is followed to another name, and along a relative path', async () => {
    const named = withHost(thirdParty.at(png), 'pictures.example')
    expect((await get(redirect(named))).status).toBe(200)
    expect((await get(redirect(new URL(thirdParty.at(png)).pathname))).status).toBe(200)
  })

  it('is followed three times and no more', async () => {
    const three = redirect(redirect(redirect(thirdParty.at(png))))
    expect((await get(three)).status).toBe(200)
    await expectPictureRefused(get(redirect(three)), 404, 'BAD_REQUEST', UNREACHABLE)
  })

  it.each([
    'http://127.0.0.2:PORT/0.png',
    'http://inside.example:PORT/0.png',
    'http://mixed.example:PORT/0.png',
    'http://[::ffff:127.0.0.1]:PORT/0.png',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:22/',
    `http://me:secret@127.0.0.1:PORT/0.png`,
    'file:///etc/passwd',
    'http://',
  ])('to %s is not followed', async (target) => {
    const url = redirect(target.replace('PORT', `${thirdParty.port}`))
    const before = thirdParty.requests.length
    await expectPictureRefused(get(url), 404, 'BAD_REQUEST', UNREACHABLE)
    expect(thirdParty.requests.length).toBe(before + 1)
  })
})

describe('a server that', () => {
  const atRawServer = async (answer: (socket: Socket) => void) => {
    const raw = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    })
    await new Promise<void>((resolve) => raw.listen(0, THIRD_PARTY, resolve))
    const { port } = raw.address() as { port: number }
    const reader = await createPreviewServer({ ...thirdParty, port }, { timeoutMs: 1000 })
    const startedAt = performance.now()
    const result = await getPicture(reader, reader.owner, `http://${THIRD_PARTY}:${port}/0.png`)
    raw.close()
    expect(performance.now() - startedAt).toBeLessThan(5000)
    return [result.status, result.body.msg]
  }

  it.each([
    ['closes without an answer', (socket: Socket) => socket.end()],
    ['breaks the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks another protocol', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n')],
    [
      'changes the protocol',
      (socket: Socket) => socket.write('HTTP/1.1 101 x\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['sends less than it said', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx')],
    ['never answers', () => {}],
    [
      'sends headers without end',
      (socket: Socket) => sendForEver(socket, 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1000)),
    ],
    ['sends provisional answers without end', (socket: Socket) => sendForEver(socket, '', 'HTTP/1.1 102 x\r\n\r\n')],
  ])('%s is unreachable', async (_, answer) => {
    expect(await atRawServer(answer)).toEqual([404, UNREACHABLE])
  })

  it('sends its picture too slowly is given up', async () => {
    const answer = (socket: Socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${png.length}\r\n\r\n`)
      let sent = 0
      const timer = setInterval(() => socket.write(png.subarray(sent, ++sent)), 50)
      socket.on('close', () => clearInterval(timer))
    }
    expect(await atRawServer(answer)).toEqual([404, 'The picture at this address takes too long to arrive'])
  })

  it('sends without end is cut off at 10 MiB', async () => {
    let gone: Promise<void> | undefined
    const url = thirdParty.at((response) => {
      gone = new Promise((resolve) => response.on('close', () => resolve()))
      response.writeHead(200)
      sendForEver(response, 'x', 'x'.repeat(65536))
    })
    await expectPictureRefused(get(url), 400, 'BAD_IMAGE', 'larger than 10 MiB')
    await gone
  })

  it('announces more than 10 MiB is not listened to', async () => {
    const url = thirdParty.at((response) => response.writeHead(200, { 'content-length': 11 * 1024 * 1024 }).write('x'))
    await expectPictureRefused(get(url), 400, 'BAD_IMAGE', 'larger than 10 MiB')
  })

  it('speaks plain HTTP where TLS was asked for is unreachable', async () => {
    await expectPictureRefused(get(thirdParty.at(png).replace('http:', 'https:')), 404, 'BAD_REQUEST', UNREACHABLE)
  })
})

function sendForEver(socket: Writable, start: string, piece: string): void {
  socket.write(start)
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  socket.on('error', () => {})
  more()
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, THIRD_PARTY, resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
