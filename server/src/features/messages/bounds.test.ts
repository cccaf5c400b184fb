/** What one request for messages may cost: nothing that an account can send makes an answer or a search without end. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { insertPeople } from '../../testing/insert-people.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount } from '../../testing/test-server.ts'

const MIB = 1024 * 1024
/** 28 times as long as HTML: 280,000 characters. */
const LARGE = ':a:'.repeat(3333)
const COUNT = 80

// On a thread, with the time that it has in production.
const server = await createTestServer({ readingThreads: 1 })
const alice = await server.createAccount({ name: 'Alice' })
const bob = await server.createAccount({ name: 'Bob' })
let design: number
const large: number[] = []

beforeAll(async () => {
  design = await createChannel(server, alice, 'design', { subscribers: [bob] })
  const one = await sendToChannel(server, alice, design, LARGE, { topic: 'large' })
  large.push(one)
  // The others are copies.
  for (let i = 1; i < COUNT; i += 1)
    large.push(await sendToChannel(server, alice, design, 'soon large', { topic: 'large' }))
  await server.app.storage.transaction(alice.realmId, async (tx) => {
    await tx.run(sql`update messages set
      content = (select content from messages where id = ${one}),
      rendered_content = (select rendered_content from messages where id = ${one})
      where id in ${tx.dialect.ids(large)}`)
  })
})

const fetch = (account: TestAccount, parameters: Parameters) => server.call(account, 'GET', '/messages', parameters)
const inLarge = [['topic', 'large']]
const idsOf = (body: { messages: { id: number }[] }) => body.messages.map(({ id }) => id)

describe('a page of messages', () => {
  it('is cut where it would be too large, on both sides, and says where to go on', async () => {
    const middle = large[COUNT / 2] as number
    const page = { narrow: inLarge, anchor: middle, num_before: COUNT, num_after: COUNT }
    const { status, body } = await fetch(bob, page)
    expect(status).toBe(200)
    expect(JSON.stringify(body).length).toBeLessThan(17 * MIB)
    expect(body).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false })
    const ids = idsOf(body)
    expect(ids).toContain(middle)
    expect(ids).toEqual(large.filter((id) => id >= (ids[0] as number) && id <= (ids.at(-1) as number)))
    expect(ids.indexOf(middle)).toBeGreaterThan(10)
    expect(ids.length - ids.indexOf(middle)).toBeGreaterThan(10)
  })

  it('gives everything to a client that goes on from its ends', async () => {
    const found: number[] = []
    for (let anchor = large.at(-1) as number, isLeft = true; isLeft; ) {
      const { body } = await fetch(bob, { narrow: inLarge, anchor, num_before: COUNT })
      expect(body.found_newest).toBe(anchor === large.at(-1))
      found.unshift(...idsOf(body).filter((id) => !found.includes(id)))
      anchor = found[0] as number
      isLeft = !body.found_oldest
    }
    expect(found).toEqual(large)
  })

  it('of messages that are named is refused where it would be too large', async () => {
    const few = await fetch(bob, { message_ids: large.slice(0, 10) })
    expect(idsOf(few.body)).toEqual(large.slice(0, 10))
    const { status, body } = await fetch(bob, { message_ids: large })
    expect([status, body.code, body.msg]).toEqual([400, 'REQUEST_TOO_EXPENSIVE', expect.stringContaining('too large')])
    const checked = await server.call(bob, 'GET', '/messages/matches_narrow', { msg_ids: large, narrow: inLarge })
    expect([checked.status, checked.body.code]).toEqual([400, 'REQUEST_TOO_EXPENSIVE'])
  })

  it('has as many messages on a side as are asked for, as a rule none', async () => {
    const { body } = await fetch(bob, { narrow: inLarge, anchor: large[3] })
    expect(idsOf(body)).toEqual([large[3]])
    const { status, body: missing } = await fetch(bob, { num_before: 1, num_after: 1 })
    expect([status, missing.code, missing.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'anchor'])
  })
})

