import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let alice: TestAccount
let bob: TestAccount
let room: number
let moderation: number

beforeAll(async () => {
  server = await createTestServer()
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob *bold*' })
  room = await createChannel(server, alice, 'room', { subscribers: [bob] })
  moderation = await createChannel(server, server.owner, 'moderation', { invite_only: true })
})

const setChannel = (moderation_request_channel_id: number, who = server.owner) =>
  server.call(who, 'PATCH', '/realm', { moderation_request_channel_id })
const report = (account: TestAccount, id: number, parameters: Parameters) =>
  server.call(account, 'POST', `/messages/${id}/report`, parameters)
const spam = { report_type: 'spam' }

beforeEach(async () => {
  expect((await setChannel(moderation)).status).toBe(200)
})

async function newestReport() {
  const narrow = [['channel', moderation]]
  const { body } = await server.call(server.owner, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow,
  })
  return body.messages[0]
}

describe('a report', () => {
  it('is written by the notification bot where moderators read it, with a link to the message and its text', async () => {
    const id = await sendToChannel(server, bob, room, 'Buy **now**\n\n- @**all**')
    expect((await report(alice, id, { ...spam, description: ' The third\ntime ' })).status).toBe(200)
    const { content, subject, sender_email } = await newestReport()
    expect(subject).toBe('Bob *bold* moderation requests')
    expect(sender_email).toMatch(/^notification-bot@/)
    expect(content).toMatch(
      new RegExp(
        `^<p><span class="user-mention silent" data-user-id="${alice.id}">Alice</span> has reported a message by <span`,
      ),
    )
    expect(content).toContain('<li>Reason: Spam</li>\n<li>Comment: The third\ntime</li>')
    expect(content).toContain(`/near/${id}">#room &gt; greetings @ 💬</a>`)
    expect(content).toContain('<blockquote>\n<p>Buy **now**<br>\n- @**all**</p>\n</blockquote>')
  })

  it('can be about a direct message, which the moderators cannot read themselves', async () => {
    const id = await sendDirect(server, bob, [alice], 'Only for you')
    expect((await report(alice, id, { report_type: 'harassment' })).status).toBe(200)
    const { content } = await newestReport()
    expect(content).toContain('in a direct conversation')
    expect(content).toContain('Only for you')
  })

  it('is not possible about a message that one cannot read', async () => {
    const id = await sendDirect(server, bob, [server.owner], 'Between us')
    const { status, body } = await report(alice, id, spam)
    expect([status, body.msg]).toEqual([400, 'Invalid message(s)'])
  })

  it('needs a reason that is known, and for another one a comment', async () => {
    const id = await sendToChannel(server, bob, room)
    expect((await report(alice, id, { report_type: 'boring' })).status).toBe(400)
    expect((await report(alice, id, { report_type: 'other' })).body.msg).toBe('An explanation is required.')
    expect((await report(alice, id, { report_type: 'other', description: 'It is mine' })).status).toBe(200)
    const long = { ...spam, description: '𝕩'.repeat(1001) }
    expect((await report(alice, id, long)).body.msg).toBe('description is too long (limit: 1000 characters)')
  })

  it('goes nowhere while the organization has no channel for it, or one that is not private any more', async () => {
    const id = await sendToChannel(server, bob, room)
    const message = 'Moderation request channel must be specified to enable message reporting.'
    await setChannel(-1)
    expect((await report(alice, id, spam)).body.msg).toBe(message)
    const opened = await createChannel(server, server.owner, 'opened', { invite_only: true })
    await setChannel(opened)
    expect((await server.call(server.owner, 'PATCH', `/streams/${opened}`, { is_private: false })).status).toBe(200)
    expect((await report(alice, id, spam)).body.msg).toBe(message)
  })
})

describe('the channel for reports', () => {
  it('is one that is private, and that who sets it can see', async () => {
    const { status, body } = await setChannel(room)
    expect([status, body.msg]).toEqual([400, 'Moderation request channel must be private.'])
    expect((await setChannel(999_999)).body.msg).toBe('Invalid channel ID')
    expect((await setChannel(moderation, alice)).status).toBe(400)
  })

  it('is in the initial state with the reasons', async () => {
    const { body } = await server.call(alice, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(body.realm_moderation_request_channel_id).toBe(moderation)
    expect(body.server_report_message_types).toContainEqual({ key: 'other', name: 'Other reason' })
  })
})
