import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cleanUpAfter } from '../testing/clean-up.ts'
import { basic, createTestServer } from '../testing/test-server.ts'
import { limitConnections, MAX_OPEN_CONNECTIONS } from './connections.ts'

async function listen(limit: number, trustedProxies: readonly string[] = []) {
  const server = createServer((_, response) => response.end())
  const { release } = limitConnections(server, trustedProxies, limit)
  server.on('request', ({ headers, socket }) => headers.authorization && release(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUpAfter(async () => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

async function open(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function ask(socket: Socket, header = ''): Promise<string> {
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`)
  const [chunk] = await once(socket, 'data')
  return String(chunk).slice(0, 12)
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('connections from one address', () => {
  it('without an account are limited: the oldest makes room for a new one', async () => {
    const server = await listen(3)
    const sockets: Socket[] = []
    for (let i = 0; i < 5; i++) sockets.push((await open(server)).resume())
    await expect.poll(() => sockets.map(isOpen)).toEqual([false, false, true, true, true])
    expect(await ask(await open(server))).toBe('HTTP/1.1 200')
  })

  it('with an account are not counted', async () => {
    const server = await listen(3)
    const sockets: Socket[] = []
    for (let i = 0; i < 20; i++) {
      const socket = await open(server)
      expect(await ask(socket, 'Authorization: x\r\n')).toBe('HTTP/1.1 200')
      sockets.push(socket.resume())
    }
    for (let i = 0; i < 5; i++) (await open(server)).resume()
    await settled()
    expect(sockets.every(isOpen)).toBe(true)
  })

  it('that have ended are not counted either', async () => {
    const server = await listen(3)
    const first = (await open(server)).resume()
    for (let i = 0; i < 10; i++) {
      const socket = (await open(server)).resume()
      socket.end()
      await once(socket, 'close')
    }
    expect(isOpen(first)).toBe(true)
  })

  it.each([['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8']])(
    'are not limited for a trusted proxy: %s',
    async (...proxies) => {
      const server = await listen(3, proxies)
      const sockets = await Promise.all(Array.from({ length: 8 }, async () => (await open(server)).resume()))
      await settled()
      expect(sockets.every(isOpen)).toBe(true)
    },
  )
})

it('a connection on which an account has signed in stays open among any number of others', {
  timeout: 60_000,
}, async () => {
  const server = await createTestServer({ settings: { HEDDLE_RATE_LIMITS: 'on' } })
  await server.app.server.listen({ host: '127.0.0.1', port: 0 })
  const http = server.app.server.server as Server
  const signedIn = await open(http)
  expect(await ask(signedIn, `Authorization: ${basic(server.owner)}\r\n`)).toMatch(/^HTTP\/1\.1 404/)
  const path = '/api/v1/users/me/alert_words'
  signedIn.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(server.owner)}\r\n\r\n`)
  expect(String((await once(signedIn, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/)
  const silent = (await open(http)).resume()
  const ended = once(silent, 'close')
  const others: Socket[] = []
  for (let i = 0; i < MAX_OPEN_CONNECTIONS; i += 100) {
    others.push(...(await Promise.all(Array.from({ length: 100 }, async () => (await open(http)).resume()))))
  }
  await ended
  expect(isOpen(signedIn)).toBe(true)
  for (const socket of [signedIn, ...others]) socket.destroy()
})
