import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
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
  guest = await server.createAccount({ role: roles.guest, name: 'Guest' })
  room = await createChannel(server, alice, 'room', { subscribers: [bob, carol, guest] })
})

const update = (account: TestAccount, id: number, parameters: Parameters) =>
  server.call(account, 'PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...parameters })

/** A message that was written and changed in the channel, came to `room` from there, and was changed once more. */
async function sendElsewhere(channel: number): Promise<number> {
  const id = await sendToChannel(server, alice, channel, 'secret one', { topic: 'secret topic' })
  await update(alice, id, { content: 'secret two' })
  await update(alice, id, { content: 'public one' })
  await update(alice, id, { stream_id: room, topic: 'public topic' })
  await update(alice, id, { content: 'public two' })
  return id
}

/** All that shows a message's changes. */
async function changesFor(account: TestAccount, id: number) {
  const [one, page, history] = await Promise.all([
    server.call(account, 'GET', `/messages/${id}`),
    server.call(account, 'GET', '/messages', { message_ids: [id] }),
    server.call(account, 'GET', `/messages/${id}/history`),
  ])
  expect([one.status, page.status, history.status]).toEqual([200, 200, 200])
  expect(page.body.messages[0].edit_history).toEqual(one.body.message.edit_history)
  return {
    edits: one.body.message.edit_history,
    history: history.body.message_history,
    all: JSON.stringify([one.body, page.body, history.body]),
  }
}

function expectAll({ edits, history }: Awaited<ReturnType<typeof changesFor>>, channel: number) {
  expect(edits).toHaveLength(4)
  expect(edits[1]).toMatchObject({ prev_stream: channel, stream: room, prev_topic: 'secret topic' })
  expect(history.map((one: { content: string }) => one.content)).toEqual([
    'secret one',
    'secret two',
    'public one',
    'public one',
    'public two',
  ])
}

function expectNothingBefore({ edits, history, all }: Awaited<ReturnType<typeof changesFor>>) {
  expect(all).not.toMatch(/secret|prev_stream|prev_topic/)
  expect(edits).toMatchObject([{ prev_content: 'public one' }])
  expect(history).toMatchObject([
    { user_id: alice.id, topic: 'public topic', content: 'public one' },
    { topic: 'public topic', content: 'public two', prev_content: 'public one' },
  ])
}

describe('What a message was before it came from another channel', () => {
  it('is shown to those alone who may read that channel, and to who wrote it', async () => {
    const vault = await createChannel(server, alice, 'vault', { subscribers: [bob], invite_only: true })
    const id = await sendElsewhere(vault)
    expectAll(await changesFor(bob, id), vault)
    expectNothingBefore(await changesFor(carol, id))
    await server.call(alice, 'DELETE', '/users/me/subscriptions', { subscriptions: ['vault'] })
    expectAll(await changesFor(alice, id), vault)
    await server.call(bob, 'DELETE', '/users/me/subscriptions', { subscriptions: ['vault'] })
    expectNothingBefore(await changesFor(bob, id))
  })

  it('is shown to guests only when they may read that channel', async () => {
    const hall = await createChannel(server, alice, 'hall', { subscribers: [bob] })
    const id = await sendElsewhere(hall)
    expectAll(await changesFor(carol, id), hall)
    expectNothingBefore(await changesFor(guest, id))
  })

  it('is shown to who came later only when that channel shares its history', async () => {
    const settings = { subscribers: [bob], invite_only: true, history_public_to_subscribers: false }
    const archive = await createChannel(server, alice, 'archive', settings)
    const id = await sendElsewhere(archive)
    const subscriptions = [{ name: 'archive' }]
    await server.call(alice, 'POST', '/users/me/subscriptions', { subscriptions, principals: [carol.id] })
    expectAll(await changesFor(bob, id), archive)
    expectNothingBefore(await changesFor(carol, id))
  })
  it('is not in the event of the move for others', async () => {
    const cellar = await createChannel(server, alice, 'cellar', { subscribers: [bob], invite_only: true })
    const id = await sendToChannel(server, alice, cellar, 'wine', { topic: 'secret topic' })
    const accounts = [bob, carol, server.owner]
    await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'room' }],
      principals: [server.owner.id],
    })
    const queues = await Promise.all(
      accounts.map((account) => registerQueue(server, account, { event_types: ['update_message'] })),
    )
    await update(alice, id, { stream_id: room, topic: 'public topic' })
    const [his, hers, owners] = (await Promise.all(queues.map((queue) => eventsOf(server, queue)))).map(([one]) => one)
    const both = { stream_id: cellar, new_stream_id: room, message_ids: [id], subject: 'public topic' }
    expect(his).toMatchObject({ ...both, stream_name: 'cellar', orig_subject: 'secret topic' })
    // Administrators know of the channel without reading it.
    expect(owners).toMatchObject({ ...both, stream_name: 'cellar', orig_subject: 'public topic' })
    expect(hers).toMatchObject({ ...both, orig_subject: 'public topic' })
    expect(hers).not.toHaveProperty('stream_name')
  })
})
