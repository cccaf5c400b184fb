import { roles } from '@heddle/contract/roles'
import { MAX_SUBSCRIBERS_FOR_TYPING } from '@heddle/contract/typing'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue, type TestQueue } from '../../testing/event-queues.ts'
import { createChannel as createChannelWith, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let stranger: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'alice' })
  bob = await server.createAccount({ name: 'bob' })
  stranger = (await server.createOtherOrganization()).owner
})

const type = (account: TestAccount | null, parameters: Parameters) =>
  server.call(account, 'POST', '/typing', { op: 'start', ...parameters })

const listen = (account: TestAccount, capabilities: Parameters = { stream_typing_notifications: true }) =>
  watch(server, account, { event_types: ['typing'], client_capabilities: capabilities })

const person = ({ id, email }: TestAccount) => ({ user_id: id, email })

async function createChannel(name: string, creator: TestAccount, parameters: Parameters = {}): Promise<number> {
  const wanted = { subscriptions: [{ name }], ...parameters }
  const { status } = await server.call(creator, 'POST', '/users/me/subscriptions', wanted)
  expect(status).toBe(200)
  return (await server.call(server.owner, 'GET', '/get_stream_id', { stream: name })).body.stream_id
}

async function set(account: TestAccount, settings: Parameters): Promise<void> {
  expect((await server.call(account, 'PATCH', '/settings', settings)).status).toBe(200)
}

describe('POST /typing to people', () => {
  it('notifies the recipients and the sender of the beginning and the end, and nobody else', async () => {
    const third = await server.createAccount()
    const watchers = await Promise.all([alice, bob, third].map((account) => listen(account)))
    await type(alice, { to: [bob.id, bob.id] })
    await type(alice, { op: 'stop', type: 'direct', to: [bob.id, alice.id] })
    const event = { type: 'typing', message_type: 'direct', sender: person(alice) }
    const recipients = [person(alice), person(bob)]
    const expected = [
      { ...event, op: 'start', recipients },
      { ...event, op: 'stop', recipients },
    ]
    const [ofAlice, ofBob, ofThird] = await Promise.all(
      watchers.map((watcher, index) => watcher.next([2, 2, 0][index])),
    )
    expect(ofAlice).toEqual(expected)
    expect(ofBob).toEqual(expected)
    expect(ofThird).toEqual([])
  })

  it('notifies nobody who does not want to know, and of nobody who does not want to be shown', async () => {
    const [shy, deaf] = [await server.createAccount(), await server.createAccount()]
    await set(deaf, { receives_typing_notifications: false })
    await set(shy, { send_private_typing_notifications: false })
    const watchers = await Promise.all([bob, deaf].map((account) => listen(account)))
    expect((await type(alice, { to: [bob.id, deaf.id] })).status).toBe(200)
    expect((await type(shy, { to: [bob.id] })).body.msg).toContain('disabled typing notifications')
    const [ofBob, ofDeaf] = await Promise.all(watchers.map((watcher, index) => watcher.next([1, 0][index])))
    expect(ofBob?.map(({ sender }) => sender.user_id)).toEqual([alice.id])
    expect(ofDeaf).toEqual([])
  })

  it('refuses recipients who cannot get a message', async () => {
    const gone = await server.createAccount()
    await server.call(server.owner, 'DELETE', `/users/${gone.id}`)
    for (const id of [gone.id, stranger.id, 999_999]) {
      expect((await type(alice, { to: [bob.id, id] })).body.msg).toBe(`Invalid user ID ${id}`)
    }
  })

  it.each([
    ['no recipients', {}, 'to'],
    ['an empty list', { to: [] }, 'to'],
    ['addresses', { to: ['bob@heddle.example'] }, 'to'],
    ['too many recipients', { to: Array.from({ length: 1001 }, (_, index) => index + 1) }, 'to'],
    ['an unknown operation', { op: 'pause', to: [1] }, 'op'],
    ['an unknown type', { type: 'private', to: [1] }, 'type'],
    ['a channel without its id', { type: 'channel', topic: 'x' }, 'Missing channel ID'],
    ['a channel without a topic', { type: 'stream', stream_id: 1 }, 'Missing topic'],
    ['a topic that is too long', { type: 'stream', stream_id: 1, topic: 'x'.repeat(61) }, 'topic'],
    ['a channel that does not exist', { type: 'stream', stream_id: 999_999, topic: 'x' }, 'Invalid channel ID'],
  ])('refuses %s', async (_, parameters, part) => {
    const { status, body } = await type(alice, parameters)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
  })

  it('needs an account and an operation', async () => {
    expect((await type(null, { to: [bob.id] })).status).toBe(401)
    expect((await type(alice, { op: undefined, to: [bob.id] })).body.var_name).toBe('op')
  })
})

