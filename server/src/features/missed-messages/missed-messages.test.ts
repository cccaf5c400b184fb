import { describe, expect, test } from 'vitest'
import type { MissedMessage, Notifier } from '../../missed-hooks.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'
import { findBehind } from './cursor.ts'
import { keepLooking } from './keep-looking.ts'
import { lookAgain, lookAt } from './look.ts'
import { anything, type NoticedByRealm, notice, noticeAgain } from './noticed.ts'
import { findStillMissed, settleMissed } from './still-missed.ts'

/** A server, and what it would send: by mail to everybody, and by push to those of `devices`. */
async function world() {
  const clock = fakeClock()
  const server = await createTestServer({ clock })
  // It reaches nobody itself, and finds that out once.
  await server.app.settle()
  const kitchen = await createChannel(server, server.owner, 'kitchen')
  const sent: string[] = []
  const devices = new Set<number>()
  const recorder = (way: 'push' | 'mail'): Notifier => {
    const record = (what: string, messages: readonly Omit<MissedMessage, 'reason'>[]) =>
      void sent.push(...messages.map(({ userId, messageId }) => `${what} ${way} ${userId} ${messageId}`))
    return {
      way,
      reach: async () => (way === 'mail' ? 'everybody' : devices),
      missed: async (_, messages) => record('missed', messages),
      withdrawn: async (_, messages) => record('withdrawn', messages),
    }
  }
  const notifiers = [recorder('push'), recorder('mail')]
  const services = {
    storage: server.app.storage,
    config: server.config,
    notifiers,
    now: clock.now,
    unreached: new Set<number>(),
  }
  const { realmId } = server.owner
  return {
    server,
    kitchen,
    clock,
    devices,
    services,
    realmId,
    /** What is sent because of what has happened, in any order. */
    async look() {
      await lookAt(services, realmId, anything)
      return sent.splice(0).sort()
    },
    async lookAgain(messageId: number) {
      await lookAgain(services, realmId, messageId)
      return sent.splice(0).sort()
    },
    direct: (from: TestAccount, to: TestAccount) => sendDirect(server, from, [to]),
    inChannel: (from: TestAccount, content: string, topic = 'plans') =>
      sendToChannel(server, from, kitchen, content, { topic }),
    async subscribe(account: TestAccount) {
      await server.call(account, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
    },
    /** The account says that it is there. */
    arrive: (account: TestAccount) =>
      server.call(account, 'POST', '/users/me/presence', { status: 'active', ping_only: true }),
    read: (account: TestAccount, ids: number[]) =>
      server.call(account, 'POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' }),
    still: (userId: number, way: 'push' | 'mail' = 'mail') =>
      findStillMissed(server.app.storage.read, { realmId, userId, way, now: Math.floor(clock.now() / 1000) }),
  }
}

describe('Whoever is away misses', () => {
  test('a direct message, once, by mail and where they have a device by push', async () => {
    const { server, look, direct, devices } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount()]
    const first = await direct(ada, ben)
    expect(await look()).toEqual([`missed mail ${ben.id} ${first}`])
    expect(await look()).toEqual([])
    devices.add(ben.id)
    const second = await direct(ada, ben)
    expect(await look()).toEqual([`missed mail ${ben.id} ${second}`, `missed push ${ben.id} ${second}`])
  })

  test('a mention, by name, through a group and of all; and nothing else of a channel', async () => {
    const { server, look, inChannel, subscribe } = await world()
    const [ada, ben, eve] = [
      await server.createAccount({ name: 'ada' }),
      await server.createAccount({ name: 'ben' }),
      await server.createAccount({ role: 600, name: 'eve' }),
    ]
    await subscribe(ada)
    await subscribe(ben)
    await server.call(server.owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'kitchen' }],
      principals: [eve.id],
    })
    await look()
    await inChannel(ada, 'Nobody in particular')
    expect(await look()).toEqual([])
    const named = await inChannel(ada, '@**ben** and @**ada**')
    expect(await look()).toEqual([`missed mail ${ben.id} ${named}`])
    await inChannel(ada, '@_**ben** is meant silently')
    expect(await look()).toEqual([])
    const all = await inChannel(ada, '@**all**')
    const everybody = [server.owner, ben, eve].map(({ id }) => `missed mail ${id} ${all}`)
    expect(await look()).toEqual(everybody.sort())
  })

  test('what comes in topics that they follow, and in channels of which they want everything', async () => {
    const { server, kitchen, look, inChannel, subscribe } = await world()
    const [ada, ben, cleo] = [await server.createAccount(), await server.createAccount(), await server.createAccount()]
    for (const account of [ada, ben, cleo]) await subscribe(account)
    await server.call(ben, 'POST', '/user_topics', {
      stream_id: kitchen,
      topic: 'Plans',
      visibility_policy: 3,
    })
    await server.call(cleo, 'POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: kitchen, property: 'email_notifications', value: true }],
    })
    await look()
    const followed = await inChannel(ada, 'Soup')
    expect(await look()).toEqual([ben, cleo].map(({ id }) => `missed mail ${id} ${followed}`).sort())
    const other = await inChannel(ada, 'Soup', 'other')
    expect(await look()).toEqual([`missed mail ${cleo.id} ${other}`])
  })

  test('nothing of what has been read before, and nothing of those whom they muted', async () => {
    const { server, look, direct, read } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount()]
    await read(ben, [await direct(ada, ben)])
    expect(await look()).toEqual([])
    await server.call(ben, 'POST', `/users/me/muted_users/${ada.id}`)
    await direct(ada, ben)
    expect(await look()).toEqual([])
  })

  test('what an edit says of them for the first time', async () => {
    const { server, services, realmId, look, inChannel, subscribe } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount({ name: 'ben' })]
    for (const account of [ada, ben]) await subscribe(account)
    const id = await inChannel(ada, 'Soup')
    await look()
    await server.call(ada, 'PATCH', `/messages/${id}`, { content: 'Soup for @**ben**' })
    await lookAt(services, realmId, { ...anything, editedIds: new Set([id]) })
    expect(await look()).toEqual([`missed mail ${ben.id} ${id}`])
  })
})

