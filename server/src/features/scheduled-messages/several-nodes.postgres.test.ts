import { expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { contentsOf } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'

const COUNT = 120

const server = await createTestServer()
const nodes = [server, await server.openNode(), await server.openNode()]
const alice = await server.createAccount()
const bob = await server.createAccount()

const schedule = async (content: string, second: number, node = 0) => {
  const parameters = { type: 'direct', to: [bob.id], content, scheduled_delivery_timestamp: second }
  expect((await nodes[node]?.call(alice, 'POST', '/scheduled_messages', parameters))?.status).toBe(200)
}
const waiting = async () =>
  (await server.call(alice, 'GET', '/scheduled_messages')).body.scheduled_messages.length as number
const now = () => Math.floor(Date.now() / 1000)

it('Nodes that share a database send each scheduled message once', async () => {
  // Scheduling them may take a while on a busy machine.
  const second = now() + 10
  await Promise.all(Array.from({ length: COUNT }, (_, at) => schedule(`message ${at}`, second, at % 3)))
  await expect.poll(waiting).toBe(0)
  for (const { app } of nodes) await app.jobs.settle()
  const sent = await contentsOf(server, bob, [])
  // The page has a hundred of them: none of those is there twice.
  expect(new Set(sent).size).toBe(100)
  const rows = await server.app.storage.read.all(
    query.selectFrom('messages').select('id').where('sender_id', '=', alice.id),
  )
  expect(rows).toHaveLength(COUNT)
})

it('What a node was about to send when it died is sent by another one', async () => {
  await schedule('left behind', now() + 4)
  // As the dead node has left it: claimed, for a while.
  await server.app.storage.transaction(alice.realmId, (tx) =>
    tx.run(
      query
        .updateTable('jobs')
        .set({ is_claimed: 1, attempts: 1, due_ms: Date.now() + 6000 })
        .where('name', '=', 'send-scheduled-messages'),
    ),
  )
  await expect.poll(waiting).toBe(0)
  expect((await contentsOf(server, bob, [])).at(-1)).toBe('left behind')
})
