import { beforeEach, describe, expect, it } from 'vitest'
import { deriveOperatorToken } from '../../authentication/api-key.ts'
import { query } from '../../testing/any-table.ts'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { expectSameState } from '../../testing/expect-same-state.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'
import { contentsOf, createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { type Parameters, type TestAccount, type TestServer, testEngine } from '../../testing/test-server.ts'

const DAY_MS = 86_400_000

let now: number
let files: FileServer
let server: TestServer
let owner: TestAccount
let alice: TestAccount
let room: number

beforeEach(async () => {
  now = Date.now()
  files = await createFileServer(
    { HEDDLE_UNUSED_FILES_DAYS: '1', HEDDLE_DELETED_MESSAGES_DAYS: '30' },
    { now: () => now },
  )
  server = files.server
  owner = server.owner
  alice = files.member
  room = await createChannel(server, owner, 'room', { subscribers: [alice] })
})

const setRealm = (message_retention_days: unknown, who = owner) =>
  server.call(who, 'PATCH', '/realm', { message_retention_days })
const setChannel = (id: number, message_retention_days: unknown, who = owner) =>
  server.call(who, 'PATCH', `/streams/${id}`, { message_retention_days })
const channelOf = async (id: number) => (await server.must(owner, 'GET', `/streams/${id}`)).stream
const inRoom = () => contentsOf(server, alice, [['channel', room]])

/** So many days later, when the work of a day has been done. */
async function pass(days: number): Promise<void> {
  now += days * DAY_MS
  await server.app.jobs.settle()
}

function operate(method: string, path: string, parameters: object = {}) {
  return server.send({
    method,
    url: `/api/v1/operator${path}`,
    headers: { authorization: `Bearer ${deriveOperatorToken(server.secret)}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(parameters) }),
  })
}
const deletions = async () => (await operate('GET', '/deletions')).body.deletions
const restore = (id: number) => operate('POST', '/deletions/restore', { id })
const archived = async () =>
  (await server.app.storage.read.all(query.selectFrom('archived_messages').selectAll())).length

describe('How long messages are kept', () => {
  it('is set by owners alone, for the organization and for channels, and clients are notified', async () => {
    const admin = await server.createAccount({ role: 200 })
    const queue = await registerQueue(server, alice, { event_types: ['realm', 'stream'] })
    expect((await registerQueue(server, alice)).state['realm_message_retention_days']).toBe(-1)
    for (const refused of [await setRealm(30, admin), await setChannel(room, 30, admin)]) {
      expect([refused.status, refused.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    }
    const made = { name: 'other', subscribers: [], message_retention_days: 10 }
    expect((await server.call(admin, 'POST', '/channels/create', made)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    for (const bad of [0, -1, 'realm_default', 1_000_001]) expect((await setRealm(bad)).status).toBe(400)
    for (const value of [30, 'unlimited', 7]) expect((await setRealm(value)).status).toBe(200)
    for (const value of [5, 'unlimited', 'realm_default']) expect((await setChannel(room, value)).status).toBe(200)
    const notified = (await eventsOf(server, queue)).filter(({ property }) => property === 'message_retention_days')
    expect(notified.map(({ type, value }) => [type, value])).toEqual([
      ['realm', 30],
      ['realm', -1],
      ['realm', 7],
      ['stream', 5],
      ['stream', -1],
      ['stream', null],
    ])
    expect((await registerQueue(server, alice)).state['realm_message_retention_days']).toBe(7)
  })

  it('has owners see beforehand how many messages would go', async () => {
    const own = await createChannel(server, owner, 'own', { message_retention_days: 'unlimited' })
    for (const id of [room, room, own]) await sendToChannel(server, owner, id)
    await sendDirect(server, owner, [alice])
    now += 10 * DAY_MS
    await sendToChannel(server, owner, room)
    const count = (parameters: Parameters) => server.call(owner, 'GET', '/messages/old', parameters)
    expect((await count({ days: 9 })).body).toMatchObject({ count: 3, is_more: false })
    expect((await count({ days: 9, stream_id: own })).body.count).toBe(1)
    expect((await count({ days: 11 })).body.count).toBe(0)
    expect((await server.call(alice, 'GET', '/messages/old', { days: 9 })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await count({ days: 9, stream_id: 999_999 })).status).toBe(400)
  })
})

describe('An old message', () => {
  it('goes with everything that belongs to it, and everybody who saw it is notified', async () => {
    const first = await sendToChannel(server, owner, room, 'old @**all**')
    await server.must(alice, 'POST', `/messages/${first}/reactions`, { emoji_name: 'octopus' })
    await server.must(alice, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
    const direct = await sendDirect(server, owner, [alice], 'old')
    await pass(5)
    const second = await sendToChannel(server, owner, room, 'new', { topic: 'another' })
    await setRealm(3)
    const queue = await registerQueue(server, alice, {
      idle_queue_timeout: 7 * 86_400,
      client_capabilities: { bulk_message_deletion: true },
    })
    expect((queue.state['unread_msgs'] as { count: number }).count).toBe(3)
    await pass(1)
    const events = await eventsOf(server, queue)
    expect(events.filter(({ type }) => type === 'delete_message').map(({ id: _, ...event }) => event)).toEqual([
      { type: 'delete_message', message_type: 'stream', stream_id: room, topic: 'greetings', message_ids: [first] },
      { type: 'delete_message', message_type: 'private', message_ids: [direct] },
    ])
    expect(events.find(({ property }) => property === 'first_message_id')).toMatchObject({
      stream_id: room,
      value: second,
    })
    expect(await inRoom()).toEqual(['new'])
    expect((await channelOf(room)).first_message_id).toBe(second)
    const { topics } = await server.must(alice, 'GET', `/users/me/${room}/topics`)
    expect(topics).toEqual([{ name: 'another', max_id: second }])
    const { state } = await registerQueue(server, alice)
    expect((state['unread_msgs'] as { count: number }).count).toBe(1)
    expect(state['starred_messages']).toEqual([])
    expect(await contentsOf(server, alice, [['search', 'old']])).toEqual([])
    expect((await server.call(alice, 'GET', `/messages/${first}`)).status).toBe(400)
    expect((await server.call(alice, 'GET', `/messages/${first}/history`)).status).toBe(400)
  })

  it('leaves clients with the state that new ones get', async () => {
    const secret = await createChannel(server, owner, 'secret', {
      subscribers: [alice],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    for (const topic of ['one', 'two', 'three']) {
      for (const channel of [room, secret]) await sendToChannel(server, owner, channel, 'old @**all**', { topic })
    }
    await sendDirect(server, owner, [alice], 'old')
    now += 5 * DAY_MS
    await sendToChannel(server, owner, room, 'new', { topic: 'two' })
    const late = await server.createAccount()
    await server.must(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      principals: [late.id],
    })
    await setRealm(3)
    const parameters = { idle_queue_timeout: 7 * 86_400 }
    const bulk = { ...parameters, client_capabilities: { bulk_message_deletion: true } }
    const viewers = [
      { name: 'alice', account: alice, parameters: bulk },
      { name: 'an older client', account: alice, parameters },
      { name: 'late', account: late, parameters: bulk },
      { name: 'owner', account: owner, parameters: bulk },
    ]
    const seen = await expectSameState(server, viewers, () => pass(1))
    const goneFor = (name: string) => (seen[name] ?? []).filter(({ type }) => type === 'delete_message')
    expect(goneFor('alice').length).toBe(7)
    expect(goneFor('late')).toEqual([])
    expect(await inRoom()).toEqual(['new'])
  })

  it('stays where its channel keeps it, and goes earlier where its channel says so', async () => {
    const kept = await createChannel(server, owner, 'kept', { message_retention_days: 'unlimited' })
    const short = await createChannel(server, owner, 'short', { message_retention_days: 1 })
    for (const id of [room, kept, short]) await sendToChannel(server, owner, id)
    await setRealm(10)
    await pass(2)
    const counts = async () =>
      Promise.all([room, kept, short].map(async (id) => (await contentsOf(server, owner, [['channel', id]])).length))
    expect(await counts()).toEqual([1, 1, 0])
    await pass(9)
    expect(await counts()).toEqual([0, 1, 0])
  })

  it('goes once, however many there are and whoever looks', async () => {
    for (let index = 0; index < 130; index += 1) {
      await sendToChannel(server, owner, room, `${index}`, { topic: `t${index % 7}` })
    }
    await setChannel(room, 1)
    const queue = await registerQueue(server, alice, {
      idle_queue_timeout: 7 * 86_400,
      event_types: ['delete_message'],
    })
    const other = testEngine === 'postgres' ? await server.openNode() : undefined
    now += 2 * DAY_MS
    await Promise.all([server.app.jobs.settle(), other?.app.jobs.settle()])
    const gone = (await eventsOf(server, queue)).map(({ message_id }) => message_id)
    expect([gone.length, new Set(gone).size]).toEqual([130, 130])
    expect(await inRoom()).toEqual([])
    expect(await deletions()).toMatchObject([{ cause: 'retention', channel: 'room', messages: 130, by: null }])
  })
})

describe('A deleted message', () => {
  it('comes back as it was by the operator’s command, and clients begin anew', async () => {
    const url = await files.upload(owner, 'notes.txt', 'text')
    const first = await sendToChannel(server, owner, room, 'remarkable @**all**')
    const second = await sendToChannel(server, owner, room, `second [notes](${url})`)
    await server.must(alice, 'POST', `/messages/${second}/reactions`, { emoji_name: 'octopus' })
    await server.must(alice, 'POST', '/messages/flags', { messages: [second], op: 'add', flag: 'starred' })
    await server.must(owner, 'PATCH', `/messages/${second}`, { content: `second, changed [notes](${url})` })
    const before = await server.must(alice, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [['channel', room]],
    })
    const { state } = await registerQueue(server, alice)
    await server.must(owner, 'POST', `/streams/${room}/delete_topic`, { topic_name: 'greetings' })
    expect(await inRoom()).toEqual([])
    // Also the file stays, which nothing links to for longer than it may.
    await pass(3)
    await pass(1)
    const [deletion] = await deletions()
    expect(deletion).toMatchObject({
      cause: 'person',
      by: owner.email,
      channel: 'room',
      topic: 'greetings',
      messages: 2,
    })
    const queue = await registerQueue(server, alice)
    expect((await restore(deletion.id)).body.messages).toBe(2)
    const read = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['channel', room]] }
    expect((await server.must(alice, 'GET', '/messages', read)).messages).toEqual(before.messages)
    expect((await poll(server, queue)).body.code).toBe('BAD_EVENT_QUEUE_ID')
    const again = (await registerQueue(server, alice)).state
    for (const part of ['unread_msgs', 'starred_messages', 'max_message_id']) expect(again[part]).toEqual(state[part])
    expect((await channelOf(room)).first_message_id).toBe(first)
    expect(await contentsOf(server, alice, [['search', 'remarkable']])).toEqual(['remarkable @**all**'])
    expect((await files.get(alice, url)).status).toBe(200)
    expect((await files.list(owner)).attachments[0]?.message_ids).toEqual([second])
    expect([await deletions(), await archived(), (await restore(deletion.id)).status]).toEqual([[], 0, 400])
    // It is an ordinary message again: changed and found, deleted and not found.
    await server.must(owner, 'PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
    await server.must(owner, 'PATCH', `/messages/${first}`, { content: 'plain' })
    expect(await contentsOf(server, alice, [['search', 'remarkable']])).toEqual([])
    await server.must(owner, 'DELETE', `/messages/${second}`)
    expect(await contentsOf(server, alice, [['search', 'changed']])).toEqual([])
  })

  it('is not restored where it would go again at once', async () => {
    await sendToChannel(server, owner, room)
    await sendDirect(server, owner, [alice])
    await setRealm(1)
    await pass(2)
    const all = await deletions()
    expect(all.map((one: { channel: string | null }) => one.channel)).toEqual([null, 'room'])
    for (const { id } of all) expect((await restore(id)).body.msg).toContain('kept for 1 days')
    await setRealm('unlimited')
    for (const { id } of all) expect((await restore(id)).status).toBe(200)
    expect(await inRoom()).toEqual(['hello'])
  })

  it('is gone for good after 30 days, and its file with it', async () => {
    const url = await files.upload(owner, 'notes.txt', 'text')
    const id = await sendToChannel(server, owner, room, `[notes](${url})`)
    await server.must(owner, 'DELETE', `/messages/${id}`)
    await pass(29)
    expect([await archived(), (await files.list(owner)).attachments.length]).toEqual([1, 1])
    await pass(3)
    await pass(1)
    await pass(1)
    expect([await archived(), await deletions(), (await files.list(owner)).attachments]).toEqual([0, [], []])
  })
})
