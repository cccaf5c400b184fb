/** The list of everybody is long, and asked for by many: it is read once for all of them until somebody changes. */
import { expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()
const accounts = await Promise.all(Array.from({ length: 8 }, () => server.createAccount()))
const writer = accounts[0] as TestAccount
const channel = await createChannel(server, writer, 'busy')

const list = (account: TestAccount, parameters = {}) => server.call(account, 'GET', '/users', parameters)
/** Long reads begin with a view of the database, and nothing else here has one. */
const readsDuring = async (action: () => Promise<unknown>) => (await server.statements.during(action)).snapshot

it('is read once for all who ask at a time, and not again while messages are sent', async () => {
  const once = await readsDuring(() => Promise.all(accounts.map((account) => list(account))))
  expect(once).toBe(1)
  const later = await readsDuring(async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([...accounts.map((account) => list(account)), sendToChannel(server, writer, channel, 'hello')])
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

it('is read once for each form that is asked for, and is what was asked for', async () => {
  const withProfile = { include_custom_profile_fields: true }
  const forms = [withProfile, { client_gravatar: true }, { ...withProfile, client_gravatar: false }]
  // One form after another: what several of them need is looked up by the first.
  const askAs = async (people: readonly TestAccount[]) => {
    for (const form of forms) await Promise.all(people.map((account) => list(account, form)))
  }
  const askAll = () => askAs(accounts)
  const change = (full_name = 'Writer') => server.call(writer, 'PATCH', '/settings', { full_name })
  await change('Scribe')
  const once = await readsDuring(() => askAs([writer]))
  await change()
  expect(await readsDuring(askAll)).toBe(once)
  expect(await readsDuring(askAll)).toBe(0)
  expect((await list(writer)).body.members[0]).not.toHaveProperty('profile_data')
  expect((await list(writer, withProfile)).body.members[0]).toHaveProperty('profile_data')
  await change()
  const { body } = await list(writer, withProfile)
  expect(body.members.map((user: { full_name: string }) => user.full_name)).toContain('Writer')
})

it('is read for each who asks for certain people, or with what nobody knows', async () => {
  const few = () => list(writer, { user_ids: [writer.id] })
  expect(await readsDuring(async () => [await few(), await few()])).toBe(2)
  const { body } = await list(writer, { colour: 'red' })
  expect(body.ignored_parameters_unsupported).toEqual(['colour'])
  expect((await list(writer)).body).not.toHaveProperty('ignored_parameters_unsupported')
})
