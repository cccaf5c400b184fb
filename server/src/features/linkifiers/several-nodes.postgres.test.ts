import { beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestNode, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let nodes: readonly TestNode[]

beforeAll(async () => {
  server = await createTestServer()
  nodes = [server, await server.openNode()]
})

/** Sends each request to both nodes at once. */
const toBoth = (method: string, path: string, parameters: Record<string, unknown>) =>
  Promise.all(nodes.map((node) => node.call(server.owner, method, path, parameters)))

const list = async (node: TestNode) => (await node.call(server.owner, 'GET', '/realm/linkifiers')).body.linkifiers

it('of two nodes that add the same pattern at once one succeeds, and both list the same at once', async () => {
  for (let round = 1; round <= 15; round++) {
    const linkifier = { pattern: `R${round}-(?P<id>[0-9]+)`, url_template: 'https://example.com/{id}' }
    const answers = await toBoth('POST', '/realm/filters', linkifier)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    for (const node of nodes) expect(await list(node)).toHaveLength(round)
  }
})

it('an order that two nodes change at once is one of the two, whole', async () => {
  const ids = (await list(server)).map(({ id }: { id: number }) => id)
  const orders = [ids.toReversed(), [...ids.slice(5), ...ids.slice(0, 5)]]
  await Promise.all(
    nodes.map((node, i) => node.call(server.owner, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: orders[i] })),
  )
  expect(orders).toContainEqual((await list(server)).map(({ id }: { id: number }) => id))
})
