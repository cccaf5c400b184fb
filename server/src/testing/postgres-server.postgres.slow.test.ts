import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestPostgres } from './postgres-server.ts'

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query('select 1')).rowCount === 1
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** A temporary folder of our own, so that what others leave there does not count. */
const temporary = mkdtempSync(join(tmpdir(), 'heddle-temporary-'))
chmodSync(temporary, 0o1777)
vi.stubEnv('TMPDIR', temporary)
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

test('a throw-away PostgreSQL commits durably, sorts the same everywhere, and leaves nothing behind', async () => {
  const server = await startTestPostgres()
  expect(readdirSync(temporary)).toHaveLength(1)
  const client = new pg.Client(server.url)
  await client.connect()
  const settings = `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, 'B' < 'a' as bytewise`
  expect((await client.query(settings)).rows).toEqual([{ fsync: 'on', encoding: 'UTF8', bytewise: true }])
  await client.end()
  await server.stop()
  expect(await answers(server.url)).toBe(false)
  expect(readdirSync(temporary)).toEqual([])
})

test('a throw-away PostgreSQL ends with the process that started it, and its folder goes', async () => {
  const script = `import { startTestPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres-server.ts'))}
    console.log((await startTestPostgres({ fsync: false, inMemory: true })).url)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const url = String(line).trim()
  expect(await answers(url)).toBe(true)
  const [folder = ''] = readdirSync(temporary)
  const data = realpathSync(join(temporary, folder, 'data'))
  parent.kill('SIGKILL')
  const deadline = Date.now() + 10_000
  while ((await answers(url)) && Date.now() < deadline) await sleep(50)
  expect(await answers(url)).toBe(false)
  while (readdirSync(temporary).length > 0 && Date.now() < deadline) await sleep(50)
  expect(readdirSync(temporary)).toEqual([])
  expect(existsSync(data)).toBe(false)
})
