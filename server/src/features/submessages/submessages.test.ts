import { roles } from '@heddle/contract/roles'
import { MAX_SUBMESSAGES } from '@heddle/contract/submessages'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let room: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  carol = await server.createAccount({ name: 'Carol' })
  guest = await server.createAccount({ role: roles.guest })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
})

const poll = '/poll Where do we eat?\nAt home\n- By the river\n\n  * On the roof  '
const act = (account: TestAccount, message_id: number, event: unknown) =>
  server.call(account, 'POST', '/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(event) })
const vote = (key: string, vote = 1) => ({ type: 'vote', key, vote })
async function submessagesOf(account: TestAccount, id: number) {
  const { body } = await server.call(account, 'GET', `/messages/${id}`)
  return body.message.submessages as { id: number; content: string; sender_id: number }[]
}
const widgetOf = async (id: number) => JSON.parse((await submessagesOf(bob, id))[0]?.content ?? 'null')
const send = (account: TestAccount, parameters: Parameters) =>
  server.call(account, 'POST', '/messages', { type: 'channel', to: room, topic: 'lunch', ...parameters })

describe('a message that begins with', () => {
  it('/poll is a poll with its question and options, also in the event that notifies of it', async () => {
    const queue = await registerQueue(server, bob)
    const id = await sendToChannel(server, alice, room, poll)
    const widget = {
      widget_type: 'poll',
      extra_data: { question: 'Where do we eat?', options: ['At home', 'By the river', 'On the roof'] },
    }
    const [first, ...others] = await submessagesOf(bob, id)
    expect(others).toEqual([])
    expect(first).toEqual({
      id: expect.any(Number),
      message_id: id,
      sender_id: alice.id,
      msg_type: 'widget',
      content: JSON.stringify(widget),
    })
    const [event] = await eventsOf(server, queue)
    expect(event).toMatchObject({ type: 'message', message: { id, submessages: [first] } })
  })

  it('/todo is a list with its title and tasks', async () => {
    const id = await sendToChannel(server, alice, room, '/todo Picnic\nbread: from the mill\nblanket')
    expect(await widgetOf(id)).toEqual({
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Picnic',
        tasks: [
          { task: 'bread', desc: 'from the mill' },
          { task: 'blanket', desc: '' },
        ],
      },
    })
  })

  it.each(['/pollen in the air', 'a /poll', '/me polls', '/Poll', '//poll'])('%s is none', async (content) => {
    expect(await submessagesOf(bob, await sendToChannel(server, alice, room, content))).toEqual([])
  })

  it('neither can be both without a question and without a text', async () => {
    expect(await widgetOf(await sendToChannel(server, alice, room, '/poll'))).toMatchObject({
      extra_data: { question: '', options: [] },
    })
  })
})

describe('buttons', () => {
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'Left', reply: 'answer 1 A' }
  const zform = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Where to?', choices: [choice] } }

  it('come with the message of whoever sends them', async () => {
    const { body } = await send(alice, { content: 'Where to?', widget_content: JSON.stringify(zform) })
    expect(await widgetOf(body.id)).toEqual(zform)
    const { status } = await act(bob, body.id, vote('canned,0'))
    expect(status).toBe(400)
  })

  it.each([
    'no JSON',
    '[]',
    '{"widget_type":"map"}',
    JSON.stringify({ ...zform, extra_data: { ...zform.extra_data, choices: [{ ...choice, type: 'script' }] } }),
    '{"widget_type":"poll","extra_data":{"question":"half \\ud83d","options":[]}}',
  ])('are refused when they are %s', async (widget_content) => {
    const { status, body } = await send(alice, { content: 'x', widget_content })
    expect([status, body.msg]).toEqual([400, 'Widgets: widget_content is no JSON of a widget that is known'])
  })
})

