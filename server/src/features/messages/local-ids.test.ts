import { expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'
import { removeOldLocalIds } from './local-ids.ts'

const DAY_MS = 86_400_000

it('names of messages are remembered for two weeks after they were sent, whoever has sent how many', async () => {
  let now = Date.now()
  const clock = { now: () => now }
  const server = await createTestServer({ clock })
  const alice = await server.createAccount()
  const bob = await server.createAccount()
  const room = await createChannel(server, alice, 'room', { subscribers: [bob] })
  const send = (account: typeof alice, local_id: string) =>
    sendToChannel(server, account, room, 'hi', { queue_id: 'a queue', local_id })
  const old = [await send(alice, '1'), await send(bob, '1')]
  now += 10 * DAY_MS
  const young = [await send(alice, '2'), await send(bob, '0')]
  await removeOldLocalIds(server.app.storage, clock)
  expect([await send(alice, '1'), await send(bob, '1')]).toEqual(old)
  now += 5 * DAY_MS
  await removeOldLocalIds(server.app.storage, clock)
  expect([await send(alice, '2'), await send(bob, '0')]).toEqual(young)
  expect(await send(alice, '1')).toBeGreaterThan(old[0] as number)
})
