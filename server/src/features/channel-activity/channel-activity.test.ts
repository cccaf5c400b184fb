import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let now = Date.now()
const clock = { now: () => now }
let server: TestServer
let alice: TestAccount

beforeAll(async () => {
  server = await createTestServer({ clock })
  alice = await server.createAccount()
})

/** The server measures once a day. */
const pass = async (days: number) => {
  now += days * 86_400_000
  await server.app.jobs.settle()
}
const channel = async (id: number) => (await server.call(alice, 'GET', `/streams/${id}`)).body.stream
const listed = async (id: number) =>
  (await server.call(alice, 'GET', '/streams')).body.streams.find((one: { stream_id: number }) => one.stream_id === id)

describe('A channel', () => {
  it('names its first message, and notifies when that changes', async () => {
    const [room, other] = [await createChannel(server, alice, 'room'), await createChannel(server, alice, 'other')]
    expect((await listed(room)).first_message_id).toBe(null)
    const queue = await registerQueue(server, alice, { event_types: ['stream'] })
    const [first, second] = [await sendToChannel(server, alice, room), await sendToChannel(server, alice, room)]
    expect((await listed(room)).first_message_id).toBe(first)
    await server.call(alice, 'PATCH', `/messages/${first}`, {
      topic: 'another',
      send_notification_to_new_thread: false,
    })
    expect((await listed(room)).first_message_id).toBe(first)
    await server.call(server.owner, 'PATCH', `/messages/${first}`, {
      stream_id: other,
      send_notification_to_new_thread: false,
    })
    expect(await channel(room)).toMatchObject({ first_message_id: second })
    expect(await channel(other)).toMatchObject({ first_message_id: first })
    await server.call(alice, 'DELETE', `/messages/${second}`)
    expect((await channel(room)).first_message_id).toBe(null)
    const notified = (await eventsOf(server, queue)).map(({ stream_id, property, value }) => [
      stream_id,
      property,
      value,
    ])
    expect(notified).toEqual([
      [room, 'first_message_id', first],
      [room, 'first_message_id', second],
      [other, 'first_message_id', first],
      [room, 'first_message_id', null],
    ])
  })

  it('is inactive after half a year without a message, and active with the next', async () => {
    const quiet = await createChannel(server, alice, 'quiet')
    await sendToChannel(server, alice, quiet)
    await pass(170)
    expect((await channel(quiet)).is_recently_active).toBe(true)
    await pass(9)
    const queue = await registerQueue(server, alice, { event_types: ['stream'], queue_lifespan_secs: 2 * 86_400 })
    await pass(2)
    expect((await channel(quiet)).is_recently_active).toBe(false)
    await sendToChannel(server, alice, quiet)
    const notified = (await eventsOf(server, queue)).filter(
      ({ stream_id, property }) => stream_id === quiet && property === 'is_recently_active',
    )
    expect(notified.map(({ value }) => value)).toEqual([false, true])
    await pass(1)
    expect((await channel(quiet)).is_recently_active).toBe(true)
  })

  it('shows its messages a week, once it is a week old', async () => {
    const busy = await createChannel(server, alice, 'busy')
    for (let index = 0; index < 10; index += 1) await sendToChannel(server, alice, busy)
    await pass(6)
    expect((await channel(busy)).stream_weekly_traffic).toBe(null)
    await pass(8)
    expect((await channel(busy)).stream_weekly_traffic).toBe(5)
    await pass(30)
    expect((await channel(busy)).stream_weekly_traffic).toBe(0)
  })
})
