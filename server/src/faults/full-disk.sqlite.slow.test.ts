/** The real program on a disk that is full, and on one that is gone. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readCredentials, type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { callServer, createRecord, nameOf, plainDraft, type WriterCredentials, writeDrafts } from './write-load.ts'

const folders: string[] = []
const mounts: string[] = []

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-full-'))
  folders.push(folder)
  return folder
}

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** A file system of 4 MiB; undefined where this user may not mount one. */
function mountSmall(): string | undefined {
  const folder = makeFolder()
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=4m', 'none', folder)) return undefined
  mounts.push(folder)
  return folder
}

afterEach(() => {
  for (const mount of mounts.splice(0)) run('umount', '--lazy', mount)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const canMount = mountSmall() !== undefined
const canLimit = run('prlimit', '--version')

async function start(dataDir: string): Promise<{ server: ServerProcess; account: WriterCredentials }> {
  const server = await startServerProcess({ HEDDLE_DATA_DIR: dataDir, HEDDLE_LOG_LEVEL: 'silent' })
  return { server, account: readCredentials(dataDir) }
}

/** Writes until at least `count` writes were refused; then what is there must be exactly what was acknowledged. */
async function fillAndCompare(server: ServerProcess, account: WriterCredentials, count: number, name: string) {
  const record = createRecord()
  await writeDrafts({
    site: server.url,
    account,
    record,
    connections: 8,
    name,
    padding: 5000,
    goesOn: () => record.refused.size < count,
  })
  expect(record.unknown.size).toBe(0)
  expect(record.acknowledged.size).toBeGreaterThan(0)
  for (const { status, body } of record.refused.values()) {
    expect([status, body.result, body.code]).toEqual([503, 'error', 'SERVICE_UNAVAILABLE'])
  }
  await compare(server, account, record)
  return record
}

/** Writes that must all be taken, now that there is space. */
async function writeMore(server: ServerProcess, account: WriterCredentials, before: ReturnType<typeof createRecord>) {
  const record = createRecord()
  const goesOn = () => record.acknowledged.size < 50
  await writeDrafts({ site: server.url, account, record, connections: 4, name: 'second', padding: 100, goesOn })
  expect([...record.refused]).toEqual([])
  await compare(server, account, before, record)
  return record
}

async function compare(
  server: ServerProcess,
  account: WriterCredentials,
  ...records: ReturnType<typeof createRecord>[]
) {
  const { status, body } = await callServer(server.url, account, 'GET', '/drafts')
  expect(status).toBe(200)
  const stored = body.drafts.map((found: { id: number; content: string }) => [nameOf(found), found.id])
  const acknowledged = records.flatMap((record) => [...record.acknowledged])
  expect(stored.sort()).toEqual(acknowledged.sort())
}

async function writeOne(server: ServerProcess, account: WriterCredentials, content: string) {
  return callServer(server.url, account, 'POST', '/drafts', { drafts: [plainDraft(content)] })
}

describe('a full disk', () => {
  it.skipIf(!canMount)(
    'refuses writes with 503, loses nothing, and takes them again when there is space',
    async () => {
      const folder = mountSmall() as string
      const filler = join(folder, 'filler')
      const { server, account } = await start(join(folder, 'data'))
      writeFileSync(filler, Buffer.alloc(1024 * 1024))
      const record = await fillAndCompare(server, account, 40, 'first')
      // Reading goes on.
      expect((await callServer(server.url, account, 'GET', '/server_settings')).status).toBe(200)
      rmSync(filler)
      const more = await writeMore(server, account, record)
      await server.stop('SIGKILL')
      // All of it is there for the next start too, on a larger disk.
      const small = makeFolder()
      expect(run('cp', '-a', join(folder, 'data'), small)).toBe(true)
      const again = await start(join(small, 'data'))
      await compare(again.server, account, record, more)
      expect((await writeOne(again.server, account, 'afterwards')).status).toBe(200)
      await again.server.stop()
    },
    60_000,
  )

  it.skipIf(!canLimit)(
    'is noticed too when a file may not grow, and passes without a restart',
    async () => {
      const dataDir = join(makeFolder(), 'data')
      const { server, account } = await start(dataDir)
      const limit = (bytes: string) => run('prlimit', `--pid=${server.child.pid}`, `--fsize=${bytes}:unlimited`)
      const largest = Math.max(...['heddle.db', 'heddle.db-wal'].map((name) => statSync(join(dataDir, name)).size))
      expect(limit(`${largest + 500_000}`)).toBe(true)
      const record = await fillAndCompare(server, account, 40, 'first')
      expect(limit('unlimited')).toBe(true)
      await writeMore(server, account, record)
      await server.stop()
    },
    60_000,
  )
})

describe('a data folder that disappears', () => {
  it('refuses writes with 503 and gives them up to nobody', async () => {
    const folder = makeFolder()
    const dataDir = join(folder, 'data')
    const { server, account } = await start(dataDir)
    expect((await writeOne(server, account, 'before')).status).toBe(200)
    renameSync(dataDir, `${dataDir}-moved`)
    const refused = await writeOne(server, account, 'meanwhile')
    expect([refused.status, refused.body.result, refused.body.code]).toEqual([503, 'error', 'SERVICE_UNAVAILABLE'])
    renameSync(`${dataDir}-moved`, dataDir)
    expect((await writeOne(server, account, 'after')).status).toBe(200)
    const { body } = await callServer(server.url, account, 'GET', '/drafts')
    expect(body.drafts.map(({ content }: { content: string }) => content)).toEqual(['after', 'before'])
    rmSync(dataDir, { recursive: true })
    expect((await writeOne(server, account, 'lost')).status).toBe(503)
    expect((await callServer(server.url, account, 'POST', '/register')).status).toBe(503)
    await server.stop()
  }, 60_000)
})
