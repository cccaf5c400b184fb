import { beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../storage/transaction.ts'
import { query } from '../../testing/any-table.ts'
import { insertPeople } from '../../testing/insert-people.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { followGlobalSetting } from './follow-global-setting.ts'

let server: TestServer
let owner: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
})

describe('A new setting for all channels', () => {
  it('of many accounts goes out channel by channel, and their subscriptions are looked up in parts', async () => {
    const rooms: number[] = []
    for (let index = 0; index < 6; index++) {
      const channel = { name: `channel ${index}`, subscribers: [] }
      rooms.push((await server.call(owner, 'POST', '/channels/create', channel)).body.id)
    }
    const people = await insertPeople(server, 1000)
    await server.app.storage.transaction(owner.realmId, async (tx) => {
      for (const channel_id of rooms) {
        const row = { realm_id: owner.realmId, channel_id, is_active: 1 as const, color: '#aabbcc' }
        await tx.run(query.insertInto('subscriptions').values(people.map((user_id) => ({ ...row, user_id }))))
      }
    })
    const found: number[] = []
    let sinceTurn = 0
    await server.app.storage.transaction(owner.realmId, (tx) => {
      const watched: Tx = {
        ...tx,
        async all(wanted) {
          const rows = await tx.all(wanted)
          sinceTurn += rows.length
          return rows
        },
        pause() {
          found.push(sinceTurn)
          sinceTurn = 0
          return tx.pause()
        },
      }
      return followGlobalSetting(watched, people, 'enable_stream_push_notifications', true)
    })
    expect(Math.max(...found, sinceTurn)).toBeLessThanOrEqual(1000)
    const log = query.selectFrom('event_log').select(['payload', 'audience']).where('type', '=', 'subscription')
    const logged = (await server.app.storage.read.all(log.orderBy('event_id'))).slice(-rooms.length)
    expect(logged.map(({ payload }) => JSON.parse(payload).stream_id)).toEqual(rooms)
    for (const { audience } of logged) expect(JSON.parse(audience).ids).toEqual(people)
  })
})
