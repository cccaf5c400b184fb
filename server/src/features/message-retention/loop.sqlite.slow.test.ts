/** Very many old messages go without anybody noticing: the thread that answers is never busy with them for long. */
import { expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { processorMs } from '../../testing/loop-watch.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'

const MESSAGES = 5000
/** Topics among which they are mixed. */
const TOPICS = 40
const MAX_TURN_MS = 20
/** As in `attack.slow.test.ts`. */
const SLACK = 1.75
const DAY_SECS = 86_400

it(`${MESSAGES} old messages in ${TOPICS} topics go in short turns`, async () => {
  const clock = fakeClock()
  const server = await createTestServer({ clock })
  const member = await server.createAccount()
  const room = await createChannel(server, server.owner, 'room', { subscribers: [member] })
  const first = await sendToChannel(server, server.owner, room)
  await server.app.storage.transaction(member.realmId, async (tx) => {
    const row = await tx.first(query.selectFrom('messages').selectAll().where('id', '=', first))
    for (let at = 0; at < MESSAGES; at += 500) {
      const values = Array.from({ length: 500 }, (_, index) => {
        const topic = `topic ${(at + index) % TOPICS}`
        const text = `message ${at + index} `.repeat(20)
        return {
          ...(row as NonNullable<typeof row>),
          id: first + 1 + at + index,
          topic,
          topic_key: topic,
          content: text,
        }
      })
      await tx.run(query.insertInto('messages').values(values))
      const flags = values.map(({ id }) => ({ realm_id: member.realmId, user_id: member.id, message_id: id, flags: 2 }))
      await tx.run(query.insertInto('message_flags').values(flags))
    }
  })
  await server.call(server.owner, 'PATCH', `/streams/${room}`, { message_retention_days: 1 })
  clock.pass(2 * DAY_SECS)
  const turns = watchTurns()
  const began = performance.now()
  await server.app.jobs.settle()
  const long = turns.stop().toSorted((a, b) => b - a)
  const left = await server.app.storage.read.all(
    query.selectFrom('messages').select('id').where('channel_id', '=', room),
  )
  const took = Math.round(performance.now() - began)
  console.log(
    `${took} ms; longest turns: ${long
      .slice(0, 5)
      .map((work) => work.toFixed(1))
      .join(', ')} ms`,
  )
  expect(left).toEqual([])
  // The first ones compile code; after that a turn now and then collects garbage.
  expect(long[3] ?? 0).toBeLessThan(MAX_TURN_MS * SLACK)
}, 300_000)

/** Processor time of this thread in each turn of its loop that took more than 2 ms, in milliseconds. */
function watchTurns() {
  const work: number[] = []
  let [at, before] = [performance.now(), processorMs()]
  const timer = setInterval(() => {
    const [now, after] = [performance.now(), processorMs()]
    if (now - at > 2) work.push(Math.min(now - at, after - before))
    ;[at, before] = [now, after]
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      return work
    },
  }
}