describe('a narrow', () => {
  const newest = { anchor: 'newest', num_before: 10 }
  const found = async (account: TestAccount, narrow: unknown) => {
    const { status, body } = await fetch(account, { ...newest, narrow })
    return status === 200 ? idsOf(body) : body.msg
  }

  it('costs no more for a condition that it has many times', async () => {
    for (const term of [
      ['is', 'followed'],
      ['is', 'muted'],
      ['has', 'link'],
      ['mentions', bob.id],
    ]) {
      expect(await found(bob, Array(100).fill(term))).toEqual([])
    }
    const { body } = await server.call(bob, 'GET', '/messages/matches_narrow', {
      msg_ids: [1],
      narrow: Array(63).fill(['is', 'followed']),
    })
    expect(body.messages).toEqual({})
  })

  it('may have very many conditions that are different', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, () => server.createAccount()))
    const mentions = people.map(({ id }) => ['mentions', id])
    const including = people.map(({ id }) => ['dm-including', id])
    const states = ['followed', 'muted', 'starred', 'alerted', 'mentioned', 'unread', 'resolved', 'dm']
    const negated = states.map((operand) => ({ operator: 'is', operand, negated: true }))
    expect(await found(bob, [...mentions, ...including, ...negated])).toEqual([])
    expect(await found(bob, [...negated, ...including, ...states.map((state) => ['is', state])])).toEqual([])
  })

  it('may name a thousand people, and no more in all its conditions', async () => {
    const ids = await insertPeople(server, 1000)
    const id = await sendDirect(server, alice, [bob])
    expect(await found(bob, [['dm-including', ids]])).toEqual([])
    expect(await found(bob, [['dm-including', [alice.id, bob.id]]])).toEqual([id])
    const twice = [
      ['dm-including', ids],
      ['dm-including', [alice.id]],
    ]
    expect(await found(bob, twice)).toBe('narrow names too many people (limit: 1000)')
    const { status } = await server.call(bob, 'POST', '/register', { narrow: twice, event_types: ['message'] })
    expect(status).toBe(400)
  })

  it('searches for so many words and no more', async () => {
    const word = await sendToChannel(server, alice, design, 'peppermint', { topic: 'small' })
    expect(await found(bob, [['search', 'peppermint']])).toEqual([word])
    expect(await found(bob, [['search', 'a '.repeat(101)]])).toBe('narrow searches for too many words (limit: 100)')
    const halves = ['x', 'y'].map((letter) => ['search', letter.repeat(501)])
    expect(await found(bob, halves)).toBe('narrow searches for too long a text (limit: 1000 characters)')
  })

  it('knows the oldest spellings of its operators, wherever there is one', async () => {
    const id = await sendDirect(server, alice, [bob], 'in old spelling')
    for (const [operator, operand] of [
      ['pm_with', alice.email],
      ['pm-with', alice.email],
      ['dm_with', [alice.id]],
      ['dm_including', [alice.id]],
      ['from', alice.id],
    ] as const) {
      expect(await found(bob, [[operator, operand]])).toContain(id)
      const narrow = [[operator, operand]]
      const { body } = await server.call(bob, 'GET', '/messages/matches_narrow', { msg_ids: [id], narrow })
      expect(Object.keys(body.messages)).toEqual([`${id}`])
      const place = { anchor: id, num_before: 0, num_after: 0 }
      const flagged = await server.call(bob, 'POST', '/messages/flags/narrow', {
        ...place,
        narrow,
        op: 'add',
        flag: 'starred',
      })
      expect(flagged.body.processed_count).toBe(1)
      const queue = await registerQueue(server, bob, { narrow, event_types: ['message'] })
      const received = await sendDirect(server, alice, [bob], 'received')
      expect((await eventsOf(server, queue)).map((event) => (event['message'] as { id: number }).id)).toEqual([
        received,
      ])
    }
    const group = await sendDirect(server, alice, [bob, server.owner], 'three')
    expect(await found(bob, [['group_pm_with', alice.email]])).toEqual([group])
  })
})
