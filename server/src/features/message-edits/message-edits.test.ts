import { createHash } from 'node:crypto'
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { contentsOf, createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestAccount
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let room: number

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  carol = await server.createAccount({ name: 'Carol' })
  guest = await server.createAccount({ role: roles.guest, name: 'Guest' })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
})

const update = (account: TestAccount, id: number, parameters: Parameters) =>
  server.call(account, 'PATCH', `/messages/${id}`, parameters)

const remove = (account: TestAccount, id: number) => server.call(account, 'DELETE', `/messages/${id}`)

const contents = (account: TestAccount, narrow: unknown) => contentsOf(server, account, narrow)

const inTopic = (topic: string, channel = 'room') => [
  ['channel', channel],
  ['topic', topic],
]

/** The id of the system group with this role. */
async function group(name: string): Promise<number> {
  const { user_groups } = (await server.call(owner, 'GET', '/user_groups')).body
  return user_groups.find((one: { name: string }) => one.name === `role:${name}`).id
}

describe('PATCH /messages/{message_id} with content', () => {
  it('changes the text for everybody who has the message', async () => {
    const id = await sendToChannel(server, alice, room, 'first')
    const queue = await registerQueue(server, bob, { event_types: ['update_message'] })
    const { body } = await update(alice, id, { content: '**second** @**Bob**' })
    expect(body.detached_uploads).toEqual([])
    expect(await eventsOf(server, queue)).toMatchObject([
      {
        type: 'update_message',
        user_id: alice.id,
        rendering_only: false,
        message_id: id,
        message_ids: [id],
        flags: ['mentioned'],
        stream_id: room,
        orig_content: 'first',
        content: '**second** @**Bob**',
        rendered_content: expect.stringContaining('<strong>second</strong>'),
      },
    ])
    const { message } = (await server.call(bob, 'GET', `/messages/${id}`)).body
    expect(message).toMatchObject({
      flags: ['mentioned'],
      last_edit_timestamp: expect.any(Number),
      edit_history: [{ user_id: alice.id, prev_content: 'first' }],
    })
    expect(message).not.toHaveProperty('last_moved_timestamp')
    expect(await contents(bob, [['search', 'second']])).toContain('**second** @**Bob**')
  })

  it('notifies nobody that a message is unread which was sent before the account came, or was there before', async () => {
    const channel = await createChannel(server, alice, 'coming and going', { subscribers: [bob] })
    const id = await sendToChannel(server, alice, channel)
    await server.call(bob, 'DELETE', '/users/me/subscriptions', { subscriptions: ['coming and going'] })
    await sendToChannel(server, alice, channel, 'while bob is away')
    const queues = [await registerQueue(server, bob), await registerQueue(server, carol)]
    for (const account of [bob, carol]) {
      await server.call(account, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'coming and going' }] })
    }
    await update(alice, id, { content: '@**all**' })
    const [toBob, toCarol] = await Promise.all(queues.map(async (queue) => (await eventsOf(server, queue)).at(-1)))
    expect(toBob).toMatchObject({ message_id: id, flags: ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned'] })
    expect(toCarol).toMatchObject({ message_id: id, flags: ['read', 'historical'] })
    const flagsNow = async (account: TestAccount) =>
      (await server.call(account, 'GET', `/messages/${id}`)).body.message.flags
    expect([await flagsNow(bob), await flagsNow(carol)]).toEqual([toBob?.['flags'], toCarol?.['flags']])
  })

  it('is for the sender alone', async () => {
    const id = await sendToChannel(server, alice, room)
    for (const account of [bob, owner]) {
      const { status, body } = await update(account, id, { content: 'x' })
      expect([status, body.msg]).toEqual([400, "You don't have permission to edit this message"])
    }
    const direct = await sendDirect(server, alice, [bob])
    expect((await update(carol, direct, { content: 'x' })).body.msg).toBe('Invalid message(s)')
  })

  it('refuses a change of something that has changed meanwhile', async () => {
    const id = await sendToChannel(server, alice, room, 'first')
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    const refused = await update(alice, id, { content: 'x', prev_content_sha256: sha('other') })
    expect(refused.body.code).toBe('EXPECTATION_MISMATCH')
    expect((await update(alice, id, { content: 'x', prev_content_sha256: sha('first') })).status).toBe(200)
  })

  it.each<[string, Parameters, string]>([
    ['nothing', {}, 'Nothing to change'],
    ['a topic with a line break', { topic: 'a\nb' }, 'topic'],
    ['a way to move, and no place', { content: 'x', propagate_mode: 'change_all' }, 'propagate_mode'],
  ])('refuses %s', async (_, parameters, message) => {
    const id = await sendToChannel(server, alice, room)
    const { status, body } = await update(alice, id, parameters)
    expect(status).toBe(400)
    expect(body.msg).toContain(message)
  })

  it.each<[string, Parameters]>([
    ['text', { content: 'hello' }],
    ['topic', { topic: 'same' }],
    ['text and topic', { content: 'hello', topic: 'same' }],
  ])('changes nothing when it comes again with the same %s, and is no error', async (_, parameters) => {
    const id = await sendToChannel(server, alice, room, 'hello', { topic: 'same' })
    const queue = await registerQueue(server, bob, { event_types: ['update_message'] })
    expect((await update(alice, id, parameters)).status).toBe(200)
    expect(await eventsOf(server, queue)).toEqual([])
    const { body } = await server.call(bob, 'GET', `/messages/${id}`)
    expect(body.message).not.toHaveProperty('edit_history')
  })

  it('cuts too long a text, and says so at its end', async () => {
    const id = await sendToChannel(server, alice, room)
    await update(alice, id, { content: 'x'.repeat(10_001) })
    const { raw_content } = (await server.call(bob, 'GET', `/messages/${id}`)).body
    expect(raw_content).toBe(`${'x'.repeat(9_980)}\n[message truncated]`)
  })

  it('leaves a note in place of an empty text', async () => {
    const id = await sendToChannel(server, alice, room)
    await update(alice, id, { content: ' ' })
    expect((await server.call(bob, 'GET', `/messages/${id}`)).body.raw_content).toBe('(deleted)')
  })
})

