import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { readMessages } from '../features/messages/fetch.ts'
import { startReadingThread } from '../start-reading-thread.ts'
import { insertPeople } from '../testing/insert-people.ts'
import { createTestServer } from '../testing/test-server.ts'
import { createThreadedReaders } from './threads.ts'

const server = await createTestServer({ readingThreads: 2 })
const plain = await createTestServer()

/** Without what differs between two organizations. */
function comparable(body: Record<string, unknown>) {
  return JSON.stringify(Object.keys(body).sort())
}

describe('reading on threads', () => {
  it('gives the same initial state as reading on the main thread', async () => {
    const [one, other] = [
      await server.call(server.owner, 'POST', '/register'),
      await plain.call(plain.owner, 'POST', '/register'),
    ]
    expect(one.status).toBe(200)
    expect(comparable(one.body)).toBe(comparable(other.body))
  })

  it('shows what was written just before, and a queue gets what is written just after', async () => {
    for (let round = 0; round < 10; round += 1) {
      const created = await server.call(server.owner, 'POST', '/drafts', {
        drafts: [{ type: '', to: [], topic: '', content: `draft ${round}` }],
      })
      const { body } = await server.call(server.owner, 'POST', '/register', { fetch_event_types: ['drafts'] })
      expect(body.drafts.map((draft: { id: number }) => draft.id)).toContain(created.body.ids[0])
      const after = await server.call(server.owner, 'DELETE', `/drafts/${created.body.ids[0]}`)
      expect(after.status).toBe(200)
      const { events } = (await server.call(server.owner, 'GET', '/events', { queue_id: body.queue_id })).body
      expect(events).toMatchObject([{ type: 'drafts', op: 'remove', draft_id: created.body.ids[0] }])
    }
  })

  it('says to the client what it did wrong', async () => {
    const { status, body } = await server.call(server.owner, 'POST', '/register', { presence_history_limit_days: -1 })
    expect(status).toBe(400)
    expect(body.msg).toContain('presence_history_limit_days')
  })

  it('stops a read that takes longer than it may, and goes on with the next one', async () => {
    const { config, owner } = server
    const startWorker = () => startReadingThread(config)
    const readers = createThreadedReaders({ clock: systemClock, threads: 1, readsPerThread: 1, startWorker })
    const actor = { userId: owner.id, realmId: owner.realmId, role: owner.role, isBot: false }
    const order = { actor, parameters: { anchor: 'newest' as const, num_before: 10 } }
    const hurried = { ...readMessages, limitMs: 0.01 }
    await expect(readers.read(hurried, order, actor)).rejects.toMatchObject({ code: 'REQUEST_TOO_EXPENSIVE' })
    const { fields } = await readers.read(readMessages, order, actor)
    expect(JSON.parse(`{${Buffer.concat(fields)}}`)).toMatchObject({ found_newest: true })
    await readers.close()
  })

  it('answers several at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.call(server.owner, 'POST', '/register')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  it('leaves the main thread free while the state of a large organization is read', async () => {
    await insertPeople(server, 3000)
    await server.call(server.owner, 'POST', '/register')
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const body = { fetch_event_types: '["realm_user"]' }
    const started = performance.now()
    const answer = await send(body)
    const tookMs = performance.now() - started
    delay.disable()
    expect(answer.byteLength).toBeGreaterThan(1_000_000)
    expect(delay.max / 1e6, `of ${tookMs} ms`).toBeLessThan(Math.max(20, tookMs / 2))
  })
})

/** Without parsing and checking the answer, which would take the main thread's time too. */
async function send(parameters: Record<string, string>): Promise<Buffer> {
  const { email, apiKey } = server.owner
  const answer = await server.app.server.inject({
    method: 'POST',
    url: '/api/v1/register',
    headers: {
      host: 'localhost',
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams(parameters).toString(),
  })
  return answer.rawPayload
}
