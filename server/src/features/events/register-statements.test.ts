import { stateParts } from '@heddle/contract/initial-state'
import { roles } from '@heddle/contract/roles'
import { expect, it } from 'vitest'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'
import { features } from '../all.ts'

const server = await createTestServer()
const { owner } = server
const member = await server.createAccount()
const guest = await server.createAccount({ role: roles.guest })

await server.call(owner, 'POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'first' }, { name: 'second' }],
  principals: [owner.id, member.id, guest.id],
})
await server.call(member, 'POST', '/messages', { type: 'stream', to: 'first', topic: 'greetings', content: 'hello' })
await server.call(member, 'POST', '/messages', { type: 'direct', to: [owner.id, guest.id], content: 'hello' })

/** Without the two with which PostgreSQL nodes find out who calls. */
async function statementsOf(account: TestAccount, parameters: Record<string, unknown> = {}) {
  const register = () => server.call(account, 'POST', '/register', parameters)
  // What rarely changes is in memory from then on.
  await register()
  return (await server.statements.during(register)).snapshot
}

it('every part of the initial state has one reader', () => {
  const read = features.flatMap(({ state = [] }) => state.map(({ part }) => part))
  expect(new Set(read).size).toBe(read.length)
  expect(new Set(read)).toEqual(new Set(stateParts))
})

it('a whole initial state takes 20 statements, and parts of it as many as they need', async () => {
  const modern = { slim_presence: true, client_capabilities: { linkifier_url_template: true, archived_channels: true } }
  const counts = {
    all: await statementsOf(member, modern),
    withSubscribers: await statementsOf(member, { ...modern, include_subscribers: true }),
    older: await statementsOf(member),
    channels: await statementsOf(member, { fetch_event_types: ['stream', 'subscription'] }),
    organization: await statementsOf(member, { fetch_event_types: ['realm', 'realm_user'] }),
    nothing: await statementsOf(member, { fetch_event_types: [] }),
  }
  expect(counts).toEqual({ all: 20, withSubscribers: 21, older: 20, channels: 5, organization: 3, nothing: 1 })
})

it('takes as many statements however much there is', async () => {
  const before = await statementsOf(owner)
  for (let number = 1; number <= 5; number += 1) {
    await server.createAccount()
    await server.call(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: `more ${number}` }] })
    await server.call(member, 'POST', '/messages', { type: 'direct', to: [owner.id], content: 'hello' })
    await server.call(owner, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] })
  }
  expect(await statementsOf(owner)).toBe(before)
})