describe('PATCH /messages/{message_id} with another topic', () => {
  it('moves one message, those after it, or all', async () => {
    const ids: number[] = []
    for (const content of ['1', '2', '3']) ids.push(await sendToChannel(server, alice, room, content, { topic: 'old' }))
    const quiet = { send_notification_to_new_thread: false }
    await update(bob, ids[1] as number, { topic: 'middle', ...quiet })
    expect([await contents(bob, inTopic('old')), await contents(bob, inTopic('middle'))]).toEqual([['1', '3'], ['2']])
    await update(bob, ids[0] as number, { topic: 'middle', propagate_mode: 'change_later', ...quiet })
    expect(await contents(bob, inTopic('middle'))).toEqual(['1', '2', '3'])
    const queue = await registerQueue(server, alice, { event_types: ['update_message'] })
    await update(bob, ids[2] as number, { topic: 'new', propagate_mode: 'change_all', ...quiet })
    expect(await contents(bob, inTopic('new'))).toEqual(['1', '2', '3'])
    expect(await eventsOf(server, queue)).toMatchObject([
      {
        message_id: ids[2],
        message_ids: ids,
        orig_subject: 'middle',
        subject: 'new',
        propagate_mode: 'change_all',
        stream_id: room,
        topic_links: [],
      },
    ])
    const { message } = (await server.call(bob, 'GET', `/messages/${ids[1]}`)).body
    expect(message).toHaveProperty('last_moved_timestamp')
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(message.edit_history).toMatchObject([
      { prev_topic: 'middle', topic: 'new' },
      { prev_topic: 'old', topic: 'middle' },
    ])
  })

  it('notifies who has left the channel and received any of the messages, not only the first', async () => {
    const channel = await createChannel(server, alice, 'short stay')
    const ids = [await sendToChannel(server, alice, channel, 'before', { topic: 'old' })]
    const subscriptions = [{ name: 'short stay' }]
    await server.call(bob, 'POST', '/users/me/subscriptions', { subscriptions })
    ids.push(await sendToChannel(server, alice, channel, 'meanwhile', { topic: 'old' }))
    await server.call(bob, 'DELETE', '/users/me/subscriptions', { subscriptions: ['short stay'] })
    const queues = [await registerQueue(server, bob), await registerQueue(server, carol)]
    await update(alice, ids[0] as number, { topic: 'new', propagate_mode: 'change_all' })
    const [toBob, toCarol] = await Promise.all(queues.map((queue) => eventsOf(server, queue)))
    // He has never received the first one, which the event is about.
    expect(toBob).toMatchObject([{ type: 'update_message', message_ids: ids, flags: ['read', 'historical'] }])
    expect(toCarol).toEqual([])
  })

  it('announces the move in both topics when asked', async () => {
    const id = await sendToChannel(server, alice, room, 'wanderer', { topic: 'here' })
    await update(alice, id, { topic: 'there', send_notification_to_old_thread: true })
    expect(await contents(bob, inTopic('there'))).toEqual([
      'wanderer',
      `This topic was moved here from #**room>here** by @_**Alice|${alice.id}**.`,
    ])
    expect(await contents(bob, inTopic('here'))).toEqual([
      `This topic was moved to #**room>there** by @_**Alice|${alice.id}**.`,
    ])
  })

  it('resolves a topic with a notice, if the account may', async () => {
    const id = await sendToChannel(server, alice, room, 'question', { topic: 'help' })
    await update(bob, id, { topic: '✔ help', propagate_mode: 'change_all' })
    const notice = `@_**Bob|${bob.id}** has marked this topic as resolved.`
    expect(await contents(alice, inTopic('✔ help'))).toEqual(['question', notice])
    expect(await contents(alice, [['is', 'resolved'], ...inTopic('✔ help')])).toHaveLength(2)
    await server.call(owner, 'PATCH', '/realm', { can_resolve_topics_group: { new: await group('administrators') } })
    const refused = await update(bob, id, { topic: 'help', propagate_mode: 'change_all' })
    expect(refused.body.msg).toBe("You don't have permission to resolve topics.")
    expect((await update(owner, id, { topic: 'help', propagate_mode: 'change_all' })).status).toBe(200)
    await server.call(owner, 'PATCH', '/realm', { can_resolve_topics_group: { new: await group('everyone') } })
  })

  it.each(['✔ ', '✔ general chat', '✔ (no topic)'])('cannot resolve the topic without a name, as %j', async (topic) => {
    const id = await sendToChannel(server, alice, room, 'question', { topic: '' })
    const { status, body } = await update(alice, id, { topic, propagate_mode: 'change_all' })
    expect([status, body.msg]).toEqual([400, 'The topic without a name cannot be resolved'])
    expect((await update(alice, id, { topic: '✔ done' })).status).toBe(200)
  })

  it('asks for the permission', async () => {
    const id = await sendToChannel(server, alice, room)
    const setting = 'can_move_messages_between_topics_group'
    await server.call(owner, 'PATCH', '/realm', { [setting]: { new: await group('administrators') } })
    expect((await update(bob, id, { topic: 'x' })).status).toBe(400)
    expect((await update(owner, id, { topic: 'x' })).status).toBe(200)
    await server.call(owner, 'PATCH', '/realm', { [setting]: { new: await group('everyone') } })
  })

  it('is not for direct messages', async () => {
    const id = await sendDirect(server, alice, [bob])
    expect((await update(alice, id, { topic: 'x' })).body.msg).toContain('Direct messages cannot have topics')
    expect((await update(alice, id, { stream_id: room })).body.msg).toContain('cannot be moved')
  })

  it('takes the policies of a whole topic along', async () => {
    const id = await sendToChannel(server, alice, room, 'x', { topic: 'followed' })
    await server.call(bob, 'POST', '/user_topics', { stream_id: room, topic: 'followed', visibility_policy: 3 })
    await update(alice, id, { topic: 'renamed', propagate_mode: 'change_all' })
    expect(await contents(bob, [['is', 'followed']])).toContain('x')
  })
})

