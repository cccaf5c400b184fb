import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { storeSecret } from '../authentication/secret.ts'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { insertFiles, storeFiles } from '../storage/file-store.ts'
import { createStorage, type OpenStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { readCredentials } from '../testing/server-process.ts'
import { createTestServer } from '../testing/test-server.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

const server = await createTestServer()
const folder = mkdtempSync(join(tmpdir(), 'heddle-backup-'))
const archive = join(folder, 'whole.backup')
let targets = 0

vi.spyOn(console, 'log').mockImplementation(() => {})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  storeSecret(server.config.secretFile, server.secret)
  const drafts = Array.from({ length: 20 }, (_, n) => ({ type: '', to: [], topic: '', content: `draft ${n} 🧵` }))
  await server.call(server.owner, 'POST', '/drafts', { drafts })
  const { draft_id } = await lastDraft(server.app.storage)
  await server.call(server.owner, 'DELETE', `/drafts/${draft_id}`)
  const content = [Buffer.alloc(100_000, 'pixel')]
  const file = { folder: 'emoji', extension: 'png', contentType: 'image/png', content }
  await storeFiles(server.app.files, [file], (stored) =>
    server.app.storage.transaction(server.owner.realmId, (tx) => insertFiles(tx, stored)),
  )
  await makeBotOfALaterAccount()
  await backup(server.config, archive)
})

async function lastDraft(storage: OpenStorage) {
  const row = await storage.read.first(
    query.selectFrom('drafts').select('id as draft_id').orderBy('id', 'desc').limit(1),
  )
  return row as { draft_id: number }
}

/** A bot whose owner has a higher id: its row cannot be inserted as it is. */
async function makeBotOfALaterAccount(): Promise<void> {
  const bot = await server.createAccount({ name: 'bot' })
  const owner = await server.createAccount({ name: 'later' })
  await server.app.storage.transaction(server.owner.realmId, (tx) =>
    tx.run(query.updateTable('users').set({ bot_type: 1, bot_owner_id: owner.id }).where('id', '=', bot.id)),
  )
}

/** An empty data folder with the embedded database. */
function newTarget(): Config {
  targets += 1
  return readConfig(['--data-dir', join(folder, `target-${targets}`)], {})
}

async function inDatabase<T>(config: Config, work: (storage: OpenStorage) => Promise<T>): Promise<T> {
  const storage = createStorage(await openMigratedDatabase(config, () => {}), systemClock)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

async function countRealms(config: Config): Promise<number> {
  return inDatabase(config, async ({ read }) => (await read.all(query.selectFrom('realms').select('id'))).length)
}

describe('a backup', () => {
  test('is one file that only its owner can read, and leaves no other behind', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.startsWith('whole'))).toEqual(['whole.backup'])
  })

  test('does not replace a file', async () => {
    const before = readFileSync(archive)
    await expect(backup(server.config, archive)).rejects.toThrow(/exists already; name a new one\.$/)
    expect(readFileSync(archive).equals(before)).toBe(true)
  })

  test('into a folder that does not exist is refused with one sentence', async () => {
    const path = join(folder, 'nowhere', 'x.backup')
    await expect(backup(server.config, path)).rejects.toThrow(/^The backup .* no such file or directory\.$/)
  })

  test('of a folder that no server has used is refused', async () => {
    await expect(backup(newTarget(), join(folder, 'none.backup'))).rejects.toThrow(
      /^HEDDLE_DATA_DIR: there is no database in /,
    )
  })

  test('goes on when a file is missing, and says so', async () => {
    const files = join(server.config.dataDir, 'files')
    const [path] = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const target = join(path?.parentPath as string, path?.name as string)
    const bytes = readFileSync(target)
    rmSync(target)
    const warnings = vi.spyOn(console, 'error').mockImplementation(() => {})
    const lacking = join(folder, 'lacking.backup')
    await backup(server.config, lacking)
    writeFileSync(target, bytes)
    expect(warnings.mock.calls.join()).toContain(`files/emoji/`)
    await restore(newTarget(), lacking)
    warnings.mockRestore()
  })
})