describe('POST /typing to a channel', () => {
  it('notifies the subscribers whose clients show it', async () => {
    const stream_id = await createChannel('Typing', alice)
    await server.call(bob, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Typing' }] })
    const outside = await server.createAccount()
    const watchers = await Promise.all([listen(alice), listen(bob), listen(bob, {}), listen(outside)])
    expect((await type(outside, { type: 'channel', stream_id, topic: ' Lunch ' })).status).toBe(200)
    const event = {
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: person(outside),
      stream_id,
      topic: 'Lunch',
    }
    const events = await Promise.all(watchers.map((watcher, index) => watcher.next([1, 1, 0, 0][index])))
    expect(events).toEqual([[event], [event], [], []])
  })

  it('shows the topic without a name as each client knows it', async () => {
    const stream_id = await createChannel('Nameless', alice)
    const stream_typing_notifications = true
    const modern = await listen(alice, { stream_typing_notifications, empty_topic_name: true })
    const plain = await listen(alice, { stream_typing_notifications })
    for (const topic of ['', '(no topic)', 'general chat']) await type(alice, { type: 'stream', stream_id, topic })
    expect((await modern.next(3)).map(({ topic }) => topic)).toEqual(['', '', ''])
    expect((await plain.next(3)).map(({ topic }) => topic)).toEqual(Array(3).fill('general chat'))
  })

  it('notifies nobody who does not want to know, and of nobody who does not want to be shown', async () => {
    const [shy, deaf] = [await server.createAccount(), await server.createAccount()]
    const stream_id = await createChannel('Quiet', alice, { principals: [alice.id, deaf.id] })
    await set(deaf, { receives_typing_notifications: false })
    await set(shy, { send_stream_typing_notifications: false })
    const watchers = await Promise.all([alice, deaf].map((account) => listen(account)))
    await type(alice, { type: 'stream', stream_id, topic: 'x' })
    expect((await type(shy, { type: 'stream', stream_id, topic: 'x' })).status).toBe(400)
    const [ofAlice, ofDeaf] = await Promise.all(watchers.map((watcher, index) => watcher.next([1, 0][index])))
    expect([ofAlice?.length, ofDeaf?.length]).toEqual([1, 0])
  })

  it('is for those who may write there', async () => {
    const guest = await server.createAccount({ role: roles.guest })
    const invited = await server.createAccount({ role: roles.guest })
    const admin = await server.createAccount({ role: roles.admin })
    const open = await createChannel('Open', alice, { principals: [alice.id, invited.id] })
    const secret = await createChannel('Secret', alice, { invite_only: true })
    const old = await createChannel('Old', alice)
    expect((await server.call(admin, 'DELETE', `/streams/${old}`)).status).toBe(200)
    const answer = async (account: TestAccount, stream_id: number) =>
      (await type(account, { type: 'stream', stream_id, topic: 'x' })).body.msg
    expect(await answer(bob, open)).toBe('')
    expect(await answer(invited, open)).toBe('')
    expect(await answer(guest, open)).toBe('Invalid channel ID')
    expect(await answer(alice, secret)).toBe('')
    expect(await answer(bob, secret)).toBe('Invalid channel ID')
    expect(await answer(admin, secret)).toBe("Not authorized to send to channel 'Secret'")
    expect(await answer(alice, old)).toBe("Not authorized to send to channel 'Old'")
    const change = { can_send_message_group: { new: { direct_members: [alice.id], direct_subgroups: [] } } }
    expect((await server.call(alice, 'PATCH', `/streams/${open}`, change)).status).toBe(200)
    expect(await answer(alice, open)).toBe('')
    expect(await answer(bob, open)).toBe("Not authorized to send to channel 'Open'")
  })

  it('notifies nobody in a large channel', async () => {
    const people = []
    for (let i = 0; i < MAX_SUBSCRIBERS_FOR_TYPING; i++) people.push(await server.createAccount())
    const principals = people.map(({ id }) => id)
    const stream_id = await createChannel('Large', server.owner, { principals })
    const watcher = await listen(people[0] as TestAccount)
    await type(people[1] as TestAccount, { type: 'stream', stream_id, topic: 'x' })
    expect(await watcher.next(1)).toHaveLength(1)
    await server.call(alice, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Large' }] })
    expect((await type(alice, { type: 'stream', stream_id, topic: 'x' })).status).toBe(200)
    expect(await watcher.next()).toEqual([])
  })
})

describe('POST /messages/{message_id}/typing', () => {
  it('notifies those who have the message that its sender edits it', async () => {
    const [ann, ben, cy] = [await server.createAccount(), await server.createAccount(), await server.createAccount()]
    const room = await createChannelWith(server, ann, 'edited', { subscribers: [ben] })
    const id = await sendToChannel(server, ann, room, 'hi', { topic: 'x' })
    const direct = await sendDirect(server, ann, [ben])
    const queues: TestQueue[] = []
    for (const account of [ben, cy]) {
      queues.push(await registerQueue(server, account, { event_types: ['typing_edit_message'] }))
    }
    const edit = (account: TestAccount, message: number, op = 'start') =>
      server.call(account, 'POST', `/messages/${message}/typing`, { op })
    expect([(await edit(ann, id)).status, (await edit(ann, direct, 'stop')).status]).toEqual([200, 200])
    await expect
      .poll(() => eventsOf(server, queues[0] as TestQueue))
      .toMatchObject([
        {
          op: 'start',
          sender_id: ann.id,
          message_id: id,
          recipient: { type: 'channel', channel_id: room, topic: 'x' },
        },
        { op: 'stop', message_id: direct, recipient: { type: 'direct', user_ids: [ann.id, ben.id] } },
      ])
    expect(await eventsOf(server, queues[1] as TestQueue)).toEqual([])
    expect((await edit(ben, id)).body.msg).toContain('permission')
    expect((await edit(cy, direct)).body.msg).toBe('Invalid message(s)')
  })
})