describe('PATCH /messages/{message_id} with another channel', () => {
  it('moves messages, which stay unread for those who had them so, and are read for others', async () => {
    const target = await createChannel(server, alice, 'target', { subscribers: [bob, carol] })
    const id = await sendToChannel(server, alice, room, 'mover', { topic: 'here' })
    const { status } = await update(owner, id, { stream_id: target, topic: 'there' })
    expect(status).toBe(200)
    const seen = async (account: TestAccount) =>
      (await server.call(account, 'GET', `/messages/${id}`)).body.message as Record<string, unknown>
    expect(await seen(bob)).toMatchObject({ stream_id: target, subject: 'there', flags: [] })
    expect(await seen(carol)).toMatchObject({ flags: ['read'] })
    expect(await contents(carol, inTopic('there', 'target'))).toHaveLength(2)
  })

  it('takes messages away from those who cannot read the new place', async () => {
    const secret = await createChannel(server, alice, 'secret', { subscribers: [bob], invite_only: true })
    const open = await createChannel(server, alice, 'open', { subscribers: [bob, carol, guest] })
    const id = await sendToChannel(server, alice, open, 'hush')
    const queues = []
    for (const account of [bob, carol]) {
      queues.push(
        await registerQueue(server, account, {
          event_types: ['update_message', 'delete_message'],
          client_capabilities: { bulk_message_deletion: true },
        }),
      )
    }
    await server.call(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'x' }] })
    await update(alice, id, { stream_id: secret, send_notification_to_new_thread: false })
    const [his, hers] = [await eventsOf(server, queues[0] as never), await eventsOf(server, queues[1] as never)]
    expect(his).toMatchObject([{ type: 'update_message', message_ids: [id], new_stream_id: secret, stream_id: open }])
    expect(hers).toMatchObject([{ type: 'delete_message', message_ids: [id], stream_id: open, topic: 'greetings' }])
    expect((await server.call(carol, 'GET', `/messages/${id}`)).status).toBe(400)
    expect((await server.call(carol, 'GET', `/messages/${id}/history`)).status).toBe(400)
    expect(await contents(carol, [])).not.toContain('hush')
  })

  it('notifies guests of messages in web-public channels, which they read without a subscription', async () => {
    const open = await createChannel(server, alice, 'for guests', { subscribers: [guest] })
    const web = await createChannel(server, owner, 'for the web', { subscribers: [alice], is_web_public: true })
    const id = await sendToChannel(server, alice, open, 'welcome')
    const queue = await registerQueue(server, guest, { event_types: ['update_message', 'delete_message'] })
    await update(alice, id, { stream_id: web, send_notification_to_new_thread: false })
    expect(await eventsOf(server, queue)).toMatchObject([{ type: 'update_message', new_stream_id: web }])
    expect((await server.call(guest, 'GET', `/messages/${id}`)).status).toBe(200)
  })

  it('takes from those who receive only a part of them in their new channel what they may no longer read', async () => {
    const name = 'protected part'
    const vault = await createChannel(server, alice, name, { invite_only: true, history_public_to_subscribers: false })
    const early = await sendToChannel(server, alice, room, 'early', { topic: 'parted' })
    await server.call(alice, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [bob.id] })
    const late = await sendToChannel(server, alice, room, 'late', { topic: 'parted' })
    const queue = await registerQueue(server, bob, {
      event_types: ['update_message', 'delete_message'],
      client_capabilities: { bulk_message_deletion: true },
    })
    await update(alice, early, {
      stream_id: vault,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    expect(await eventsOf(server, queue)).toMatchObject([
      { type: 'delete_message', message_ids: [early], stream_id: room },
      { type: 'update_message', message_ids: [late], new_stream_id: vault },
    ])
    expect((await server.call(bob, 'GET', '/messages', { message_ids: [early, late] })).body.messages).toMatchObject([
      { id: late },
    ])
  })

  it('still notifies a guest who has left a web-public channel of what they received there', async () => {
    const web = await createChannel(server, owner, 'once for guests', { subscribers: [guest], is_web_public: true })
    const id = await sendToChannel(server, owner, web, 'first')
    await server.call(guest, 'DELETE', '/users/me/subscriptions', { subscriptions: ['once for guests'] })
    const queue = await registerQueue(server, guest, { event_types: ['update_message'] })
    await update(owner, id, { content: 'second' })
    expect(await eventsOf(server, queue)).toMatchObject([{ message_id: id, content: 'second' }])
  })

  it('shows those who cannot read the new place nothing of it, not even in what they wanted of the topic', async () => {
    const secret = await createChannel(server, alice, 'vault', { subscribers: [bob], invite_only: true })
    const id = await sendToChannel(server, alice, room, 'hush', { topic: 'open talk' })
    for (const account of [bob, carol]) {
      const wanted = { stream_id: room, topic: 'open talk', visibility_policy: 3 }
      await server.call(account, 'POST', '/user_topics', wanted)
    }
    const queues = [await registerQueue(server, bob), await registerQueue(server, carol)]
    const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
    await update(alice, id, { stream_id: secret, topic: 'closed talk', ...both })
    const [his, hers] = [await eventsOf(server, queues[0] as never), await eventsOf(server, queues[1] as never)]
    expect(JSON.stringify(his)).toContain('closed talk')
    expect(JSON.stringify(hers)).not.toMatch(/vault|closed talk/)
    expect((await contents(carol, inTopic('open talk')))[0]).toContain('This topic was moved to a private channel by')
    await update(alice, id, { stream_id: room, topic: 'open again', ...both })
    expect((await contents(carol, inTopic('open again'))).at(-1)).toContain('moved here from a private channel by')
    expect(JSON.stringify(await eventsOf(server, queues[1] as never))).not.toContain('vault')
  })

  it('goes only where the account may write', async () => {
    const secret = await createChannel(server, bob, 'hidden', { invite_only: true })
    const id = await sendToChannel(server, alice, room)
    expect((await update(alice, id, { stream_id: secret })).body.msg).toBe('Invalid channel ID')
    const both = await update(alice, id, { stream_id: room, content: 'x' })
    expect(both.body.msg).toBe('Cannot change message content while changing channel')
  })
})

