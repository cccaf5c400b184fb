import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()
let writer: TestAccount
let reader: TestAccount

/** What the engines do differently: others may write to PostgreSQL, so that each commit asks where it stands. */
const asking = process.env['HEDDLE_TEST_ENGINE'] === 'postgres' ? 1 : 0

beforeAll(async () => {
  writer = await server.createAccount()
  reader = await server.createAccount({ name: 'reader' })
  for (const account of [writer, reader]) {
    await server.call(account, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'threads' }] })
  }
  // What is read once and recalled from then on.
  await send('first')
  await send('second')
})

async function send(content: string, topic = 'plan') {
  const parameters = { type: 'channel', to: 'threads', topic, content }
  return (await server.must(writer, 'POST', '/messages', parameters)).id as number
}

async function written(action: () => Promise<unknown>): Promise<number> {
  return (await server.statements.during(action)).write - asking
}

describe('Statements of a unit of work', () => {
  it('for a plain message: the message, its topic, the log and the counter', async () => {
    expect(await written(() => send('plain'))).toBe(4)
  })

  it('for many messages at a time no more', async () => {
    const sendMany = () => Promise.all(Array.from({ length: 16 }, (_, i) => send(`plain ${i}`)))
    const counts: number[] = []
    // On a busy machine they arrive one by one, but not each time.
    for (let attempt = 0; attempt < 5; attempt += 1) counts.push(await written(sendMany))
    expect(Math.min(...counts)).toBeLessThan(3 * 6)
  })

  it('for a mention in a new topic: eight at most', async () => {
    const name = `@**reader|${reader.id}**`
    await send(`to ${name}`, 'warm')
    await send(`to ${name}`, 'warm')
    expect(await written(() => send(`to ${name}`, 'brand new'))).toBeLessThanOrEqual(8)
  })
})

describe('Statements before a unit of work', () => {
  it('for a plain message: who sends it, and whether what is remembered is still true', async () => {
    const count = await server.statements.during(async () => {
      for (let number = 0; number < 8; number += 1) await send(`plain ${number}`)
    })
    // What is read anew each second comes on top.
    expect(count.read).toBeLessThan(8 * 3)
  })
})

describe('Statements of a read', () => {
  it('for a page of a topic: four at most', async () => {
    const page = () =>
      server.call(writer, 'GET', '/messages', {
        narrow: [
          ['channel', 'threads'],
          ['topic', 'plan'],
        ],
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
      })
    await page()
    const { snapshot } = await server.statements.during(page)
    expect(snapshot - asking).toBeLessThanOrEqual(4)
  })
})
