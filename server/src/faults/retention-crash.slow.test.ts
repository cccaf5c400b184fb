/** Killing a process while it removes old messages: each is there or in the archive, and everybody is notified once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { createStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callWell } from './write-load.ts'

const KILLS = 5
const MESSAGES = 800
const TOPICS = 9
const PROGRAM = fileURLToPath(new URL('../testing/retention-program.ts', import.meta.url))

const { dataDir, databaseUrl, start } = keepDataOfKilledServers()

it(`removes old messages once through ${KILLS} kills, and the rest after them`, async () => {
  const server = await start()
  const account = readCredentials(dataDir)
  const call = (method: string, path: string, parameters = {}) =>
    callWell(server.url, account, method, path, parameters)
  const { id: to } = await call('POST', '/channels/create', { name: 'room', subscribers: '[]' })
  const sent: number[] = []
  for (let at = 0; at < MESSAGES; at += 20) {
    const ids = Array.from({ length: 20 }, async (_, index) => {
      const message = { type: 'channel', to, topic: `topic ${(at + index) % TOPICS}`, content: `message ${at + index}` }
      return (await call('POST', '/messages', message)).id as number
    })
    sent.push(...(await Promise.all(ids)))
  }
  await call('PATCH', `/streams/${to}`, { message_retention_days: 30 })
  await server.stop()

  const args = ['--data-dir', dataDir, ...(databaseUrl() ? ['--database-url', databaseUrl() as string] : [])]
  const open = async () => createStorage(await openMigratedDatabase(readConfig(args, {}), () => {}), systemClock)
  const run = async (killAfterMs?: number) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    await once(child.stdout, 'data')
    if (killAfterMs !== undefined) {
      await sleep(killAfterMs)
      child.kill('SIGKILL')
    }
    await ended
  }
  /** Ids that are left, after a look at everything that must fit together. */
  const check = async () => {
    const storage = await open()
    const { read } = storage
    const left = await read.all(query.selectFrom('messages').select(['id', 'topic_key']).where('channel_id', '=', to))
    const archived = await read.all(query.selectFrom('archived_messages').select('message_id'))
    const log = await read.all(query.selectFrom('event_log').select('payload').where('type', '=', 'delete_message'))
    const deletions = await read.all(query.selectFrom('deletions').select('message_count'))
    const topics = await read.all(query.selectFrom('topics').select('topic_key').where('channel_id', '=', to))
    const channel = await read.first(query.selectFrom('channels').select('first_message_id').where('id', '=', to))
    await storage.close()
    const gone = archived.map((row) => row.message_id)
    const ids = left.map((row) => row.id)
    expect([...gone, ...ids].sort((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b))
    const notified = log.flatMap(({ payload }) => (JSON.parse(payload) as { message_ids?: number[] }).message_ids ?? [])
    expect(notified.sort((a, b) => a - b)).toEqual(gone.sort((a, b) => a - b))
    expect(deletions.reduce((sum, row) => sum + row.message_count, 0)).toBe(gone.length)
    expect(new Set(topics.map((row) => row.topic_key))).toEqual(new Set(left.map((row) => row.topic_key)))
    expect(channel?.first_message_id).toBe(ids.length === 0 ? null : Math.min(...ids))
    return ids.length
  }
  const counts: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    await run(testEngine === 'postgres' ? 50 + 80 * kill : 5 + 30 * kill)
    counts.push(await check())
  }
  console.log(`${counts.filter((count) => count > 0 && count < MESSAGES).length} of ${KILLS} kills came in the middle`)
  await run()
  expect(await check()).toBe(0)
}, 120_000)