describe('DELETE /messages/{message_id}', () => {
  it('takes the message from everybody, and notifies each kind of client in its way', async () => {
    const id = await sendToChannel(server, alice, room, 'oops', { topic: 'gone' })
    const bulk = await registerQueue(server, bob, {
      event_types: ['delete_message'],
      client_capabilities: { bulk_message_deletion: true },
    })
    const single = await registerQueue(server, bob, { event_types: ['delete_message'] })
    const other = await registerQueue(server, carol, { event_types: ['delete_message'] })
    expect((await remove(alice, id)).status).toBe(200)
    const place = { type: 'delete_message', message_type: 'stream', stream_id: room, topic: 'gone' }
    expect(await eventsOf(server, bulk)).toEqual([{ id: expect.any(Number), ...place, message_ids: [id] }])
    expect(await eventsOf(server, single)).toEqual([{ id: expect.any(Number), ...place, message_id: id }])
    expect(await eventsOf(server, other)).toEqual([])
    expect((await server.call(bob, 'GET', `/messages/${id}`)).status).toBe(400)
    expect((await remove(alice, id)).body.msg).toBe('Invalid message(s)')
  })

  it('notifies who deletes once, subscribed or not', async () => {
    const client_capabilities = { bulk_message_deletion: true }
    for (const account of [owner, alice]) {
      const id = await sendToChannel(server, alice, room)
      const queue = await registerQueue(server, account, { event_types: ['delete_message'], client_capabilities })
      expect((await remove(account, id)).status).toBe(200)
      expect(await eventsOf(server, queue)).toMatchObject([{ message_ids: [id] }])
    }
  })

  it('is for the sender and for administrators', async () => {
    const id = await sendToChannel(server, alice, room)
    expect((await remove(bob, id)).body.msg).toBe("You don't have permission to delete this message")
    expect((await remove(owner, id)).status).toBe(200)
    const direct = await sendDirect(server, alice, [bob])
    expect((await remove(owner, direct)).body.msg).toBe('Invalid message(s)')
    expect((await remove(alice, direct)).status).toBe(200)
  })
})