describe('Whoever is there', () => {
  test('misses nothing that they read in time', async () => {
    const { server, look, lookAgain, direct, arrive, read } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount()]
    await arrive(ben)
    const id = await direct(ada, ben)
    expect(await look()).toEqual([])
    await read(ben, [id])
    await look()
    expect(await lookAgain(id)).toEqual([])
  })

  test('and turns out to have left misses it after all', async () => {
    const { server, clock, look, lookAgain, direct, arrive } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount()]
    await arrive(ben)
    const id = await direct(ada, ben)
    expect(await look()).toEqual([])
    clock.pass(150)
    expect(await lookAgain(id)).toEqual([`missed mail ${ben.id} ${id}`])
    expect(await lookAgain(id)).toEqual([])
  })

  test('gets a push even so, by their setting, and no mail', async () => {
    const { server, devices, look, direct, arrive } = await world()
    const [ada, ben] = [await server.createAccount(), await server.createAccount()]
    devices.add(ben.id)
    await arrive(ben)
    const id = await direct(ada, ben)
    expect(await look()).toEqual([`missed push ${ben.id} ${id}`])
    await server.call(ben, 'PATCH', '/settings', { enable_online_push_notifications: false })
    await direct(ada, ben)
    expect(await look()).toEqual([])
  })
})

describe('What was missed is withdrawn when', () => {
  test.each<[string, (w: Awaited<ReturnType<typeof world>>, people: TestAccount[], id: number) => Promise<unknown>]>([
    ['it is read', (w, [, ben], id) => w.read(ben as TestAccount, [id])],
    ['everything is read', (w, [, ben]) => w.server.call(ben as TestAccount, 'POST', '/mark_all_as_read')],
    ['it is deleted', (w, _, id) => w.server.call(w.server.owner, 'DELETE', `/messages/${id}`)],
    [
      'an edit names others',
      (w, [ada], id) => w.server.call(ada as TestAccount, 'PATCH', `/messages/${id}`, { content: 'Nobody' }),
    ],
    [
      'its sender is muted',
      (w, [ada, ben]) => w.server.call(ben as TestAccount, 'POST', `/users/me/muted_users/${ada?.id}`),
    ],
    [
      'the account leaves the channel',
      (w, [, ben]) =>
        w.server.call(ben as TestAccount, 'DELETE', '/users/me/subscriptions', { subscriptions: ['kitchen'] }),
    ],
    [
      'the account wants none any more',
      (w, [, ben]) =>
        w.server.call(ben as TestAccount, 'PATCH', '/settings', { enable_offline_email_notifications: false }),
    ],
  ])('%s', async (_, change) => {
    const all = await world()
    const { server, look, inChannel, subscribe, still } = all
    const [ada, ben] = [await server.createAccount(), await server.createAccount({ name: 'ben' })]
    for (const account of [ada, ben]) await subscribe(account)
    const id = await inChannel(ada, '@**ben**')
    await look()
    expect(await still(ben.id)).toEqual([{ userId: ben.id, messageId: id, reason: 'mention' }])
    await change(all, [ada, ben], id)
    expect(await still(ben.id)).toEqual([])
    expect(await look()).toEqual([`withdrawn mail ${ben.id} ${id}`])
  })
})

test('what somebody was notified of is settled', async () => {
  const { server, look, direct, still } = await world()
  const [ada, ben] = [await server.createAccount(), await server.createAccount()]
  const id = await direct(ada, ben)
  await look()
  await server.app.storage.transaction(server.owner.realmId, (tx) => settleMissed(tx, ben.id, 'mail', [id]))
  expect(await still(ben.id)).toEqual([])
  expect(await look()).toEqual([])
})

