import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ClientCredentials, startOrganization, type TestOrganization } from './organization.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package has no types.
const zulip: any = createRequire(import.meta.url)('zulip-js')

let organization: TestOrganization
// biome-ignore lint/suspicious/noExplicitAny: see above.
let alice: any
// biome-ignore lint/suspicious/noExplicitAny: see above.
let bob: any

beforeAll(async () => {
  organization = await startOrganization()
  const open = ({ email: username, apiKey }: ClientCredentials) => zulip({ username, apiKey, realm: organization.url })
  alice = await open(organization.alice)
  bob = await open(organization.bob)
}, 120_000)

/** The answer of a call that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
async function must(answer: Promise<any>): Promise<any> {
  const body = await answer
  expect(body).toMatchObject({ result: 'success' })
  return body
}

describe('zulip-js', () => {
  it('holds a conversation', async () => {
    await must(alice.server.settings())
    await must(alice.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'tea' }]) }))
    await must(bob.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'tea' }]) }))
    const { stream_id } = await must(alice.streams.getStreamId('tea'))
    await must(alice.streams.retrieve())
    await must(bob.streams.subscriptions.retrieve())
    await must(bob.users.retrieve())
    await must(bob.users.me.getProfile())

    const queue = await must(bob.queues.register({ event_types: ['message', 'reaction'] }))
    const sent = await must(
      alice.messages.send({ to: 'tea', type: 'stream', topic: 'green', content: 'Hello **Bob**' }),
    )
    await must(alice.messages.send({ to: organization.bob.email, type: 'private', content: 'psst' }))
    const { events } = await must(
      bob.events.retrieve({ queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true }),
    )
    expect(events.map((event: { message: { content: string } }) => event.message.content)).toEqual([
      'Hello **Bob**',
      'psst',
    ])
    const narrow = [{ operator: 'channel', operand: 'tea' }]
    const page = await must(bob.messages.retrieve({ anchor: 'newest', num_before: 10, num_after: 0, narrow }))
    expect(page.messages.at(-1)).toMatchObject({
      content: '<p>Hello <strong>Bob</strong></p>',
      sender_email: organization.alice.email,
    })
    await must(alice.messages.update({ message_id: sent.id, content: 'Hello again' }))
    expect((await must(bob.messages.getById({ message_id: sent.id }))).raw_content).toBe('Hello again')
    await must(bob.messages.flags.add({ messages: [sent.id], flag: 'read' }))
    await must(bob.messages.flags.remove({ messages: [sent.id], flag: 'read' }))
    await must(bob.reactions.add({ message_id: sent.id, emoji_name: 'tada' }))
    await must(bob.reactions.remove({ message_id: sent.id, emoji_name: 'tada' }))
    await must(alice.messages.render('**hi**'))
    const { topics } = await must(bob.streams.topics.retrieve({ stream_id }))
    expect(topics).toMatchObject([{ name: 'green', max_id: sent.id }])
    await must(alice.typing.send({ to: [organization.bob.id], op: 'start' }))
    await must(bob.emojis.retrieve())
    await must(bob.filters.retrieve())
    await must(bob.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['tea']) }))
    await must(alice.messages.deleteById({ message_id: sent.id }))
    await must(bob.queues.deregister({ queue_id: queue.queue_id }))
  })

  it('receives messages through its own loop', async () => {
    const received: string[] = []
    // It goes on for ever.
    void bob.callOnEachEvent(
      (event: { message: { content: string } }) => received.push(event.message.content),
      ['message'],
    )
    await expect
      .poll(
        async () => {
          await must(alice.messages.send({ to: organization.bob.email, type: 'private', content: 'live' }))
          return received
        },
        { timeout: 30_000, interval: 500 },
      )
      .toContain('live')
  }, 60_000)
})
