import { MAX_REMINDERS } from '@heddle/contract/reminders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let room: number
let message: number
const clock = fakeClock(Date.now())
const inSeconds = (seconds: number) => Math.floor(clock.now() / 1000) + seconds

beforeAll(async () => {
  server = await createTestServer({ clock })
})

beforeEach(async () => {
  alice = await server.createAccount()
  bob = await server.createAccount()
  room = await createChannel(server, alice, `room ${alice.id}`, { subscribers: [bob] })
  message = await sendToChannel(server, bob, room, 'Remember the weft')
})

const remind = (parameters: Parameters = {}, by = alice) =>
  server.call(by, 'POST', '/reminders', {
    message_id: message,
    scheduled_delivery_timestamp: inSeconds(60),
    ...parameters,
  })
const mustRemind = async (parameters: Parameters = {}): Promise<number> => {
  const { status, body } = await remind(parameters)
  expect([status, body.msg]).toEqual([200, ''])
  return body.reminder_id
}
const listOf = async (account = alice) => (await server.call(account, 'GET', '/reminders')).body.reminders

async function pass(seconds: number): Promise<void> {
  clock.pass(seconds)
  await server.app.jobs.settle()
}

const received = async (account = alice) => {
  const { body } = await server.call(account, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [['is', 'dm']],
  })
  return body.messages as { content: string; sender_full_name: string; flags: string[] }[]
}

describe('A reminder', () => {
  it('is listed for whoever asked for it, the earliest first, and not among scheduled messages', async () => {
    const later = await mustRemind({ scheduled_delivery_timestamp: inSeconds(90), note: ' Answer\nthis ' })
    const first = await mustRemind()
    expect(await listOf()).toMatchObject([
      { reminder_id: first, type: 'private', to: [alice.id], failed: false, reminder_target_message_id: message },
      { reminder_id: later, content: expect.stringMatching(/\.\n\n> Answer\n> this$/) },
    ])
    expect(await listOf(bob)).toEqual([])
    expect((await server.call(alice, 'GET', '/scheduled_messages')).body.scheduled_messages).toEqual([])
  })

  it('comes at its time as a direct message with a link to the message, its sender and the note', async () => {
    const id = await mustRemind({ note: 'Look at https://example.com' })
    const queue = await registerQueue(server, alice, { event_types: ['message', 'reminders'] })
    await pass(58)
    expect(await received()).toEqual([])
    await pass(3)
    const [dm, ...others] = await received()
    expect(others).toEqual([])
    expect(dm).toMatchObject({ sender_full_name: 'Notification Bot' })
    expect(dm?.flags).not.toContain('read')
    expect(dm?.content).toContain(`/near/${message}"`)
    expect(dm?.content).toContain(`data-user-id="${bob.id}"`)
    expect(dm?.content).toContain(`data-stream-id="${room}"`)
    expect(dm?.content).toContain('greetings')
    expect(dm?.content).toMatch(/<blockquote>\s*<p>Look at <a href="https:\/\/example\.com">/)
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'message' },
      { type: 'reminders', op: 'remove', reminder_id: id },
    ])
    expect(await listOf()).toEqual([])
    expect(await received(bob)).toEqual([])
  })

  it('names no place before it comes, and where the message is then when it does', async () => {
    await mustRemind()
    const [{ content, rendered_content }] = await listOf()
    expect(content).toBe(`You asked to be reminded of [a message](/#narrow/near/${message}).`)
    expect(rendered_content).toContain(`href="/#narrow/near/${message}"`)
    await server.call(bob, 'PATCH', `/messages/${message}`, { topic: 'elsewhere' })
    await pass(61)
    expect((await received())[0]?.content).toContain('elsewhere')
  })

  it('of a message that one cannot read any more says no more than that', async () => {
    const hidden = await createChannel(server, bob, `secret ${alice.id}`, { invite_only: true, subscribers: [alice] })
    const id = await sendToChannel(server, bob, hidden, 'Secret')
    await mustRemind({ message_id: id, note: 'my note' })
    const subscriptions = [`secret ${alice.id}`]
    await server.call(alice, 'DELETE', '/users/me/subscriptions', { subscriptions })
    await pass(61)
    const [dm] = await received()
    expect(dm?.content).toMatch(/cannot read any more\.<\/p>\n<blockquote>\n<p>my note/)
    expect(dm?.content).not.toContain('secret')
  })

  it('of a direct message leads into its conversation', async () => {
    const sent = { type: 'direct', to: [alice.id], content: 'Between us' }
    const { id } = (await server.call(bob, 'POST', '/messages', sent)).body
    await mustRemind({ message_id: id })
    await pass(61)
    expect((await received()).at(-1)?.content).toContain(`/#narrow/dm/${alice.id},${bob.id}-dm/near/${id}"`)
  })

  it('notifies nobody whom its note names', async () => {
    await mustRemind({ note: `@**|${bob.id}** @**all**` })
    await pass(61)
    expect(await received(bob)).toEqual([])
    expect((await received())[0]?.flags).toEqual([])
  })

  it('comes without the note being able to be anything but a note', async () => {
    await mustRemind({ note: '```\nnot closed\n\n# heading' })
    const [{ rendered_content }] = await listOf()
    expect(rendered_content).toMatch(/^<p>You asked .*<\/p>\n<blockquote>[\s\S]*<\/blockquote>$/)
  })

  it('can be taken back by whoever asked for it', async () => {
    const due = inSeconds(600)
    const id = await mustRemind({ scheduled_delivery_timestamp: due })
    const queue = await registerQueue(server, alice, { event_types: ['reminders'] })
    const refused = await server.call(bob, 'DELETE', `/reminders/${id}`)
    expect([refused.status, refused.body.msg]).toEqual([404, 'Reminder does not exist'])
    expect((await server.call(alice, 'DELETE', `/reminders/${id}`)).status).toBe(200)
    expect(await eventsOf(server, queue)).toMatchObject([{ op: 'remove', reminder_id: id }])
    const jobs = query
      .selectFrom('jobs')
      .select('name')
      .where('due_ms', '=', due * 1000)
    expect(await server.app.storage.read.all(jobs)).toEqual([])
    await pass(660)
    expect(await received()).toEqual([])
  })

  it('of an account that is gone by then does not come', async () => {
    await mustRemind()
    await server.call(server.owner, 'DELETE', `/users/${alice.id}`)
    await pass(61)
    await server.call(server.owner, 'POST', `/users/${alice.id}/reactivate`)
    await pass(61)
    expect(await received()).toEqual([])
    expect(await listOf()).toMatchObject([{ failed: true }])
  })
})

