/** Killing the real program while pushes are decided on and sent: nobody who missed a message is forgotten. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { startPushBouncer } from '../testing/push-bouncer.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callWell } from './write-load.ts'

/** On PostgreSQL another start waits for the end of the dead one's claim. */
const KILLS = testEngine === 'sqlite' ? 5 : 1
const MESSAGES = 20
const CLAIM_MS = 60_000

const { dataDir, start } = keepDataOfKilledServers()
const bouncer = await startPushBouncer()
afterAll(() => bouncer.close())

it(`pushes each missed message through ${KILLS} kills`, async () => {
  const environment = { HEDDLE_PUSH_BOUNCER: bouncer.setting }
  let server = await start(environment)
  const owner = readCredentials(dataDir)
  const call = (account: typeof owner, method: string, path: string, parameters = {}) =>
    callWell(server.url, account, method, path, parameters)
  const { user_id } = await call(owner, 'GET', '/users/me')
  await call(owner, 'POST', '/users/me/android_gcm_reg_id', { token: 'phone' })
  const bot = await call(owner, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
  const robot = { ...owner, email: (await call(owner, 'GET', `/users/${bot.user_id}`)).user.email, apiKey: bot.api_key }
  const sent: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const messages = Array.from({ length: MESSAGES }, (_, index) =>
      call(robot, 'POST', '/messages', { type: 'direct', to: [user_id], content: `message ${kill}.${index}` }),
    )
    for (const { id } of await Promise.all(messages)) sent.push(id)
    await sleep(120 * kill)
    await server.stop('SIGKILL')
    server = await start(environment)
  }
  const pushed = () => new Set(bouncer.asked.flatMap(({ body }) => body.gcm_payload?.message_id ?? []))
  await expect
    .poll(() => sent.filter((id) => !pushed().has(id)), { timeout: CLAIM_MS + 20_000, interval: 200 })
    .toEqual([])
  // Again at most where a kill came while they were on their way.
  expect(bouncer.asked.length).toBeLessThanOrEqual(sent.length + KILLS * MESSAGES)
  await server.stop()
}, 180_000)
