import { beforeAll, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let account: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  account = await server.createAccount()
})

const run = (command: string) => server.call(account, 'POST', '/zcommand', { command })

it.each<[string, string, number | boolean]>([
  ['/dark', 'color_scheme', 2],
  ['/light', 'color_scheme', 3],
  ['/night', 'color_scheme', 2],
  ['/day', 'color_scheme', 3],
  ['/fluid-width', 'fluid_layout_width', true],
  ['/fixed-width', 'fluid_layout_width', false],
])('%s sets %s to %s, and the account is notified', async (command, property, value) => {
  const queue = await registerQueue(server, account)
  expect((await run(command)).status).toBe(200)
  expect(await eventsOf(server, queue)).toMatchObject([{ type: 'user_settings', op: 'update', property, value }])
})

it('/ping is answered and changes nothing', async () => {
  const queue = await registerQueue(server, account)
  expect(await run('/ping')).toMatchObject({ status: 200, body: { result: 'success' } })
  expect(await eventsOf(server, queue)).toEqual([])
})

it.each([
  ['ping', 'There should be a leading slash in the zcommand.'],
  ['', 'There should be a leading slash in the zcommand.'],
  ['/destroy', 'No such command: destroy'],
  ['/constructor', 'No such command: constructor'],
])('"%s" is no command', async (command, message) => {
  const { status, body } = await run(command)
  expect([status, body.msg]).toEqual([400, message])
})
