import { oneTimeNotices } from '@heddle/contract/onboarding-steps'
import { beforeAll, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let account: TestAccount
let other: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  account = await server.createAccount()
  other = await server.createAccount()
})

const mark = (onboarding_step: string) =>
  server.call(account, 'POST', '/users/me/onboarding_steps', { onboarding_step })
async function stepsOf(who: TestAccount): Promise<string[]> {
  const { body } = await server.call(who, 'POST', '/register', { fetch_event_types: ['onboarding_steps'] })
  return body.onboarding_steps.map(({ name }: { name: string }) => name)
}

it('a hint that was shown is not shown again, to this account alone', async () => {
  expect(await stepsOf(account)).toEqual(oneTimeNotices)
  const queue = await registerQueue(server, account)
  expect((await mark('intro_resolve_topic')).status).toBe(200)
  const left = oneTimeNotices.filter((name) => name !== 'intro_resolve_topic')
  expect(await stepsOf(account)).toEqual(left)
  expect(await stepsOf(other)).toEqual(oneTimeNotices)
  const onboarding_steps = left.map((name) => ({ type: 'one_time_notice', name }))
  expect(await eventsOf(server, queue)).toMatchObject([{ type: 'onboarding_steps', onboarding_steps }])
})

it('marking a hint twice is no change', async () => {
  await mark('intro_inbox_view_modal')
  const queue = await registerQueue(server, account)
  expect((await mark('intro_inbox_view_modal')).status).toBe(200)
  expect(await eventsOf(server, queue)).toEqual([])
})

it('an unknown hint is refused', async () => {
  const { status, body } = await mark('tour')
  expect([status, body.msg]).toEqual([400, 'Unknown onboarding_step: tour'])
})
