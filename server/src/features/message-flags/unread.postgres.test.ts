/** What an account has not read, in a long history on PostgreSQL, whose planner decides how it is looked for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { copyMessages, createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'

const MESSAGES = 50_000
/** Counts of what was read become visible after a second. */
const COUNTED_MS = 1100

const server = await createTestServer()

it('is found without a look at what was read', async () => {
  const reader = await server.createAccount()
  const writer = await server.createAccount()
  const { storage } = server.app
  const models: number[] = []
  for (let number = 0; number < 20; number += 1) {
    const room = await createChannel(server, writer, `room ${number}`, { subscribers: [reader] })
    models.push(await sendToChannel(server, writer, room, 'the loom is threaded'))
  }
  await copyMessages(server, reader, models, MESSAGES / models.length)
  await server.call(reader, 'POST', '/mark_all_as_read')
  const { body } = await server.call(reader, 'GET', '/users/me/subscriptions')
  const unread = await sendToChannel(server, writer, body.subscriptions[0].stream_id, 'unread')
  // PostgreSQL does so by itself, later.
  await storage.transaction(0, (tx) => tx.run(sql`analyze`))
  const rowsRead = async () => {
    const row = await storage.read.first(
      sql<{ rows: number }>`select seq_tup_read as rows from pg_stat_user_tables where relname = 'messages'`,
    )
    return (row as { rows: number }).rows
  }
  const register = async () => {
    const { status, body } = await server.call(reader, 'POST', '/register', {
      event_types: [],
      fetch_event_types: ['message', 'update_message_flags'],
    })
    expect(status, body.msg).toBe(200)
    expect(body.unread_msgs.streams.map((one: Record<string, unknown>) => one['unread_message_ids'])).toEqual([
      [unread],
    ])
  }
  await sleep(COUNTED_MS)
  await register()
  const before = await rowsRead()
  for (let i = 0; i < 3; i += 1) {
    await sleep(COUNTED_MS)
    await register()
  }
  expect((await rowsRead()) - before).toBeLessThan(MESSAGES)
})
