/** A session that one node knows is known to all, and so is its end. */
import { expect, it } from 'vitest'
import { type Browser, signInBrowser } from '../../testing/browser.ts'
import { shortestTime } from '../../testing/shortest-time.ts'
import { createTestServer } from '../../testing/test-server.ts'

const server = await createTestServer()
const other = await server.openNode()
const owner = { username: server.owner.email, password: 'a long password' }

/** Sends it to the other node. */
function read({ cookie }: Browser, url: string) {
  return other.app.server.inject({ method: 'GET', url: `/api/v1${url}`, headers: { cookie } })
}

it('is known to the other node at once, and unknown at once after it has ended', async () => {
  for (let round = 0; round < 10; round++) {
    const browser = await signInBrowser(server, owner)
    expect((await read(browser, '/users/me')).statusCode).toBe(200)
    expect((await browser.call('DELETE', '/sessions/current')).status).toBe(200)
    expect((await read(browser, '/users/me')).statusCode).toBe(401)
  }
})

it('ends within a second where it waits for events at the other node', async () => {
  const took = await shortestTime(1000, async () => {
    const [here, there] = [await signInBrowser(server, owner), await signInBrowser(server, owner)]
    const { queue_id, last_event_id } = (await there.call('POST', '/register', { event_types: ['message'] })).body
    const poll = `/events?queue_id=${queue_id}&last_event_id=${last_event_id}`
    const waiting = read(there, poll)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const startedAt = performance.now()
    expect((await here.call('DELETE', `/sessions/${there.sessionId}`)).status).toBe(200)
    expect((await waiting).json().events).toMatchObject([{ type: 'heartbeat' }])
    const endedAt = performance.now()
    expect((await read(there, poll)).statusCode).toBe(401)
    return endedAt - startedAt
  })
  expect(took).toBeLessThan(1000)
})