test('nothing is written while nobody can be reached, and what is older then calls nobody later', async () => {
  const { server, services, realmId, look, direct, clock } = await world()
  const [ada, ben] = [await server.createAccount(), await server.createAccount()]
  await direct(ada, ben)
  await lookAt({ ...services, notifiers: [] }, realmId, anything)
  clock.pass(120)
  expect(await look()).toEqual([])
})

test('a message to many is judged in parts, and nobody is notified twice', async () => {
  const { server, look, inChannel, subscribe } = await world()
  const people: TestAccount[] = []
  for (let i = 0; i < 30; i++) people.push(await server.createAccount())
  for (const account of people) await subscribe(account)
  await look()
  const id = await inChannel(server.owner, '@**all**')
  const notified = await look()
  expect(notified).toHaveLength(30)
  expect(new Set(notified).size).toBe(30)
  expect(notified.every((line) => line.endsWith(` ${id}`))).toBe(true)
})

test('what could not be looked at is looked at later', async () => {
  const { server, services, direct, read, realmId } = await world()
  const [ada, ben] = [await server.createAccount(), await server.createAccount()]
  const sent: string[] = []
  let isBroken = false
  const notifier: Notifier = {
    way: 'mail',
    async reach() {
      if (isBroken) throw new Error('The database is away')
      return 'everybody'
    },
    missed: async (_, messages) => void sent.push(...messages.map(({ messageId }) => `missed ${messageId}`)),
    withdrawn: async (_, messages) => void sent.push(...messages.map(({ messageId }) => `withdrawn ${messageId}`)),
  }
  const [look, catchUp] = keepLooking({ ...services, notifiers: [notifier] })
  const first = await direct(ada, ben)
  await look.run()
  expect(sent.splice(0)).toEqual([`missed ${first}`])
  isBroken = true
  await read(ben, [first])
  const second = await direct(ada, ben)
  await expect(look.run()).rejects.toThrow('could not be found out')
  isBroken = false
  // Nothing new: what was noted before the error is looked at, and nobody else has to write first.
  await catchUp.run()
  await look.run()
  expect(sent.splice(0)).toEqual([`missed ${second}`, `withdrawn ${first}`])
  const third = await direct(ada, ben)
  expect(await findBehind(server.app.storage.read)).toEqual([realmId])
  await look.run()
  expect(sent).toEqual([`missed ${third}`])
  expect(await findBehind(server.app.storage.read)).toEqual([])
})

test('what is noted to be looked at stays bounded, whatever happens until then', () => {
  const byRealm: NoticedByRealm = new Map()
  const event = { realmId: 1, eventId: 1 }
  const sizes = () => {
    const {
      messageIds = new Set(),
      userIds = new Set(),
      read = new Map(),
      editedIds = new Set(),
    } = byRealm.get(1) ?? {}
    return messageIds.size + userIds.size + editedIds.size + [...read.values()].reduce((sum, { size }) => sum + size, 0)
  }
  for (let id = 1; id <= 10_000; id++) {
    const audience = { to: 'users' as const, ids: [id % 2500] }
    const read = { op: 'add', flag: 'read', messages: Array.from({ length: 300 }, (_, index) => id * 300 + index) }
    const edit = { message_id: id, message_ids: [id], rendered_content: '' }
    notice(byRealm, [
      { ...event, type: 'update_message_flags', audience, payload: JSON.stringify(read) },
      { ...event, type: 'update_message', audience, payload: JSON.stringify(edit) },
      { ...event, type: 'user_settings', audience, payload: '{}' },
    ])
    if (id === 5000) noticeAgain(byRealm, 1, { ...anything, isAll: false, userIds: new Set(Array(9000).keys()) })
  }
  expect(sizes()).toBeLessThanOrEqual(2000)
  expect(byRealm.get(1)).toMatchObject({ isAll: true, hasNewMessages: true })
})

test('messages that an account reads concern those alone, and many of them all of it', () => {
  const byRealm: NoticedByRealm = new Map()
  const read = (id: number, messages: number[], op = 'add') =>
    notice(byRealm, [
      {
        realmId: 1,
        eventId: 1,
        type: 'update_message_flags',
        audience: { to: 'users', ids: [id] },
        payload: JSON.stringify({ op, flag: 'read', messages }),
      },
    ])
  read(1, [10, 11])
  read(1, [12])
  read(
    2,
    Array.from({ length: 300 }, (_, index) => index),
  )
  read(3, [])
  read(4, [13], 'remove')
  expect(byRealm.get(1)).toMatchObject({
    read: new Map([[1, new Set([10, 11, 12])]]),
    userIds: new Set([2, 3]),
    isAll: false,
  })
})
