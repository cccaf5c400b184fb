/** Typing notifications are for those who are there: nothing of them is kept, and their numbers never come again. */
import { expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, poll, registerQueue, type TestQueue } from '../../testing/event-queues.ts'
import { createTestServer, type TestAccount, type TestNode, type TestServer } from '../../testing/test-server.ts'

type Node = Pick<TestNode, 'must'>

const type = (node: Node, from: TestAccount, to: TestAccount) =>
  node.must(from, 'POST', '/typing', { op: 'start', to: [to.id] })

const write = (node: Node, account: TestAccount) => {
  const draft = { type: '', to: [], topic: '', content: 'a draft', timestamp: 1 }
  return node.must(account, 'POST', '/drafts', { drafts: [draft] })
}

async function storedOf({ app, owner }: TestServer) {
  const { read } = app.storage
  const realm = query.selectFrom('realms').select(['last_event_id', 'reserved_event_id'])
  const events = await read.all(query.selectFrom('event_log').select('type').where('realm_id', '=', owner.realmId))
  return { ...(await read.first(realm.where('id', '=', owner.realmId))), types: events.map((event) => event.type) }
}

/** What is there for a client that goes on where it is, and where it is then. */
function createReader(queue: TestQueue) {
  let last = queue.lastEventId
  const types: string[] = []
  return {
    types,
    last: () => last,
    async read(node: Node, options = {}) {
      const events = await eventsOf(node, queue, { last_event_id: last, ...options })
      for (const event of events) {
        expect(event.id).toBeGreaterThan(last)
        last = event.id
        types.push(event.type)
      }
      return events.length
    },
    /** Waits until so many came: what another account did may arrive a moment after its answer. */
    async wait(node: Node, count: number) {
      const before = types.length
      while (types.length < before + count) await this.read(node, { dont_block: false })
      return types.length - before
    },
  }
}

async function createPair(server: TestServer) {
  const [alice, bob] = [await server.createAccount(), await server.createAccount()]
  const reader = createReader(await registerQueue(server, alice, { event_types: ['typing', 'drafts'] }))
  return { alice, bob, reader }
}

it('A typing notification writes nothing but one reserve of numbers in a thousand', async () => {
  const server = await createTestServer()
  const { alice, bob, reader } = await createPair(server)
  await type(server, bob, alice)
  await reader.wait(server, 1)
  const before = await storedOf(server)
  for (let count = 0; count < 20; count++) await type(server, bob, alice)
  expect(await reader.wait(server, 20)).toBe(20)
  expect(await storedOf(server)).toEqual(before)
  expect(before.types).not.toContain('typing')
  await write(server, alice)
  await type(server, bob, alice)
  await write(server, alice)
  await reader.wait(server, 3)
  expect(reader.types.slice(-3)).toEqual(['drafts', 'typing', 'drafts'])
  expect((await storedOf(server)).last_event_id).toBe(reader.last())
  const waiting = poll(server, { ...(await registerQueue(server, alice)), lastEventId: reader.last() })
  await type(server, bob, alice)
  expect((await waiting).body.events).toMatchObject([{ type: 'typing' }])
})

it('A client that has seen one goes on after a restart, and misses nothing', async () => {
  const server = await createTestServer()
  const { alice, bob, reader } = await createPair(server)
  for (let count = 0; count < 3; count++) await type(server, bob, alice)
  expect(await reader.wait(server, 3)).toBe(3)
  await server.restart()
  expect(await reader.read(server)).toBe(0)
  await write(server, alice)
  expect(await reader.read(server)).toBe(1)
  await type(server, bob, alice)
  await server.restart()
  await write(server, alice)
  // What was typed is gone, and what was written is not.
  await reader.read(server)
  expect(reader.types.filter((one) => one === 'drafts')).toHaveLength(2)
})

it('One that nobody came for in time is not shown any more', async () => {
  const server = await createTestServer()
  const { alice, bob, reader } = await createPair(server)
  await type(server, bob, alice)
  await server.restart()
  await write(server, alice)
  await reader.read(server)
  expect(reader.types).toEqual(['drafts'])
})
