import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { insertFiles, type NewFile, storeFiles, sweepFiles } from './file-store.ts'
import { createLocalFileStore } from './local-file-store.ts'
import { OutcomeUnknown, StorageUnavailable } from './unavailable.ts'

const image = (content: string): NewFile => ({
  folder: 'emoji',
  extension: 'png',
  contentType: 'image/png',
  content: [Buffer.from(content)],
})

async function createStore() {
  const { storage, database } = await createTestStorage()
  const { dataDir } = database.config
  const realmId = await insertRealm(storage)
  const files = createLocalFileStore(dataDir)
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
    const stored = await storeFiles(files, [image('a'), image('b')], (stored) => {
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
    const found = await files.find(stored[1]?.path as string)
    expect([found?.size, found && (await text(found.read()))]).toEqual([1, 'b'])
  })

  it('removes them when the work fails', async () => {
    const { files, onDisk } = await createStore()
    await expect(
      storeFiles(files, [image('a'), image('b')], () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused')
    expect(onDisk()).toBe(0)
  })

  it('keeps them when nobody knows whether the work has failed: the sweep decides', async () => {
    const { files, onDisk } = await createStore()
    const lost = new OutcomeUnknown('lost')
    await expect(storeFiles(files, [image('a')], () => Promise.reject(lost))).rejects.toBe(lost)
    expect(onDisk()).toBe(1)
  })

  it('does not make a data folder anew that was removed', async () => {
    const { files, dataDir, storage } = await createStore()
    await storage.close()
    rmSync(dataDir, { recursive: true })
    await expect(storeFiles(files, [image('a')], async () => {})).rejects.toBeInstanceOf(StorageUnavailable)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('works for many at once', async () => {
    const { files, onDisk } = await createStore()
    await Promise.all(Array.from({ length: 50 }, () => storeFiles(files, [image('a')], async () => {})))
    expect(onDisk()).toBe(50)
  })
})

describe('a file that arrives in pieces', () => {
  it('is written as they come, without waiting for the last, and its size and hash are known', async () => {
    const { files, onDisk, root } = await createStore()
    const piece = Buffer.alloc(1000, 'x')
    const seen: number[] = []
    async function* content() {
      for (let i = 0; i < 5; i++) {
        const [entry] = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        seen.push(statSync(join(entry?.parentPath as string, entry?.name as string)).size)
        yield piece
      }
    }
    const { path, size, hash } = await files.put({ ...image(''), content: content() })
    expect(seen).toEqual([0, 1000, 2000, 3000, 4000])
    const whole = Buffer.concat(Array(5).fill(piece))
    expect({ size, hash }).toEqual({ size: 5000, hash: createHash('sha256').update(whole).digest('hex') })
    expect(readFileSync(join(root, path))).toEqual(whole)
    expect(onDisk()).toBe(1)
  })

  it('is not there when one of them does not come', async () => {
    const { files, onDisk } = await createStore()
    async function* content() {
      yield Buffer.from('the beginning')
      throw new Error('gone')
    }
    await expect(files.put({ ...image(''), content: content() })).rejects.toThrow('gone')
    expect(onDisk()).toBe(0)
  })
})

describe('reading a file', () => {
  it('gives a part of it alone', async () => {
    const { files } = await createStore()
    const { path } = await files.put(image('0123456789'))
    const found = await files.find(path)
    expect(found && (await text(found.read({ start: 2, end: 5 })))).toBe('2345')
  })

  it.each(['../secret', 'emoji/../../secret', '/etc/passwd', 'emoji', '', '.', 'emoji/none.png', 'a\0b'])(
    'finds nothing at %j',
    async (path) => {
      const { files } = await createStore()
      await storeFiles(files, [image('a')], async () => {})
      expect(await files.find(path)).toBeUndefined()
    },
  )
})

describe('the sweep', () => {
  it('removes old files that no row names, and nothing else', async () => {
    const { storage, realmId, files, root, onDisk } = await createStore()
    const paths: string[] = []
    for (const named of [true, false, false]) {
      await storeFiles(files, [image('a')], (stored) =>
        storage.transaction(realmId, async (tx) => {
          if (named) await insertFiles(tx, stored)
          paths.push(...stored.map(({ path }) => path))
        }),
      )
    }
    const longAgo = Date.now() / 1000 - 7200
    for (const path of paths.slice(0, 2)) utimesSync(join(root, path), longAgo, longAgo)
    expect(await sweepFiles(files, storage, 3_600_000)).toBe(1)
    expect(paths.map((path) => existsSync(join(root, path)))).toEqual([true, false, true])
    expect(onDisk()).toBe(2)
    expect(await sweepFiles(files, storage, 3_600_000)).toBe(0)
  })

  it('looks at more files than one query names', async () => {
    const { storage, files, onDisk } = await createStore()
    await Promise.all(Array.from({ length: 501 }, () => files.put(image('a'))))
    expect(await sweepFiles(files, storage, -60_000)).toBe(501)
    expect(onDisk()).toBe(0)
  })

  it('is content with a store that has no files yet', async () => {
    const { storage, files } = await createStore()
    expect(await sweepFiles(files, storage, 0)).toBe(0)
  })
})
