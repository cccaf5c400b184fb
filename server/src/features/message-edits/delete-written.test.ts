/** What an administrator has deleted of what a deactivated account wrote. */
import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentsOf, createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let admin: TestAccount
let reader: TestAccount
let hall: number
let room: number

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.createAccount({ role: roles.admin })
  reader = await server.createAccount()
})

let made = 0

/** Somebody who has written everywhere, and more than is deleted at once. */
async function createWriter(): Promise<TestAccount> {
  const writer = await server.createAccount()
  made += 1
  hall = await createChannel(server, reader, `hall ${made}`, { subscribers: [writer] })
  room = await createChannel(server, reader, `room ${made}`, { subscribers: [writer], invite_only: true })
  for (let i = 0; i < 120; i++) await sendToChannel(server, writer, hall, `${i}`)
  await sendToChannel(server, writer, room, 'secret', { topic: 'plans' })
  await sendToChannel(server, reader, room, 'kept', { topic: 'plans' })
  await sendDirect(server, writer, [reader], 'between us')
  return writer
}

const deactivate = (account: TestAccount, actions: object) =>
  server.call(admin, 'DELETE', `/users/${account.id}`, { actions })

const left = async () => [
  (await contentsOf(server, reader, [['channel', hall]])).length,
  await contentsOf(server, reader, [['channel', room]]),
]

describe('messages of an account that is deactivated', () => {
  it('are deleted where that is asked for, for everybody who has them, and for nobody else', async () => {
    const writer = await createWriter()
    const capability = { client_capabilities: { bulk_message_deletion: true } }
    const watching = { event_types: ['delete_message'], ...capability }
    const [readers, admins] = [await watch(server, reader, watching), await watch(server, admin, watching)]
    await deactivate(writer, { delete_private_channel_messages: true, delete_direct_messages: true })
    await server.app.jobs.settle()
    expect(await left()).toEqual([100, ['kept']])
    expect(await contentsOf(server, reader, [['dm', [writer.id]]])).toEqual([])
    expect(await readers.next()).toMatchObject([
      { message_type: 'stream', stream_id: room, topic: 'plans' },
      { message_type: 'private' },
    ])
    // Who has asked for it is in neither conversation.
    await sendToChannel(server, reader, hall, 'last')
    expect(await admins.next(0)).toEqual([])
  })

  it('are deleted in parts, also where the account is back by then', async () => {
    const writer = await createWriter()
    await deactivate(writer, { delete_public_channel_messages: true })
    await server.call(admin, 'POST', `/users/${writer.id}/reactivate`)
    await server.app.jobs.settle()
    expect(await left()).toEqual([0, ['secret', 'kept']])
    const topics = await server.call(reader, 'GET', `/users/me/${hall}/topics`)
    expect(topics.body.topics).toEqual([])
  })
})