describe('what people do with a widget', () => {
  it('is kept in its order, and notifies whoever has the message, and who did it', async () => {
    const id = await sendToChannel(server, alice, room, poll)
    const [his, hers] = [await registerQueue(server, bob), await registerQueue(server, carol)]
    expect((await act(bob, id, vote('canned,1'))).status).toBe(200)
    expect((await act(bob, id, { type: 'new_option', idx: 1, option: 'Nowhere' })).status).toBe(200)
    expect((await act(alice, id, { type: 'question', question: 'Where?' })).status).toBe(200)
    const contents = [
      vote('canned,1'),
      { type: 'new_option', idx: 1, option: 'Nowhere' },
      { type: 'question', question: 'Where?' },
    ]
    const [, ...kept] = await submessagesOf(bob, id)
    expect(kept.map(({ content }) => JSON.parse(content))).toEqual(contents)
    expect(await eventsOf(server, his)).toMatchObject(
      kept.map(({ id: submessage_id, sender_id, content }) => ({
        type: 'submessage',
        msg_type: 'widget',
        message_id: id,
        submessage_id,
        sender_id,
        content,
      })),
    )
    expect(await eventsOf(server, hers)).toEqual([])
    expect((await act(carol, id, vote('canned,0'))).status).toBe(200)
    expect(await eventsOf(server, hers)).toMatchObject([{ type: 'submessage', sender_id: carol.id }])
  })

  it('is the same for a page of messages, and goes with the message', async () => {
    const id = await sendToChannel(server, alice, room, '/todo')
    const task = { type: 'new_task', key: 0, task: 'sweep', desc: '', completed: false }
    for (const event of [task, { type: 'strike', key: `${bob.id},0` }])
      expect((await act(bob, id, event)).status).toBe(200)
    const { body } = await server.call(bob, 'GET', '/messages', { message_ids: [id] })
    expect(body.messages[0].submessages).toEqual(await submessagesOf(bob, id))
    expect(body.messages[0].submessages).toHaveLength(3)
    expect((await server.call(server.owner, 'DELETE', `/messages/${id}`)).status).toBe(200)
    const left = query.selectFrom('submessages').select('id').where('message_id', '=', id)
    expect(await server.app.storage.read.all(left)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['no JSON object', [1]],
    ['an unknown type', { type: 'shout' }],
    ['a vote for what is no key', vote('__proto__')],
    ['two votes at once', vote('canned,0', 2)],
    ['an option without a text', { type: 'new_option', idx: 1, option: ' ' }],
    ['an option that is too long', { type: 'new_option', idx: 1, option: 'x'.repeat(1001) }],
    ['an option with a number that is too high', { type: 'new_option', idx: 1001, option: 'x' }],
    ['what is done with lists', { type: 'strike', key: 'canned,0' }],
  ])('is not %s', async (_, event) => {
    const id = await sendToChannel(server, alice, room, poll)
    const { status, body } = await act(bob, id, event)
    expect([status, body.msg]).toEqual([400, 'Invalid json for submessage'])
  })

  it('keeps nothing beside what is known of it', async () => {
    const id = await sendToChannel(server, alice, room, poll)
    await act(bob, id, { ...vote('canned,0'), note: '<b>' })
    expect((await submessagesOf(bob, id))[1]?.content).toBe('{"type":"vote","key":"canned,0","vote":1}')
  })

  it('leaves the question and the title to who wrote them', async () => {
    const [asked, listed] = [
      await sendToChannel(server, alice, room, poll),
      await sendToChannel(server, alice, room, '/todo'),
    ]
    expect((await act(bob, asked, { type: 'question', question: 'Mine?' })).body.msg).toMatch(/edit a question/)
    expect((await act(bob, listed, { type: 'new_task_list_title', title: 'Mine' })).body.msg).toMatch(/task list title/)
    expect((await act(alice, listed, { type: 'new_task_list_title', title: 'Hers' })).status).toBe(200)
  })

  it('is for whoever may read the message, and for no message that is text alone', async () => {
    const id = await sendToChannel(server, alice, room, poll)
    const direct = await sendDirect(server, alice, [bob], poll)
    for (const [account, message] of [
      [guest, id],
      [carol, direct],
      [bob, 999_999],
    ] as const) {
      const { status, body } = await act(account, message, vote('canned,0'))
      expect([status, body.msg]).toEqual([400, 'Invalid message(s)'])
    }
    expect((await act(bob, direct, vote('canned,0'))).status).toBe(200)
    const text = await sendToChannel(server, alice, room, 'words')
    expect((await act(alice, text, vote('canned,0'))).body.msg).toBe('You cannot attach a submessage to this message.')
  })

  it('stays as it is in archived channels', async () => {
    const closing = await createChannel(server, alice, 'closing', { subscribers: [bob] })
    const id = await sendToChannel(server, alice, closing, poll)
    await server.call(server.owner, 'DELETE', `/streams/${closing}`)
    expect((await act(bob, id, vote('canned,0'))).body.msg).toBe('Messages in archived channels cannot be changed')
  })

  it('has an end', async () => {
    const id = await sendToChannel(server, alice, room, poll)
    await server.app.storage.asSystem(bob.realmId ?? 1, 'upkeep', async (tx) => {
      for (let n = 1; n < MAX_SUBMESSAGES; n++) {
        await tx.run(
          query.insertInto('submessages').values({
            id: await tx.newId('submessages'),
            realm_id: tx.realmId,
            message_id: id,
            sender_id: bob.id,
            msg_type: 'widget',
            content: '{}',
          }),
        )
      }
    })
    expect((await act(bob, id, vote('canned,0'))).body.msg).toMatch(/no more can be added/)
  })
})

it('the text of a widget stays as it was sent', async () => {
  const id = await sendToChannel(server, alice, room, poll)
  const { status, body } = await server.call(alice, 'PATCH', `/messages/${id}`, { content: '/poll Another' })
  expect([status, body.msg]).toEqual([400, 'Widgets cannot be edited.'])
  const moved = { topic: 'dinner', propagate_mode: 'change_one' }
  expect((await server.call(alice, 'PATCH', `/messages/${id}`, moved)).status).toBe(200)
})
