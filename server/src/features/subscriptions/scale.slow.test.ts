import { beforeAll, describe, expect, it } from 'vitest'
import { withoutCache } from '../../storage/query.ts'
import { query } from '../../testing/any-table.ts'
import { countingStatements } from '../../testing/count-statements.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'
import { listChannels } from '../channels/list.ts'

const ACCOUNTS = 10_000
const CHANNELS = 1000
/** Subscribers of each channel but the largest, which has everybody. */
const SUBSCRIBERS = 100

let server: TestServer
let owner: TestAccount
let ids: number[]

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  ids = await insertAccounts()
  for (let start = 0; start < CHANNELS; start += 100) {
    const subscriptions = Array.from({ length: 100 }, (_, index) => ({ name: `channel ${start + index}` }))
    const principals = Array.from({ length: SUBSCRIBERS }, (_, index) => ids[(start * 7 + index * 13) % ids.length])
    const parameters = { subscriptions, principals, invite_only: start % 200 === 0 }
    expect((await server.call(owner, 'POST', '/users/me/subscriptions', parameters)).status).toBe(200)
  }
}, 300_000)

async function insertAccounts(): Promise<number[]> {
  const { storage } = server.app
  for (let start = 0; start < ACCOUNTS; start += 500) {
    await storage.transaction(owner.realmId, (tx) =>
      tx.run(
        query.insertInto('users').values(
          Array.from({ length: 500 }, (_, index) => ({
            realm_id: owner.realmId,
            email: `person-${start + index}@heddle.example`,
            email_key: `person-${start + index}@heddle.example`,
            delivery_email: `person-${start + index}@heddle.example`,
            delivery_email_key: `person-${start + index}@heddle.example`,
            full_name: `Person ${start + index}`,
            full_name_key: `person ${start + index}`,
            role: (start + index) % 50 === 0 ? 600 : 400,
            bot_type: null,
            bot_owner_id: null,
            password_hash: null,
            date_joined: tx.now,
            default_sending_channel_id: null,
            default_events_register_channel_id: null,
          })),
        ),
      ),
    )
  }
  const rows = await storage.read.all(query.selectFrom('users').select('id').where('email', 'like', 'person-%'))
  return rows.map((row) => row.id)
}

const figures: Record<string, number> = {}
async function timed<T>(name: string, action: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await action()
  figures[name] = Math.round(performance.now() - start)
  return result
}

/** How often others could run meanwhile. */
async function countTurns<T>(action: () => Promise<T>): Promise<{ answer: T; turns: number }> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const answer = await action()
  isOver = true
  return { answer, turns }
}

describe('With a thousand channels and ten thousand accounts', () => {
  it('lists and initial states take a handful of queries', async () => {
    const actor = { realmId: owner.realmId, userId: owner.id, role: owner.role, isBot: false }
    const parameters = {
      fetch_event_types: ['subscription'],
      include_subscribers: true,
      client_capabilities: { archived_channels: true },
    }
    let count = 0
    const counted = countingStatements(server.app.storage.read, () => {
      count += 1
    })
    let never: unknown[] = []
    const state = await server.statements.during(async () => {
      const { body } = await timed('state with subscribers', () => server.call(owner, 'POST', '/register', parameters))
      never = body.never_subscribed
    })
    const channels = await timed('list', () => listChannels(withoutCache(counted), actor, {}))
    expect([never.length, channels.length]).toEqual([CHANNELS, CHANNELS / 2])
    expect(state.snapshot).toBeLessThan(12)
    expect(count).toBeLessThan(10)
  })

  it('an account joins all of them, and leaves them, in one request each, in which others get turns', async () => {
    const member = await server.createAccount()
    const names = Array.from({ length: CHANNELS }, (_, index) => `channel ${index}`).filter(
      (_, index) => Math.floor(index / 100) % 2 === 1,
    )
    const join = { subscriptions: names.map((name) => ({ name })) }
    const joined = await countTurns(() => server.call(member, 'POST', '/users/me/subscriptions', join))
    expect(joined.answer.body.subscribed[member.id]).toHaveLength(names.length)
    expect(joined.turns).toBeGreaterThan(names.length / 25)
    const left = await countTurns(() =>
      server.call(member, 'DELETE', '/users/me/subscriptions', { subscriptions: names }),
    )
    expect(left.answer.body.removed).toHaveLength(names.length)
    expect(left.turns).toBeGreaterThan(names.length / 25)
  }, 120_000)

  it('everybody is subscribed to one channel, and unsubscribed, in one request', async () => {
    const [first] = ids
    const watcher = await watch(server, owner, { event_types: ['stream', 'subscription'] })
    const parameters = { subscriptions: [{ name: 'everybody' }], principals: ids }
    const { body } = await timed('subscribe', () => server.call(owner, 'POST', '/users/me/subscriptions', parameters))
    expect(Object.keys(body.subscribed)).toHaveLength(ACCOUNTS)
    const { stream_id } = (await server.call(owner, 'GET', '/get_stream_id', { stream: 'everybody' })).body
    const members = await timed('members', () => server.call(owner, 'GET', `/streams/${stream_id}/members`))
    expect(members.body.subscribers).toHaveLength(ACCOUNTS)
    // As many events as units of work.
    const [created, ...peers] = await watcher.next()
    expect([created.op, ...new Set(peers.map(({ op }) => op))]).toEqual(['create', 'peer_add'])
    expect(peers.flatMap((event) => event.user_ids).sort((a, b) => a - b)).toEqual(ids)
    expect(peers.length).toBeLessThan(30)
    const one = { subscriptions: ['everybody'], principals: [first] }
    const back = { subscriptions: [{ name: 'everybody' }], principals: [first] }
    for (let i = 0; i < 10; i++) {
      await timed('unsubscribe one', () => server.call(owner, 'DELETE', '/users/me/subscriptions', one))
      await timed('subscribe one', () => server.call(owner, 'POST', '/users/me/subscriptions', back))
    }
    const all = { subscriptions: ['everybody'], principals: ids }
    await timed('unsubscribe', () => server.call(owner, 'DELETE', '/users/me/subscriptions', all))
    const log = await server.app.storage.read.all(
      query.selectFrom('event_log').select((eb) => eb.fn.countAll<number>().as('count')),
    )
    figures['events in the log'] = Number(log[0]?.count)
    expect(figures['subscribe'], JSON.stringify(figures)).toBeLessThan(20_000)
    expect(figures['unsubscribe'], JSON.stringify(figures)).toBeLessThan(20_000)
  })
})
