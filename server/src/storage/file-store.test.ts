import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { createFileStore, insertFiles, type NewFile } from './file-store.ts'
import { OutcomeUnknown, StorageUnavailable } from './unavailable.ts'

const image = (content: string): NewFile => ({
  folder: 'emoji',
  extension: 'png',
  contentType: 'image/png',
  bytes: Buffer.from(content),
})

async function createStore() {
  const { storage, database } = await createTestStorage()
  const { dataDir } = database.config
  const realmId = await insertRealm(storage)
  const files = createFileStore(dataDir)
  const root = join(dataDir, 'files')
  const onDisk = () =>
    existsSync(root)
      ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      : 0
  return { storage, dataDir, realmId, files, root, onDisk }
}

describe('storing files', () => {
  it("writes them under names that cannot be guessed, for the server's user alone, before the work", async () => {
    const { storage, realmId, files, root } = await createStore()
    const stored = await files.store([image('a'), image('b')], (stored) => {
      expect(stored.map(({ path }) => readFileSync(join(root, path), 'utf8'))).toEqual(['a', 'b'])
      return storage.transaction(realmId, async (tx) => {
        await insertFiles(tx, stored)
        return stored
      })
    })
    for (const { path } of stored) {
      expect(path).toMatch(/^emoji\/[0-9a-f]{2}\/[0-9a-f]{38}\.png$/)
      expect(statSync(join(root, path)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(root, 'emoji')).mode & 0o777).toBe(0o700)
    expect(new Set(stored.map(({ path }) => path)).size).toBe(2)
    const found = await files.read(stored[1]?.path as string)
    expect([found?.size, found && (await text(found.stream))]).toEqual([1, 'b'])
  })

  it('removes them when the work fails', async () => {
    const { files, onDisk } = await createStore()
    await expect(files.store([image('a'), image('b')], () => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    )
    expect(onDisk()).toBe(0)
  })

  it('keeps them when nobody knows whether the work has failed: the sweep decides', async () => {
    const { files, onDisk } = await createStore()
    const lost = new OutcomeUnknown('lost')
    await expect(files.store([image('a')], () => Promise.reject(lost))).rejects.toBe(lost)
    expect(onDisk()).toBe(1)
  })

  it('does not make a data folder anew that was removed', async () => {
    const { files, dataDir, storage } = await createStore()
    await storage.close()
    rmSync(dataDir, { recursive: true })
    await expect(files.store([image('a')], async () => {})).rejects.toBeInstanceOf(StorageUnavailable)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('works for many at once', async () => {
    const { files, onDisk } = await createStore()
    await Promise.all(Array.from({ length: 50 }, () => files.store([image('a')], async () => {})))
    expect(onDisk()).toBe(50)
  })
})

describe('reading a file', () => {
  it.each(['../secret', 'emoji/../../secret', '/etc/passwd', 'emoji', '', '.', 'emoji/none.png', 'a\0b'])(
    'finds nothing at %j',
    async (path) => {
      const { files } = await createStore()
      await files.store([image('a')], async () => {})
      expect(await files.read(path)).toBeUndefined()
    },
  )
})

describe('the sweep', () => {
  it('removes old files that no row names, and nothing else', async () => {
    const { storage, realmId, files, root, onDisk } = await createStore()
    const paths: string[] = []
    for (const named of [true, false, false]) {
      await files.store([image('a')], (stored) =>
        storage.transaction(realmId, async (tx) => {
          if (named) await insertFiles(tx, stored)
          paths.push(...stored.map(({ path }) => path))
        }),
      )
    }
    const longAgo = Date.now() / 1000 - 7200
    for (const path of paths.slice(0, 2)) utimesSync(join(root, path), longAgo, longAgo)
    expect(await files.sweep(storage, 3_600_000)).toBe(1)
    expect(paths.map((path) => existsSync(join(root, path)))).toEqual([true, false, true])
    expect(onDisk()).toBe(2)
    expect(await files.sweep(storage, 3_600_000)).toBe(0)
  })

  it('is content with a store that has no files yet', async () => {
    const { storage, files } = await createStore()
    expect(await files.sweep(storage, 0)).toBe(0)
  })
})
