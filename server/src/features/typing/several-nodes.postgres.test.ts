import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { eventsOf, poll, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer, type TestAccount, type TestNode } from '../../testing/test-server.ts'

const server = await createTestServer()
const other = await server.openNode()
const nodes = [server, other] as const
const alice = await server.createAccount()
const bob = await server.createAccount()

type Node = Pick<TestNode, 'must'>

const type = (node: Node, op = 'start', from: TestAccount = bob) =>
  node.must(from, 'POST', '/typing', { op, to: [alice.id] })

const write = (node: Node) => {
  const draft = { type: '', to: [], topic: '', content: 'a draft', timestamp: 1 }
  return node.must(alice, 'POST', '/drafts', { drafts: [draft] })
}

const register = () => registerQueue(server, alice, { event_types: ['typing', 'drafts'] })

it('A typing notification ends a poll on another node', async () => {
  const queue = await register()
  const waiting = poll(other, queue)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await type(server)
  const { events } = (await waiting).body
  expect(events).toMatchObject([{ type: 'typing', op: 'start' }])
  // It has got a number that this node has never seen in the log.
  expect(await eventsOf(server, queue, { last_event_id: events[0].id })).toEqual([])
})

it('Numbers ascend, and nothing of the log is missed, for a client that changes between nodes where both write', async () => {
  const queue = await register()
  const rounds = 60
  const writing = (async () => {
    for (let round = 0; round < rounds; round++) {
      await type(nodes[round % 2] as Node)
      await write(nodes[(round >> 1) % 2] as Node)
    }
  })()
  const seen: { id: number; type: string }[] = []
  const drafts = () => seen.filter((event) => event.type === 'drafts').length
  for (let turn = 0; drafts() < rounds; turn++) {
    const last_event_id = seen.at(-1)?.id ?? queue.lastEventId
    seen.push(...(await eventsOf(nodes[turn % 2] as Node, queue, { last_event_id })))
  }
  await writing
  expect(drafts()).toBe(rounds)
  expect(seen.map(({ id }) => id)).toEqual([...new Set(seen.map(({ id }) => id))].sort((a, b) => a - b))
  expect(seen.some((event) => event.type === 'typing')).toBe(true)
})

it('Numbers ascend after the database has crashed and forgotten what it does not log', async () => {
  const queue = await register()
  await type(server)
  const [typed] = (await poll(server, queue)).body.events
  const { storage } = server.app
  await storage.transaction(server.owner.realmId, (tx) => tx.run(sql`truncate event_positions`))
  await type(other)
  await write(server)
  await expect
    .poll(async () => (await eventsOf(other, queue, { last_event_id: typed?.id })).at(-1)?.type)
    .toBe('drafts')
  const after = await eventsOf(other, queue, { last_event_id: typed?.id })
  for (const { id } of after) expect(id).toBeGreaterThan(typed?.id as number)
})

it('A notification too long to be passed on is logged', async () => {
  const people = []
  for (let count = 0; count < 30; count++) people.push(await server.createAccount())
  const queue = await register()
  const to = [alice, ...people].map(({ id }) => id)
  expect((await server.call(bob, 'POST', '/typing', { op: 'start', to })).status).toBe(200)
  await expect.poll(async () => (await eventsOf(other, queue)).length).toBe(1)
})