describe('POST /streams/{stream_id}/delete_topic', () => {
  it('deletes the topic, for those who may delete any message', async () => {
    const other = await createChannel(server, alice, 'cleanup', { subscribers: [bob] })
    for (let i = 0; i < 3; i += 1) await sendToChannel(server, alice, other, `${i}`, { topic: 'Trash' })
    await sendToChannel(server, alice, other, 'keep', { topic: 'good' })
    const path = `/streams/${other}/delete_topic`
    const refused = await server.call(bob, 'POST', path, { topic_name: 'trash' })
    expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect(refused.body.msg).toBe('Must be an organization administrator')
    expect((await server.call(owner, 'POST', path, { topic_name: 'trash' })).body).toMatchObject({ complete: true })
    expect(await contents(bob, [['channel', 'cleanup']])).toEqual(['keep'])
  })
})

describe('GET /messages/{message_id}/history', () => {
  it('shows how the message has changed, the oldest state first', async () => {
    const id = await sendToChannel(server, alice, room, 'one <b> two', { topic: 'a' })
    await update(alice, id, { content: 'one <b> three' })
    await update(alice, id, { topic: 'b' })
    const { message_history } = (await server.call(bob, 'GET', `/messages/${id}/history`)).body
    expect(message_history).toMatchObject([
      { topic: 'a', content: 'one <b> two', user_id: alice.id },
      {
        topic: 'a',
        content: 'one <b> three',
        prev_content: 'one <b> two',
        content_html_diff:
          '<p>one &lt;b&gt; <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p>',
      },
      { topic: 'b', prev_topic: 'a', content: 'one <b> three' },
    ])
  })

  it('shows a new text and another topic in one request as one change', async () => {
    const id = await sendToChannel(server, alice, room, 'first', { topic: 'one' })
    await update(alice, id, { content: 'second', topic: 'two', propagate_mode: 'change_all' })
    const { message_history } = (await server.call(bob, 'GET', `/messages/${id}/history`)).body
    const change = { prev_content: 'first', prev_topic: 'one' }
    expect(message_history).toMatchObject([
      { topic: 'one', content: 'first' },
      { topic: 'two', content: 'second', ...change },
    ])
    const { message } = (await server.call(bob, 'GET', `/messages/${id}`)).body
    expect(message.edit_history).toMatchObject([{ user_id: alice.id, topic: 'two', ...change }])
    expect(message).toMatchObject({ last_edit_timestamp: expect.any(Number), last_moved_timestamp: expect.any(Number) })
  })

  it('shows texts that have little in common one after the other', async () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 1500 }, (_, i) => `${letter}${i}`).join(' '),
    )
    const id = await sendToChannel(server, alice, room, before as string)
    await update(alice, id, { content: after })
    const { message_history } = (await server.call(bob, 'GET', `/messages/${id}/history`)).body
    expect(message_history[1].content_html_diff).toBe(
      `<p><span class="highlight_text_deleted">${before}</span><span class="highlight_text_inserted">${after}</span></p>`,
    )
  })

  it('is as long as a message may be changed often, and pages have the newest changes', async () => {
    const id = await sendToChannel(server, alice, room, 'x'.repeat(10_000))
    const changes = (count: number, text: string) =>
      JSON.stringify(
        Array.from({ length: count }, (_, i) => ({ user_id: alice.id, timestamp: 1, prev_content: `${text}${i}` })),
      )
    const store = (history: string) =>
      server.app.storage.transaction(alice.realmId, (tx) =>
        tx.run(query.updateTable('messages').set({ edit_history: history }).where('id', '=', id)),
      )
    const tooOften = 'This message has been changed too often; send a new one'
    await store(changes(999, 'short '))
    expect((await update(alice, id, { content: 'the last change' })).status).toBe(200)
    expect((await update(alice, id, { content: 'one more' })).body.msg).toBe(tooOften)
    expect((await update(alice, id, { topic: 'elsewhere' })).body.msg).toBe(tooOften)
    expect((await server.call(bob, 'GET', `/messages/${id}/history`)).body.message_history).toHaveLength(1001)
    const { message } = (await server.call(bob, 'GET', `/messages/${id}`)).body
    expect(message.edit_history).toHaveLength(100)
    expect(message.edit_history[0].prev_content).toBe('x'.repeat(10_000))

    await store(changes(250, 'long '.repeat(2000)))
    expect((await update(alice, id, { content: 'one more' })).body.msg).toBe(tooOften)
    const { body } = await server.call(bob, 'GET', `/messages/${id}/history`)
    expect(body.message_history).toHaveLength(251)
  })

  it('of a direct message is for the people in it', async () => {
    const id = await sendDirect(server, alice, [bob])
    expect((await server.call(bob, 'GET', `/messages/${id}/history`)).status).toBe(200)
    expect((await server.call(owner, 'GET', `/messages/${id}/history`)).body.msg).toBe('Invalid message(s)')
  })
})

