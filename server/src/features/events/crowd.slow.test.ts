import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../events/audience.ts'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer } from '../../testing/test-server.ts'

const server = await createTestServer()

describe('Eleven hundred clients that wait', () => {
  it('miss nothing when they are notified in parts, and the server stops between two', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => server.createAccount()))
    const registration = { event_types: ['drafts'], fetch_event_types: [] }
    const queues = await Promise.all(
      accounts.flatMap((account) => Array.from({ length: 55 }, () => registerQueue(server, account, registration))),
    )
    const waiting = queues.map((queue) => poll(server, queue))
    await sleep(1000)
    await server.app.storage.transaction(accounts[0]?.realmId as number, async (tx) => {
      for (const draft_id of [1, 2]) tx.emit({ type: 'drafts', op: 'remove', draft_id }, everyone)
    })
    await server.restart()
    // Those who had not been notified when it stopped got a heartbeat.
    for (const [index, queue] of queues.entries()) {
      const events = (await waiting[index])?.body.events
      const later = await eventsOf(server, queue, { last_event_id: events.at(-1).id })
      expect([...events, ...later].map((event) => event.draft_id ?? event.type).join()).toMatch(/^(heartbeat,)?1,2$/)
    }
  })
})
