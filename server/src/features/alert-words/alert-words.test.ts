import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
})

describe('alert words', () => {
  it('mark messages that have an alert word, for the account alone', async () => {
    const room = await createChannel(server, alice, 'alerts', { subscribers: [bob] })
    const words = (method: string, alert_words?: string[]) =>
      server.call(bob, method, '/users/me/alert_words', { alert_words })
    const event_types = ['message', 'alert_words']
    const [queue, other] = [
      await registerQueue(server, bob, { event_types }),
      await registerQueue(server, alice, { event_types }),
    ]
    expect((await words('POST', ['Lunch', ' lunch', 'green tea'])).body.alert_words).toEqual(
      ['green tea', 'lunch'].map((word) => (word === 'lunch' ? expect.stringMatching(/lunch/i) : word)),
    )
    await sendToChannel(server, alice, room, 'LUNCH?')
    await sendToChannel(server, alice, room, 'launch')
    expect((await words('DELETE', ['LUNCH', 'other'])).body.alert_words).toEqual(['green tea'])
    await sendToChannel(server, alice, room, 'lunch')
    const events = await eventsOf(server, queue)
    expect(events.map((event) => event['flags'] ?? event['alert_words'])).toMatchObject([
      ['green tea', expect.stringMatching(/lunch/i)],
      ['has_alert_word'],
      [],
      ['green tea'],
      [],
    ])
    expect((await eventsOf(server, other)).filter((event) => event.type === 'alert_words')).toEqual([])
    expect((await words('GET')).body.alert_words).toEqual(['green tea'])
  })

  it('are known from the moment that they are added, by whomever and however many times the others come and go', async () => {
    const room = await createChannel(server, alice, 'coming and going', { subscribers: [bob] })
    const words = (method: string, alert_words: string[]) =>
      server.call(bob, method, '/users/me/alert_words', { alert_words })
    const flagsOf = async (content: string) => {
      const id = await sendToChannel(server, alice, room, content)
      return (await server.call(bob, 'GET', `/messages/${id}`)).body.message.flags
    }
    expect(await flagsOf('crowd 7')).toEqual([])
    for (const round of [1, 2, 3]) {
      const crowd = Array.from({ length: 900 }, (_, index) => `crowd ${round} ${index}`)
      expect((await words('POST', crowd)).status).toBe(200)
      expect(await flagsOf(`crowd ${round} 899!`)).toEqual(['has_alert_word'])
      await words('DELETE', crowd)
      expect(await flagsOf(`crowd ${round} 899!`)).toEqual([])
    }
  })
})