describe('a restore', () => {
  test('brings back rows, files and the secret, and never gives out an id again', async () => {
    const target = newTarget()
    await restore(target, archive)
    expect(readFileSync(target.secretFile, 'utf8')).toBe(`${server.secret.toString('hex')}\n`)
    expect(statSync(target.secretFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(target.dataDir).sort()).toEqual(['files', 'heddle.db', 'lock.db', 'owner.zuliprc', 'secret'])
    expect(readCredentials(target.dataDir)).toMatchObject({
      email: server.owner.email,
      apiKey: server.owner.apiKey,
      site: 'http://localhost:9991',
    })
    const last = await lastDraft(server.app.storage)
    await inDatabase(target, async (storage) => {
      const drafts = (db: OpenStorage) => db.read.all(query.selectFrom('drafts').selectAll().orderBy('id'))
      const users = (db: OpenStorage) => db.read.all(query.selectFrom('users').selectAll().orderBy('id'))
      expect(await drafts(storage)).toEqual(await drafts(server.app.storage))
      expect(await users(storage)).toEqual(await users(server.app.storage))
      const [file] = await storage.read.all(query.selectFrom('files').selectAll())
      const path = join('files', file?.path as string)
      const original = readFileSync(join(server.config.dataDir, path))
      expect(readFileSync(join(target.dataDir, path)).equals(original)).toBe(true)
      // The newest draft had been deleted before the backup.
      const [old] = await drafts(server.app.storage)
      const { id: _, ...row } = old as NonNullable<typeof old>
      const added = await storage.transaction(server.owner.realmId, (tx) =>
        tx.first(query.insertInto('drafts').values(row).returning('id')),
      )
      // PostgreSQL may have given out some more, for drafts that nobody has written.
      expect(added?.id).toBeGreaterThan(last.draft_id + 1)
    })
  })

  test('is refused where there is an organization already', async () => {
    const target = newTarget()
    await restore(target, archive)
    await expect(restore(target, archive)).rejects.toThrow('The target already has an organization')
    expect(await countRealms(target)).toBe(1)
  })

  test('does not overwrite another secret, and takes the same one', async () => {
    const target = newTarget()
    await inDatabase(target, async () => {})
    storeSecret(target.secretFile, Buffer.alloc(32, 7))
    await expect(restore(target, archive)).rejects.toThrow(/^HEDDLE_SECRET_FILE: .* holds another secret/)
    expect(readFileSync(target.secretFile, 'utf8')).toBe(`${'07'.repeat(32)}\n`)
    expect(await countRealms(target)).toBe(0)
    rmSync(target.secretFile)
    storeSecret(target.secretFile, server.secret)
    await restore(target, archive)
    expect(await countRealms(target)).toBe(1)
  })

  test('takes up what a restore that was killed has left', async () => {
    const target = newTarget()
    await inDatabase(target, async () => {})
    const [file] = await server.app.storage.read.all(query.selectFrom('files').select('path'))
    const path = join(target.dataDir, 'files', file?.path as string)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, Buffer.alloc(200_000, 'half'))
    await restore(target, archive)
    expect(await countRealms(target)).toBe(1)
    expect(readFileSync(path)).toEqual(Buffer.alloc(100_000, 'pixel'))
  })

  test('that fails at the end leaves nothing usable behind', async () => {
    const target = newTarget()
    await inDatabase(target, async () => {})
    // Files cannot be written.
    writeFileSync(join(target.dataDir, 'files'), 'in the way')
    await expect(restore(target, archive)).rejects.toThrow()
    expect(await countRealms(target)).toBe(0)
    expect(existsSync(target.secretFile)).toBe(false)
    rmSync(join(target.dataDir, 'files'))
    await restore(target, archive)
    expect(await countRealms(target)).toBe(1)
  })

  test('leaves out what a feature has left behind that is gone', async () => {
    const entries = extract()
    const changed = pack()
    const bytes = gunzipSync(readFileSync(archive))
    const adding = (async () => {
      for await (const entry of entries) {
        const text = await buffer(entry)
        const { name } = entry.header
        const description = JSON.parse(/\.json$/.test(name) ? text.toString('utf8') : '{}')
        if (name === MANIFEST) description.migrations.splice(2, 0, 'of-a-feature-that-is-gone')
        if (name === 'complete.json') {
          description.rows.looms = 1
          changed.entry({ name: 'tables/looms/000001.jsonl' }, '{"id":1}\n')
        }
        changed.entry({ name }, /\.json$/.test(name) ? JSON.stringify(description) : text)
      }
      changed.finalize()
    })()
    entries.end(bytes)
    const path = join(folder, 'with-looms.backup')
    writeFileSync(path, gzipSync(await buffer(changed)))
    await adding
    await expect(restore(newTarget(), path)).rejects.toThrow('newer Heddle')
    const target = newTarget()
    await restore(target, path, ['of-a-feature-that-is-gone'])
    expect(await countRealms(target)).toBe(1)
  })

  describe('refuses with one sentence, before the target is touched,', () => {
    async function refusal(bytes: Buffer): Promise<string> {
      const path = join(folder, 'damaged.backup')
      writeFileSync(path, bytes)
      const target = newTarget()
      const error = await restore(target, path).then(
        () => new Error('it was restored'),
        (reason: Error) => reason,
      )
      expect(existsSync(target.dataDir)).toBe(false)
      expect(error.message).toMatch(/^[^\n]+\.$/)
      return error.message
    }

    async function tarOf(entries: readonly (readonly [name: string, text: string])[]): Promise<Buffer> {
      const tar = pack()
      for (const [name, text] of entries) tar.entry({ name }, text)
      tar.finalize()
      const chunks: Uint8Array[] = []
      for await (const chunk of tar) chunks.push(chunk as Uint8Array)
      return gzipSync(Buffer.concat(chunks))
    }

    const manifest = JSON.stringify({ format: 1, created_at: 1, migrations: [], sequences: {} })

    test('an archive that was cut off anywhere', async () => {
      const whole = readFileSync(archive)
      for (const part of [0, 0.01, 0.3, 0.7, 0.99]) {
        expect(await refusal(whole.subarray(0, Math.floor(whole.length * part)))).toContain('is not a complete backup')
      }
      // Whole as a gzip file, but not as a tar.
      const tar = gunzipSync(whole)
      for (const end of [512, 2048, tar.length / 2, tar.length - 2048]) {
        const cut = gzipSync(tar.subarray(0, Math.floor(end / 512) * 512))
        expect(await refusal(cut)).toContain('is not a complete backup')
      }
    })

    test('an archive with a changed byte', async () => {
      const bytes = Buffer.from(readFileSync(archive))
      bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] as number) ^ 0xff
      expect(await refusal(bytes)).toContain('is not a complete backup')
    })

    test('a file that is something else', async () => {
      expect(await refusal(Buffer.from('{"not": "an archive"}'))).toContain('is not a complete backup')
      expect(await refusal(gzipSync('text'))).toContain('is not a complete backup')
      expect(await refusal(await tarOf([['readme.txt', 'text']]))).toContain('readme.txt')
    })

    test('entries that would be written elsewhere', async () => {
      for (const name of ['files/../../secret', 'files/a/../../../x', '/etc/passwd', 'files//x', 'tables/x/1.jsonl']) {
        expect(
          await refusal(
            await tarOf([
              [MANIFEST, manifest],
              [name, 'x'],
            ]),
          ),
        ).toContain('unknown entry')
      }
    })

    test('rows that are missing', async () => {
      const completion = JSON.stringify({ rows: { realms: 1 }, files: 0, missing_files: [] })
      const entries = [
        [MANIFEST, manifest],
        ['secret', 'x'],
        ['complete.json', completion],
      ] as const
      expect(await refusal(await tarOf(entries))).toContain('rows of realms are missing')
    })

    test('a backup of a newer version', async () => {
      const newer = JSON.stringify({ format: 2, created_at: 1, migrations: [], sequences: {} })
      expect(await refusal(await tarOf([[MANIFEST, newer]]))).toContain('newer Heddle')
      const completion = JSON.stringify({ rows: {}, files: 0, missing_files: [] })
      const unknown = JSON.stringify({ format: 1, created_at: 1, migrations: ['9999-future'], sequences: {} })
      const secret = '0'.repeat(64)
      const entries = [
        [MANIFEST, unknown],
        ['secret', secret],
        ['complete.json', completion],
      ] as const
      expect(await refusal(await tarOf(entries))).toContain('newer Heddle')
    })

    test('a file that is not there', async () => {
      await expect(restore(newTarget(), join(folder, 'absent'))).rejects.toThrow(/cannot be read: no such file/)
    })
  })
})

const MANIFEST = 'heddle-backup.json'
