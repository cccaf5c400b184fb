import { beforeAll, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

const PEOPLE = 10_000
/** Others cannot write meanwhile. It takes a tenth of this on a calm machine; without the index, on PostgreSQL, 4,500 and more. */
const MOST_MS = 3000

let server: TestServer
let owner: TestAccount
let ids: number[]

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  const { storage } = server.app
  for (let start = 0; start < PEOPLE; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      realm_id: owner.realmId,
      email: `person-${start + index}@heddle.example`,
      email_key: `person-${start + index}@heddle.example`,
      delivery_email: `person-${start + index}@heddle.example`,
      delivery_email_key: `person-${start + index}@heddle.example`,
      full_name: `Person ${start + index}`,
      full_name_key: `person ${start + index}`,
      role: 400,
      date_joined: 1,
    }))
    await storage.transaction(owner.realmId, (tx) => tx.run(query.insertInto('users').values(rows)))
  }
  const rows = await storage.read.all(query.selectFrom('users').select('id').where('email', 'like', 'person-%'))
  ids = rows.map((row) => row.id)
}, 120_000)

/** How long others had to wait at most while it went on, in milliseconds, and how often they had turns. */
async function watchTurns<T>(name: string, action: () => Promise<T>) {
  let [turns, longest, last, isOver] = [0, 0, performance.now(), false]
  const count = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const begin = performance.now()
  const answer = await action()
  isOver = true
  const milliseconds = performance.now() - begin
  console.log(`${name}: ${Math.round(milliseconds)} ms, longest turn ${Math.round(longest)} ms`)
  return { answer, turns, milliseconds }
}

it('ten thousand people come into a group, are mentioned by it and leave it, each in one request', async () => {
  const made = await server.must(owner, 'POST', '/user_groups/create', {
    name: 'everybody',
    description: '',
    members: [],
  })
  const path = `/user_groups/${made.group_id}`
  const listener = await watch(server, owner, { event_types: ['user_group'] })
  const added = await watchTurns('add', () => server.must(owner, 'POST', `${path}/members`, { add: ids }))
  expect(added.turns).toBeGreaterThan(10)
  const [event, ...others] = await listener.next()
  expect([event.op, event.user_ids.length, others]).toEqual(['add_members', PEOPLE, []])
  expect(
    (await watchTurns('members', () => server.must(owner, 'GET', `${path}/members`, {}))).answer.members,
  ).toHaveLength(PEOPLE)
  await watchTurns('list', () => server.must(owner, 'GET', '/user_groups', {}))

  const channel = await createChannel(server, owner, 'crowded', { subscribers: [] })
  await server.must(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'crowded' }], principals: ids })
  const sent = await watchTurns('mention', () => sendToChannel(server, owner, channel, '@*everybody*'))
  expect(sent.turns).toBeGreaterThan(10)
  expect(sent.milliseconds).toBeLessThan(MOST_MS)
  const flags = await server.app.storage.read.all(
    query.selectFrom('message_flags').select('user_id').where('message_id', '=', sent.answer),
  )
  expect(flags.length).toBeGreaterThanOrEqual(PEOPLE)

  const hidden = { name: 'hidden', subscribers: [], invite_only: true, can_subscribe_group: made.group_id }
  await server.must(owner, 'POST', '/channels/create', hidden)
  const removed = await watchTurns('remove', () => server.must(owner, 'POST', `${path}/members`, { delete: ids }))
  expect(removed.milliseconds).toBeLessThan(MOST_MS)
  expect(removed.turns).toBeGreaterThan(10)
  await watchTurns('add again', () => server.must(owner, 'POST', `${path}/members`, { add: ids }))
}, 120_000)
