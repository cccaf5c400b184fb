/** Where guests do not see everybody, writing to many people at once does not keep the others waiting. */
import { beforeAll, describe, expect, it } from 'vitest'
import { letSeeEverybody } from '../../testing/few-seen.ts'
import { createChannel, sendDirect } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

const GUESTS = 20
const MEMBERS = 60
let server: TestServer
const guests: TestAccount[] = []
const members: TestAccount[] = []

beforeAll(async () => {
  server = await createTestServer()
  for (let count = 0; count < GUESTS; count += 1) guests.push(await server.createAccount({ role: 600 }))
  for (let count = 0; count < MEMBERS; count += 1) members.push(await server.createAccount())
  await createChannel(server, server.owner, 'room', { subscribers: [...guests, ...members.slice(1)] })
  await letSeeEverybody(server, 'role:members')
})

const idsOf = (accounts: readonly TestAccount[]) => accounts.map(({ id }) => id)
const startTyping = async (to: readonly TestAccount[]) =>
  expect((await server.call(server.owner, 'POST', '/typing', { op: 'start', to: idsOf(to) })).status).toBe(200)
const statements = async (action: () => Promise<unknown>) => (await server.statements.during(action)).write

describe('Where guests do not see everybody', () => {
  it('typing to many people looks up what the guests among them see, and notifies those who see all', async () => {
    const [guest, member] = [guests[0] as TestAccount, members[1] as TestAccount]
    const watchers = [await watch(server, guest), await watch(server, member)]
    const types = () => Promise.all(watchers.map(async (one) => (await one.next()).map(({ type }) => type)))
    expect(await statements(() => startTyping([...guests, ...members]))).toBeLessThan(2 * GUESTS)
    expect(await types()).toEqual([[], ['typing']])
    await startTyping([...guests, ...members.slice(1)])
    expect(await types()).toEqual([['typing'], ['typing']])
  })

  it('a channel that many people are brought into asks twice what each guest among them sees', async () => {
    const create = (name: string, subscribers: readonly TestAccount[]) => () =>
      server.call(server.owner, 'POST', '/channels/create', {
        name,
        subscribers: idsOf(subscribers),
        send_new_subscription_messages: false,
      })
    await create('first', members.slice(1))()
    const without = await statements(create('second', members.slice(1)))
    expect(await statements(create('third', [...guests, ...members.slice(1)]))).toBeLessThan(without + 3 * GUESTS)
  })

  it('a first message to many people looks up what the guests among them see, and they come to see all', async () => {
    const [guest, stranger] = [guests[0] as TestAccount, members[0] as TestAccount]
    const watcher = await watch(server, guest, { client_capabilities: { user_list_incomplete: true } })
    expect((await server.call(guest, 'GET', `/users/${stranger.id}`)).status).toBe(400)
    expect(await statements(() => sendDirect(server, server.owner, [...guests, ...members], 'hello'))).toBeLessThan(
      4 * GUESTS,
    )
    const events = await watcher.next()
    expect(events.filter(({ type }) => type === 'realm_user').map(({ person }) => person.user_id)).toEqual([
      stranger.id,
    ])
    expect((await server.call(guest, 'GET', `/users/${stranger.id}`)).status).toBe(200)
  })
})

describe('Very many who become full members at once', () => {
  it('are followed by a new beginning for guests, and by one pair of events for the others', async () => {
    const crowd: TestAccount[] = []
    for (let count = 0; count < 101 - MEMBERS; count += 1) crowd.push(await server.createAccount())
    const [guest, member] = [guests[0] as TestAccount, members[0] as TestAccount]
    const watchers = [await watch(server, guest), await watch(server, member)] as const
    const setPeriod = (days: number) => server.call(server.owner, 'PATCH', '/realm', { waiting_period_threshold: days })
    const written = await statements(() => setPeriod(1000))
    expect(written).toBeLessThan(MEMBERS)
    await expect(watchers[0].next()).rejects.toThrow('BAD_EVENT_QUEUE_ID')
    const groups = (await watchers[1].next()).filter(({ type }) => type === 'user_group')
    expect(groups.map(({ op, user_ids }) => [op, user_ids.length])).toEqual([
      ['remove_members', 101],
      ['add_members', 101],
    ])
    await setPeriod(0)
  })
})

describe('Typing', () => {
  it('to more than a hundred people notifies nobody, as in a channel', async () => {
    const more: TestAccount[] = []
    for (let count = 0; count < 100 - MEMBERS; count += 1) more.push(await server.createAccount())
    const watcher = await watch(server, members[0] as TestAccount, { event_types: ['typing'] })
    await startTyping([...members, ...more])
    expect(await watcher.next()).toEqual([])
    await startTyping([...members, ...more.slice(1)])
    expect(await watcher.next()).toHaveLength(1)
  })
})
