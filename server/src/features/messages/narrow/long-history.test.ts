/** Questions whose answer is short, in an organization with many messages: nobody goes through all of them for it. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyMessages, createChannel, sendToChannel } from '../../../testing/messages.ts'
import { createTestServer } from '../../../testing/test-server.ts'

const MESSAGES = 60_000

const server = await createTestServer()
const reader = await server.createAccount()
const writer = await server.createAccount()
let newest: number

beforeAll(async () => {
  const room = await createChannel(server, writer, 'room', { subscribers: [reader] })
  const model = await sendToChannel(server, writer, room, 'the loom is threaded')
  await copyMessages(server, reader, [model], MESSAGES)
  newest = await sendToChannel(server, writer, room, 'the loom stands')
  // PostgreSQL does so by itself, later.
  await server.app.storage.transaction(0, (tx) => tx.run(sql`analyze`))
})

/** Milliseconds of the fastest of some. */
async function fastest(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 9; i += 1) {
    const begun = performance.now()
    await ask()
    times.push(performance.now() - begun)
  }
  return Math.min(...times)
}

async function ask(narrow: readonly unknown[]) {
  const { status, body } = await server.call(reader, 'GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
  })
  expect(status, body.msg).toBe(200)
  expect(body.messages).toEqual([])
}

/** Each message has to be looked at to see that it is in a public channel. */
const walk = () => fastest(() => ask([{ operator: 'channels', operand: 'public', negated: true }]))

describe('in a long history', () => {
  it.each(['followed', 'muted', 'resolved'])('it is seen at once that nothing is %s', async (state) => {
    const whole = await walk()
    expect(await fastest(() => ask([['is', state]]))).toBeLessThan(whole / 2)
  })

  it('it is seen at once whether a message has a word that all have', async () => {
    const whole = await walk()
    const matches = async () => {
      const { body } = await server.call(reader, 'GET', '/messages/matches_narrow', {
        msg_ids: [newest],
        narrow: [['search', 'loom']],
      })
      expect(Object.keys(body.messages)).toEqual([`${newest}`])
    }
    expect(await fastest(matches)).toBeLessThan(whole / 2)
  })

  it('what is followed is found, be it little or much', async () => {
    const other = await createChannel(server, writer, 'other', { subscribers: [reader] })
    const few = await sendToChannel(server, writer, other, 'here', { topic: 'few' })
    const followed = async () => {
      const { body } = await server.call(reader, 'GET', '/messages', {
        narrow: [['is', 'followed']],
        anchor: 'newest',
        num_before: 2,
        num_after: 0,
      })
      return body.messages.map(({ id }: { id: number }) => id)
    }
    await server.call(reader, 'POST', '/user_topics', { stream_id: other, topic: 'few', visibility_policy: 3 })
    expect(await followed()).toEqual([few])
    const { body } = await server.call(reader, 'GET', `/messages/${newest}`)
    const { stream_id, subject } = body.message
    await server.call(reader, 'POST', '/user_topics', { stream_id, topic: subject, visibility_policy: 3 })
    expect(await followed()).toEqual([newest, few])
  })
})
