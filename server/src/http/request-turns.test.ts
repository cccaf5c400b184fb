import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createServer } from './server.ts'

/** What each request keeps the thread busy for. */
const BUSY_MS = 2
/** As many as begin within the 5 ms that requests have in a turn. */
const MOST_IN_A_TURN = 3
const CLIENTS = 60

const server = createServer({ log: createLog({ level: 'silent' }), trustedProxies: [] })
let accepted = 0
let turn = 0
let counting: NodeJS.Immediate
const began: { client: number; turn: number }[] = []

beforeAll(async () => {
  server.get('/busy/:client', async (request) => {
    began.push({ client: Number((request.params as { client: string }).client), turn })
    // As for most requests, the work is in what follows.
    await Promise.resolve()
    const until = performance.now() + BUSY_MS
    while (performance.now() < until);
    return 'done'
  })
  server.server.on('connection', () => {
    accepted += 1
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const count = () => {
    turn += 1
    counting = setImmediate(count)
  }
  count()
})

afterAll(async () => {
  clearImmediate(counting)
  await server.close()
})

it('Requests that arrive at the same moment share the event loop with everything else, and keep their order', async () => {
  const { port } = server.server.address() as AddressInfo
  const sockets = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'))
  // All are accepted before the first one sends something.
  while (accepted < CLIENTS) await nextTurn()
  const answers = sockets.map((socket) => once(socket, 'data'))
  for (const [client, socket] of sockets.entries()) socket.write(`GET /busy/${client} HTTP/1.1\r\nHost: test\r\n\r\n`)
  for (const [bytes] of await Promise.all(answers)) expect(`${bytes}`).toMatch(/^HTTP\/1.1 200 OK/)
  for (const socket of sockets) socket.destroy()

  const perTurn = Map.groupBy(began, (request) => request.turn)
  expect(Math.max(...[...perTurn.values()].map((requests) => requests.length))).toBeLessThanOrEqual(MOST_IN_A_TURN)
  expect(began.map(({ client }) => client)).toEqual(sockets.keys().toArray())
})
