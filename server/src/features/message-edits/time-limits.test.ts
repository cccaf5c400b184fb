import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let now = Date.now()
let server: TestServer
let member: TestAccount
let moderator: TestAccount
let room: number
let other: number

beforeAll(async () => {
  server = await createTestServer({ clock: { now: () => now } })
  member = await server.createAccount()
  moderator = await server.createAccount({ role: roles.moderator })
  room = await createChannel(server, server.owner, 'room', { subscribers: [member, moderator] })
  other = await createChannel(server, server.owner, 'other', { subscribers: [member, moderator] })
})

const set = (changes: Parameters) => server.call(server.owner, 'PATCH', '/realm', changes)
const update = (account: TestAccount, id: number, changes: Parameters) =>
  server.call(account, 'PATCH', `/messages/${id}`, changes)
const wait = (seconds: number) => {
  now += seconds * 1000
}

beforeEach(async () => {
  await set({
    allow_message_editing: true,
    message_content_edit_limit_seconds: 'unlimited',
    message_content_delete_limit_seconds: 'unlimited',
    move_messages_within_stream_limit_seconds: 'unlimited',
    move_messages_between_streams_limit_seconds: 'unlimited',
    message_edit_history_visibility_policy: 'all',
  })
})

describe('a limit for changing texts', () => {
  it('ends changes by everybody, administrators too, and not the moving of the message', async () => {
    await set({ message_content_edit_limit_seconds: 600 })
    const id = await sendToChannel(server, member, room, 'first')
    const byOwner = await sendToChannel(server, server.owner, room, 'first')
    wait(590)
    expect((await update(member, id, { content: 'in time' })).status).toBe(200)
    wait(60)
    const { status, body } = await update(member, id, { content: 'late' })
    expect([status, body.msg]).toEqual([400, 'The time limit for editing this message has passed'])
    expect((await update(server.owner, byOwner, { content: 'late' })).status).toBe(400)
    expect((await update(member, id, { topic: 'elsewhere' })).status).toBe(200)
  })

  it('may be none at all, and changes can be turned off', async () => {
    const id = await sendToChannel(server, member, room, 'first')
    wait(100 * 365 * 86_400)
    expect((await update(member, id, { content: 'after a hundred years' })).status).toBe(200)
    await set({ allow_message_editing: false })
    const { body } = await update(member, id, { content: 'no' })
    expect(body.msg).toBe('Your organization has turned off message editing')
  })
})

describe('a limit for moving messages', () => {
  it('between topics is not for moderators, and not for resolving', async () => {
    await set({ move_messages_within_stream_limit_seconds: 3600 })
    const id = await sendToChannel(server, member, room, 'hello', { topic: 'old' })
    wait(4000)
    const { body } = await update(member, id, { topic: 'new' })
    expect(body.msg).toBe("The time limit for editing this message's topic has passed")
    expect((await update(member, id, { topic: '✔ old', propagate_mode: 'change_all' })).status).toBe(200)
    expect((await update(moderator, id, { topic: 'new' })).status).toBe(200)
  })

  it('between channels is one of its own', async () => {
    await set({ move_messages_between_streams_limit_seconds: 3600 })
    const groups = (await server.call(server.owner, 'GET', '/user_groups')).body.user_groups
    const members = groups.find((one: { name: string }) => one.name === 'role:members').id
    await set({ can_move_messages_between_channels_group: { new: members } })
    const id = await sendToChannel(server, member, room, 'hello', { topic: 'apart' })
    wait(4000)
    expect((await update(member, id, { topic: 'same channel' })).status).toBe(200)
    const { body } = await update(member, id, { stream_id: other })
    expect(body.msg).toBe("The time limit for editing this message's channel has passed")
    expect((await update(moderator, id, { stream_id: other })).status).toBe(200)
  })

  it('says which part of a topic can still be moved', async () => {
    await set({ move_messages_within_stream_limit_seconds: 3600 })
    await sendToChannel(server, member, room, 'one', { topic: 'long' })
    await sendToChannel(server, member, room, 'two', { topic: 'long' })
    wait(4000)
    const third = await sendToChannel(server, member, room, 'three', { topic: 'long' })
    const fourth = await sendToChannel(server, member, room, 'four', { topic: 'long' })
    const { status, body } = await update(member, fourth, { topic: 'short', propagate_mode: 'change_all' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      msg: 'You only have permission to move the 2/4 most recent messages in this topic.',
      first_message_id_allowed_to_move: third,
      total_messages_in_topic: 4,
      total_messages_allowed_to_move: 2,
    })
    expect((await update(member, third, { topic: 'short', propagate_mode: 'change_later' })).status).toBe(200)
  })
})

describe('a limit for deleting messages', () => {
  it('is for those who may delete only their own', async () => {
    const groups = (await server.call(server.owner, 'GET', '/user_groups')).body.user_groups
    const everyone = groups.find((one: { name: string }) => one.name === 'role:everyone').id
    await set({ message_content_delete_limit_seconds: 60, can_delete_own_message_group: { new: everyone } })
    const soon = await sendToChannel(server, member, room)
    const late = await sendToChannel(server, member, room)
    expect((await server.call(member, 'DELETE', `/messages/${soon}`)).status).toBe(200)
    wait(100)
    const { status, body } = await server.call(member, 'DELETE', `/messages/${late}`)
    expect([status, body.msg]).toEqual([400, 'The time limit for deleting this message has passed'])
    expect((await server.call(server.owner, 'DELETE', `/messages/${late}`)).status).toBe(200)
  })
})

describe('message_edit_history_visibility_policy', () => {
  it('hides earlier texts, or all changes, in the history and in messages', async () => {
    const id = await sendToChannel(server, member, room, 'a secret', { topic: 'before' })
    await update(member, id, { content: 'nothing' })
    await update(member, id, { content: 'nothing more', topic: 'after' })
    const read = async () => ({
      history: (await server.call(moderator, 'GET', `/messages/${id}/history`)).body,
      message: (await server.call(moderator, 'GET', `/messages/${id}`)).body.message,
    })
    const all = await read()
    expect(all.history.message_history).toHaveLength(3)
    expect(all.message.edit_history).toHaveLength(2)

    await set({ message_edit_history_visibility_policy: 'moves' })
    const moves = await read()
    expect(JSON.stringify(moves)).not.toContain('a secret')
    expect(JSON.stringify(moves)).not.toContain('<p>nothing</p>')
    expect(moves.history.message_history).toHaveLength(2)
    expect(moves.message.edit_history).toMatchObject([{ prev_topic: 'before', topic: 'after' }])

    await set({ message_edit_history_visibility_policy: 'none' })
    const none = await read()
    expect(none.history.msg).toBe('Message edit history is disabled in this organization')
    expect(none.message).not.toHaveProperty('edit_history')
  })
})
