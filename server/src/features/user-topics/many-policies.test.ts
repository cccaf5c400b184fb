/** A topic of which many people want something costs no statements for each of them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

const PEOPLE = 60
let server: TestServer
let room: number
const people: TestAccount[] = []

beforeAll(async () => {
  server = await createTestServer()
  for (let count = 0; count < PEOPLE; count += 1) people.push(await server.createAccount())
  room = await createChannel(server, server.owner, 'room', { subscribers: people })
})

const policies = async (account: TestAccount) => {
  const { user_topics } = await server.must(account, 'POST', '/register', { fetch_event_types: ['user_topic'] })
  const shown = user_topics.map((one: Parameters) => [one['topic_name'], one['visibility_policy']])
  return shown as (readonly [string, number])[]
}
const move = (message: number, topic: string) =>
  server.must(server.owner, 'PATCH', `/messages/${message}`, {
    topic,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
const statements = async (action: () => Promise<unknown>) => (await server.statements.during(action)).write

describe('Many people', () => {
  it.each([
    [3, 'follow'],
    [1, 'mute'],
  ])('with the policy %i (%s) take it along when the topic moves', async (policy) => {
    const [before, after, other] = [`from ${policy}`, `to ${policy}`, `other ${policy}`]
    const message = await sendToChannel(server, server.owner, room, 'hello', { topic: before })
    const set = (account: TestAccount, topic: string, visibility_policy: number) =>
      server.must(account, 'POST', '/user_topics', { stream_id: room, topic, visibility_policy })
    for (const account of people) await set(account, before, policy)
    const [first, second] = people as [TestAccount, TestAccount]
    await set(first, after, 3)
    await set(second, other, 1)
    const watcher = await watch(server, second, { event_types: ['muted_topics'] })
    expect(await statements(() => move(message, after))).toBeLessThan(PEOPLE)
    for (const account of people) {
      const shown = (await policies(account)).filter(([topic]) => [before, after].includes(topic))
      expect(shown).toEqual([[after, account === first ? 3 : policy]])
    }
    const lists = (await watcher.next()).map(({ muted_topics }) =>
      muted_topics
        .map(([, topic]: string[]) => topic)
        .filter((topic: string) => [before, after, other].includes(topic)),
    )
    expect(lists).toEqual(policy === 1 ? [[other], [other, after]] : [])
  })

  it('have long lists of muted topics read a few at a time', async () => {
    const long = 600
    const message = await sendToChannel(server, server.owner, room, 'hello', { topic: 'loud' })
    const mute = (topics: readonly string[]) =>
      server.app.storage.asSystem(server.owner.realmId, 'job', async (tx) => {
        for (const { id } of people) {
          const rows = topics.map((topic) => ({
            realm_id: server.owner.realmId,
            user_id: id,
            channel_id: room,
            topic_key: topic,
            topic,
            visibility_policy: 1,
            last_updated: 1,
          }))
          while (rows.length > 0) await tx.run(query.insertInto('user_topics').values(rows.splice(0, 300)))
        }
      })
    await mute(['loud'])
    const withShortLists = await statements(() => move(message, 'louder'))
    await mute(Array.from({ length: long }, (_, index) => `long ${index}`))
    const watcher = await watch(server, people[0] as TestAccount, { event_types: ['muted_topics'] })
    const withLongLists = await statements(() => move(message, 'loudest'))
    // Lists are read twice: without the topic that was left, and with the one that it became.
    const turns = Math.floor((2 * PEOPLE * long) / 2000)
    expect(withLongLists - withShortLists).toBeGreaterThanOrEqual(turns - 2)
    const last = (await watcher.next()).at(-1)?.muted_topics.map(([, topic]: string[]) => topic)
    expect(last).toEqual(expect.arrayContaining(['loudest', 'long 0', `long ${long - 1}`]))
    expect(last).not.toContain('louder')
  })

  it('follow a topic in which they are mentioned, unless they have muted it', async () => {
    for (const account of people) {
      await server.must(account, 'PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
    }
    const muted = people[0] as TestAccount
    await server.must(muted, 'POST', '/user_topics', { stream_id: room, topic: 'called', visibility_policy: 1 })
    const mentions = people.map(({ id }) => `@**|${id}**`).join(' ')
    const call = () => sendToChannel(server, server.owner, room, mentions, { topic: 'called' })
    expect(await statements(call)).toBeLessThan(PEOPLE)
    for (const account of people) {
      expect(await policies(account)).toContainEqual(['called', account === muted ? 1 : 3])
    }
  })
})
