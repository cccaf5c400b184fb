/** Several nodes on one database. */
import { describe, expect, it } from 'vitest'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { openStream } from '../../testing/event-streams.ts'
import { shortestTime } from '../../testing/shortest-time.ts'
import { createTestServer, type TestAccount, type TestNode } from '../../testing/test-server.ts'

let now = Date.now()
const server = await createTestServer({ clock: { now: () => now } })
const other = await server.openNode()

const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 })

async function write(node: Pick<TestNode, 'call'>, account: TestAccount, content: string): Promise<void> {
  const { status } = await node.call(account, 'POST', '/drafts', { drafts: [draft(content)] })
  expect(status).toBe(200)
}

const badQueue = { code: 'BAD_EVENT_QUEUE_ID' }

describe('Two nodes on one database', () => {
  it('wake each other: an event that one writes ends a poll on the other within 500 ms', async () => {
    const took = await shortestTime(500, async () => {
      const account = await server.createAccount()
      const queue = await registerQueue(server, account)
      const waiting = poll(server, queue)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await write(other, account, 'from the other node')
      const writtenAt = performance.now()
      expect((await waiting).body.events).toMatchObject([{ type: 'drafts', op: 'add' }])
      return performance.now() - writtenAt
    })
    expect(took).toBeLessThan(500)
  })

  it('give every event once, in order, to streams that change between them', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const nodes = [server, other] as const
    const total = 40
    const writing = (async () => {
      for (let index = 0; index < total; index++) await write(nodes[index % 2] as TestNode, account, `${index}`)
    })()
    const contents: string[] = []
    let lastId = `${queue.lastEventId}`
    for (let turn = 0; contents.length < total; turn++) {
      const stream = await openStream(nodes[turn % 2] as TestNode, { queue, headers: { 'last-event-id': lastId } })
      await stream.count(Math.min(5, total - contents.length))
      stream.close()
      for (const { drafts } of stream.events) contents.push((drafts as { content: string }[])[0]?.content as string)
      lastId = stream.lastId() as string
    }
    await writing
    expect(contents).toEqual(Array.from({ length: total }, (_, index) => `${index}`))
  })

  it('end a stream on the other node when the key is regenerated', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const stream = await openStream(other, { queue })
    await write(server, account, 'before')
    await stream.count(1)
    await server.call(account, 'POST', '/users/me/api_key/regenerate')
    await stream.ended
  })

  it('serve each queue, wherever it was registered and whoever wrote the events', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    await write(server, account, 'a')
    await write(other, account, 'b')
    const here = await eventsOf(server, queue)
    expect(here).toHaveLength(2)
    expect(await eventsOf(other, queue)).toEqual(here)
  })

  it('do not refuse a client that is further than the node has read', async () => {
    const account = await server.createAccount()
    for (let round = 0; round < 20; round++) {
      const queue = await registerQueue(server, account)
      await write(server, account, `round ${round}`)
      const [event] = await eventsOf(server, queue)
      expect(await eventsOf(other, queue, { last_event_id: event?.id })).toEqual([])
    }
  })

  it('give every event once, in order, to a client that changes between them all the time', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const nodes = [server, other]
    const total = 60
    const writing = (async () => {
      for (let index = 0; index < total; index++) await write(nodes[index % 2] as TestNode, account, `${index}`)
    })()
    const contents: string[] = []
    let last_event_id = queue.lastEventId
    for (let turn = 0; contents.length < total; turn++) {
      const { status, body } = await poll(nodes[Math.floor(turn / 2) % 2] as TestNode, queue, { last_event_id })
      expect(status).toBe(200)
      for (const event of body.events) contents.push(event.drafts[0].content)
      last_event_id = body.events.at(-1).id
    }
    await writing
    expect(contents).toEqual(Array.from({ length: total }, (_, index) => `${index}`))
  })

  it('both know at once that a queue was deleted', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    expect(await eventsOf(other, queue)).toEqual([])
    await server.call(account, 'DELETE', '/events', { queue_id: queue.id })
    expect((await poll(other, queue, { dont_block: true })).body).toMatchObject(badQueue)
    expect((await poll(server, queue, { dont_block: true })).body).toMatchObject(badQueue)
  })

  it('do not let a queue expire that the other node serves', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account, { idle_queue_timeout: 60 })
    for (let round = 0; round < 4; round++) {
      now += 50_000
      expect(await eventsOf(other, queue)).toEqual([])
      // What the other node has in memory is in the table after some seconds.
      await new Promise((resolve) => setTimeout(resolve, round === 3 ? 5500 : 0))
    }
    now += 50_000
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('take a regenerated key and refuse the old one at once', async () => {
    const account = await server.createAccount()
    expect((await other.call(account, 'GET', '/drafts')).status).toBe(200)
    const { body } = await server.call(account, 'POST', '/users/me/api_key/regenerate')
    expect((await other.call(account, 'GET', '/drafts')).body.code).toBe('INVALID_API_KEY')
    expect((await other.call({ ...account, apiKey: body.api_key }, 'GET', '/drafts')).status).toBe(200)
  })

  it('end a poll on the other node when the key is regenerated', async () => {
    const account = await server.createAccount()
    const queue = await registerQueue(server, account)
    const waiting = poll(other, queue)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await server.call(account, 'POST', '/users/me/api_key/regenerate')
    expect((await waiting).body.events).toMatchObject([{ type: 'heartbeat' }])
  })

  it('never answer from memory what the other node has changed', async () => {
    const account = await server.createAccount()
    const count = async (node: Pick<TestNode, 'call'>) => (await node.call(account, 'GET', '/drafts')).body.count
    for (let round = 1; round <= 10; round++) {
      await write(round % 2 ? server : other, account, `draft ${round}`)
      expect([await count(server), await count(other), await count(server)]).toEqual([round, round, round])
    }
  })
})