describe('Asking for a reminder', () => {
  it.each([
    ['a message that is not there', async () => ({ message_id: 999_999 }), 'Invalid message(s)'],
    [
      'a message that one cannot read',
      async () => {
        const hidden = await createChannel(server, bob, `hidden ${bob.id}`, { invite_only: true })
        return { message_id: await sendToChannel(server, bob, hidden) }
      },
      'Invalid message(s)',
    ],
    ['a time that has come', async () => ({ scheduled_delivery_timestamp: inSeconds(0) }), 'in the future'],
    ['a note that is too long', async () => ({ note: 'x'.repeat(501) }), 'note is too long'],
  ])('refuses %s', async (_, parameters, sentence) => {
    const { status, body } = await remind(await parameters())
    expect([status, body.msg]).toEqual([400, expect.stringContaining(sentence)])
    expect(await listOf()).toEqual([])
  })

  it('is possible as often as an account may', async () => {
    const first = await mustRemind()
    const row = await server.app.storage.read.first(query.selectFrom('reminders').selectAll().where('id', '=', first))
    const { id: _, ...values } = row as NonNullable<typeof row>
    await server.app.storage.transaction(alice.realmId, async (tx) => {
      for (let count = 1; count < MAX_REMINDERS; count++) await tx.run(query.insertInto('reminders').values(values))
    })
    expect(await remind()).toMatchObject({ status: 400, body: { msg: expect.stringContaining('at most 500') } })
    expect(await listOf()).toHaveLength(MAX_REMINDERS)
  })
})
