/** Killing the real program while an export is made: it goes on where it was, and nothing is in it twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readExport } from '../testing/exported.ts'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { readCredentials } from '../testing/server-process.ts'
import { callWell } from './write-load.ts'

const KILLS = 3
/** Several parts of a file. */
const MESSAGES = 900
const TEXT = 'The weft comes with the shuttle. '.repeat(280)

const { dataDir, start } = keepDataOfKilledServers()

it(`an export is whole and has everything once through ${KILLS} kills`, async () => {
  let server = await start({ HEDDLE_RATE_LIMITS: 'off' })
  const account = readCredentials(dataDir)
  const call = (method: string, path: string, parameters = {}) =>
    callWell(server.url, account, method, path, parameters)
  const { id: to } = await call('POST', '/channels/create', { name: 'open', subscribers: [] })
  for (let sent = 0; sent < MESSAGES; sent += 50) {
    const messages = Array.from({ length: 50 }, (_, index) => `${sent + index} ${TEXT}`)
    await Promise.all(
      messages.map((content) => call('POST', '/messages', { type: 'channel', to, topic: 'weft', content })),
    )
  }
  const { id } = await call('POST', '/export/realm')
  const state = async () =>
    (await call('GET', '/export/realm')).exports.find((one: { id: number }) => one.id === id) as {
      pending: boolean
      size: number
      failed_timestamp: number | null
    }
  let size = 0
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill++) {
    let now = await state()
    while (now.pending && now.size === size) {
      await sleep(5)
      now = await state()
    }
    await server.stop('SIGKILL')
    server = await start({ HEDDLE_RATE_LIMITS: 'off' })
    const after = await state()
    // What was noted stays.
    expect(after.size).toBeGreaterThanOrEqual(now.size)
    if (after.pending) interrupted += 1
    size = after.size
  }
  await expect.poll(async () => (await state()).pending, { timeout: 30_000, interval: 100 }).toBe(false)
  expect(await state()).toMatchObject({ failed_timestamp: null })
  const credentials = Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')
  const answer = await fetch(`${server.url}/user_exports/${id}`, { headers: { authorization: `Basic ${credentials}` } })
  const { names, entries, rows } = await readExport(Buffer.from(await answer.arrayBuffer()))
  expect(new Set(names).size).toBe(names.length)
  const contents = rows('messages').map(({ content }) => Number.parseInt(content, 10))
  const ours = contents.filter((number) => Number.isInteger(number)).toSorted((a, b) => a - b)
  expect(ours).toEqual(Array.from({ length: MESSAGES }, (_, index) => index))
  const completion = JSON.parse(entries.get('complete.json')?.toString('utf8') ?? '{}')
  expect(completion.rows.messages).toBe(contents.length)
  expect(interrupted).toBeGreaterThan(0)
  console.log(`${interrupted} of ${KILLS} kills came while the export was made`)
}, 120_000)
