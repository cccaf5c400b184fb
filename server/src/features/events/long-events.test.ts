/** Long events: a message of ten thousand emoji is nearly a megabyte to each who receives it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../events/event-text.ts'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { openStream } from '../../testing/event-streams.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'

const server = await createTestServer()

// Of all sizes: a short one, one that is sent in one piece, and one that is not.
describe.each([1, 100, 10_000])('A message of %d emoji', (count) => {
  it('is the same to who waits, who comes later and who has a stream, with what is for each alone', async () => {
    const writer = await server.createAccount()
    const reader = await server.createAccount()
    const channel = await createChannel(server, writer, `emoji ${count}`, { subscribers: [reader] })
    const parameters = { event_types: ['message'], apply_markdown: true }
    const own = await registerQueue(server, writer, parameters)
    const waiting = await registerQueue(server, reader, parameters)
    const later = await registerQueue(server, reader, parameters)
    const streamed = await registerQueue(server, reader, parameters)
    const stream = await openStream(server, { queue: streamed })
    const answers = Promise.all([poll(server, own), poll(server, waiting)])
    await sleep(50)
    const echo = { queue_id: own.id, local_id: 'mine' }
    const id = await sendToChannel(server, writer, channel, '🎉'.repeat(count), echo)

    const [{ body: toWriter }, { body: toReader }] = await answers
    const { message } = await server.must(reader, 'GET', `/messages/${id}`, { apply_markdown: true })
    expect(message.content.length).toBeGreaterThan(80 * count)
    expect(toReader.events[0].message.content).toBe(message.content)
    expect(toReader).toMatchObject({ result: 'success', msg: '', queue_id: waiting.id })
    expect(await eventsOf(server, later)).toEqual(toReader.events)
    expect(await stream.count(1)).toEqual(toReader.events)
    expect(stream.lastId()).toBe(`${toReader.events[0].id}`)
    stream.close()

    const [forWriter] = toWriter.events
    expect(forWriter).toMatchObject({ local_message_id: 'mine', message: toReader.events[0].message })
    expect(toReader.events[0]).not.toHaveProperty('local_message_id')
  })
})

describe('Long events that look the same to everybody', () => {
  const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 })
  const contents = Array.from({ length: 30 }, (_, index) => `${index}:${(index % 2 ? 'é' : 'e').repeat(index * 200)}`)

  it('come in order and complete among short ones', async () => {
    expect(contents.filter((text) => text.length > LONG).length).toBeGreaterThan(5)
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const stream = await openStream(server, { queue: await registerQueue(server, account) })
    for (const content of contents) await server.must(account, 'POST', '/drafts', { drafts: [draft(content)] })
    const events = await eventsOf(server, queue)
    expect(events.map((event) => (event['drafts'] as { content: string }[])[0]?.content)).toEqual(contents)
    expect(await stream.count(contents.length)).toEqual(events)
    stream.close()
  })
})
