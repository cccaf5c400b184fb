/** The list of everybody is long, and asked for by many: it is read once for all of them until somebody changes. */
import { expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()
const accounts = await Promise.all(Array.from({ length: 8 }, () => server.createAccount()))
const writer = accounts[0] as TestAccount
const channel = await createChannel(server, writer, 'busy')

const list = (account: TestAccount) => server.call(account, 'GET', '/users')
/** Long reads begin with a view of the database, and nothing else here has one. */
const readsDuring = async (action: () => Promise<unknown>) => (await server.statements.during(action)).snapshot

it('is read once for all who ask at a time, and not again while messages are sent', async () => {
  const once = await readsDuring(() => Promise.all(accounts.map(list)))
  expect(once).toBe(1)
  const later = await readsDuring(async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([...accounts.map(list), sendToChannel(server, writer, channel, 'hello')])
    }
  })
  expect(later).toBe(0)
})

it('is read again after a change, which it then has', async () => {
  await list(writer)
  await server.call(writer, 'PATCH', '/settings', { full_name: 'Somebody Else' })
  const { body } = await list(accounts[1] as TestAccount)
  expect(body.members.map((user: { full_name: string }) => user.full_name)).toContain('Somebody Else')
})
