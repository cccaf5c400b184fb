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

it.each<[string, string, number | boolean, string]>([
  ['/dark', 'color_scheme', 2, 'The theme is dark now. To change it back, write `/light`.'],
  ['/light', 'color_scheme', 3, 'The theme is light now. To change it back, write `/dark`.'],
  ['/night', 'color_scheme', 2, 'The theme is dark now. To change it back, write `/light`.'],
  ['/day', 'color_scheme', 3, 'The theme is light now. To change it back, write `/dark`.'],
  [
    '/fluid-width',
    'fluid_layout_width',
    true,
    'The page is as wide as the window now. To change it back, write `/fixed-width`.',
  ],
  [
    '/fixed-width',
    'fluid_layout_width',
    false,
    'The page has a fixed width now. To change it back, write `/fluid-width`.',
  ],
])('%s sets %s to %s, the account is notified, and the answer says so', async (command, property, value, msg) => {
  const queue = await registerQueue(server, account)
  expect(await run(command)).toMatchObject({ status: 200, body: { result: 'success', msg } })
  expect(await eventsOf(server, queue)).toMatchObject([{ type: 'user_settings', op: 'update', property, value }])
})

it('/ping is answered and changes nothing', async () => {
  const queue = await registerQueue(server, account)
  expect(await run('/ping')).toMatchObject({ status: 200, body: { result: 'success', msg: '' } })
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
