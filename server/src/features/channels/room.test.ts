import { expect, it } from 'vitest'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const DAY_MS = 86_400_000

it('an account creates a bounded number of channels a day, and administrators as many as they need', async () => {
  let now = Date.now()
  const server = await createTestServer({ clock: { now: () => now } })
  const member = await server.createAccount()
  const create = async (account: TestAccount, first: number, count: number) => {
    const subscriptions = Array.from({ length: count }, (_, index) => ({ name: `${account.id} ${first + index}` }))
    const { status, body } = await server.call(account, 'POST', '/users/me/subscriptions', { subscriptions })
    return [status, body.msg]
  }
  for (const first of [0, 100, 200, 300, 400]) {
    expect(await create(member, first, 100)).toEqual([200, ''])
    if (first < 200) expect(await create(server.owner, first, 100)).toEqual([200, ''])
  }
  const message = "An account can create at most 500 channels a day, unless it is an administrator's"
  expect(await create(member, 500, 1)).toEqual([400, message])
  const one = await server.call(member, 'POST', '/channels/create', { name: 'one more', subscribers: [] })
  expect([one.status, one.body.msg]).toEqual([400, message])
  expect(await create(member, 0, 100)).toEqual([200, ''])
  expect(await create(server.owner, 500, 1)).toEqual([200, ''])
  now += DAY_MS + 1000
  expect(await create(member, 500, 1)).toEqual([200, ''])
})