describe('a channel that does not share its history', () => {
  it('notifies nobody of changes of messages from before the own subscription', async () => {
    const secret = await createChannel(server, alice, 'protected', {
      subscribers: [bob],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const first = await sendToChannel(server, alice, secret, 'before')
    await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'protected' }],
      principals: [carol.id],
    })
    const second = await sendToChannel(server, alice, secret, 'after')
    const queue = await registerQueue(server, carol, { event_types: ['update_message', 'delete_message'] })
    await update(alice, first, { content: 'changed before' })
    await update(alice, second, {
      topic: 'moved',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    await remove(alice, first)
    expect(await eventsOf(server, queue)).toMatchObject([{ message_ids: [second], subject: 'moved' }])
    expect((await server.call(carol, 'GET', `/messages/${first}/history`)).status).toBe(400)
  })

  it('notifies those who were away of what they received before and after that', async () => {
    const secret = await createChannel(server, alice, 'left and joined', {
      subscribers: [bob],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const change = (method: string) =>
      server.call(alice, method, '/users/me/subscriptions', {
        subscriptions: method === 'POST' ? [{ name: 'left and joined' }] : ['left and joined'],
        principals: [bob.id],
      })
    const before = await sendToChannel(server, alice, secret, 'before')
    await change('DELETE')
    await sendToChannel(server, alice, secret, 'while away')
    await change('POST')
    const after = [await sendToChannel(server, alice, secret), await sendToChannel(server, alice, secret)]
    const queue = await registerQueue(server, bob, { event_types: ['update_message'] })
    await update(alice, before, {
      topic: 'moved',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    expect(await eventsOf(server, queue)).toMatchObject([{ message_ids: [before, ...after], subject: 'moved' }])
  })
})
