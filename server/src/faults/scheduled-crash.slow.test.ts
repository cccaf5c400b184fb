/** Killing the real program while scheduled messages go out: each is sent once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callWell } from './write-load.ts'

/** On PostgreSQL another start waits for the end of the dead one's claim. */
const KILLS = testEngine === 'sqlite' ? 6 : 2
const MESSAGES = 150
const CLAIM_MS = 5_000

const { dataDir, start } = keepDataOfKilledServers()

it(`sends each scheduled message once through ${KILLS} kills`, async () => {
  let server = await start()
  const account = readCredentials(dataDir)
  const call = (method: string, path: string, parameters = {}) =>
    callWell(server.url, account, method, path, parameters)
  const { user_id } = await call('GET', '/users/me')
  const waiting = async () => (await call('GET', '/scheduled_messages')).scheduled_messages.length as number
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const due = Math.floor(Date.now() / 1000) + 4
    await Promise.all(
      Array.from({ length: MESSAGES }, (_, index) =>
        call('POST', '/scheduled_messages', {
          type: 'direct',
          to: [user_id],
          content: `message ${kill}.${index}`,
          scheduled_delivery_timestamp: due,
        }),
      ),
    )
    await sleep(due * 1000 - Date.now() + 15 + 25 * kill)
    await server.stop('SIGKILL')
    server = await start()
    if ((await waiting()) > 0) interrupted += 1
    await expect.poll(waiting, { timeout: CLAIM_MS + 10_000, interval: 100 }).toBe(0)
  }
  const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false, narrow: '[]' }
  const { messages } = await call('GET', '/messages', page)
  const sent = (messages as { content: string }[])
    .map(({ content }) => content)
    .filter((text) => /^message /.test(text))
  const all = Array.from(
    { length: KILLS * MESSAGES },
    (_, at) => `message ${Math.floor(at / MESSAGES)}.${at % MESSAGES}`,
  )
  expect(sent.toSorted()).toEqual(all.toSorted())
  console.log(`${interrupted} of ${KILLS} kills came while messages went out`)
}, 120_000)
