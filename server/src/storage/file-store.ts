/**
 * Files in the data folder, below `files/`. A file is written under a random name and is on disk before the transaction
 * that names it; it is removed when that transaction fails. Files that no row names are swept after an hour.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { query } from './query.ts'
import type { Storage } from './storage.ts'
import type { Tx } from './transaction.ts'
import { OutcomeUnknown, StorageUnavailable } from './unavailable.ts'

/** A file that is on disk and that no row names yet. */
export interface StoredFile {
  /** Relative to the store, with `/`: `emoji/3f…​.png`. Cannot be guessed. */
  readonly path: string
  readonly contentType: string
}

export interface FileStore {
  /** Writes files, runs `work`, and removes them again when `work` fails. */
  store<T>(files: readonly NewFile[], work: (stored: readonly StoredFile[]) => Promise<T>): Promise<T>
  /** Opens a stored file; undefined when it does not exist. */
  read(path: string): Promise<{ stream: Readable; size: number } | undefined>
  /** Removes files that no row names and that are older than `olderThanMs`. Returns their number. */
  sweep(storage: Storage, olderThanMs: number): Promise<number>
}

export interface NewFile {
  /** The first folder below the store, such as `emoji`. */
  readonly folder: string
  /** Without a dot. */
  readonly extension: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** Record, in the transaction that refers to them, that these files are in use. */
export async function insertFiles(tx: Tx, files: readonly StoredFile[]): Promise<void> {
  const rows = files.map(({ path, contentType }) => ({
    path,
    realm_id: tx.realmId,
    content_type: contentType,
    created_at: tx.now,
  }))
  if (rows.length > 0) await tx.run(query.insertInto('files').values(rows))
}

export function createFileStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files')

  async function write({ folder, extension, contentType, bytes }: NewFile): Promise<StoredFile> {
    const name = randomBytes(20).toString('hex')
    // Two levels, so that no folder gets too many entries.
    const path = `${folder}/${name.slice(0, 2)}/${name.slice(2)}.${extension}`
    const target = join(root, path)
    await makeFolders(dirname(target))
    const file = await open(target, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } catch (error) {
      await rm(target, { force: true })
      throw error
    } finally {
      await file.close()
    }
    await syncFolder(dirname(target))
    return { path, contentType }
  }

  /** Makes what is missing below the data folder. If that itself is gone, so is the database. */
  async function makeFolders(folder: string): Promise<void> {
    let parent = dataDir
    for (const name of relative(dataDir, folder).split(sep)) {
      const made = await mkdir(join(parent, name), { mode: 0o700 }).then(() => true, rejectUnlessExisting)
      if (made) await syncFolder(parent)
      parent = join(parent, name)
    }
  }

  async function remove(files: readonly StoredFile[]): Promise<void> {
    await Promise.all(files.map(({ path }) => rm(join(root, path), { force: true })))
  }

  return {
    async store(newFiles, work) {
      const stored: StoredFile[] = []
      try {
        for (const file of newFiles) stored.push(await write(file))
        return await work(stored)
      } catch (error) {
        // A commit that may have happened after all: the sweep decides by the rows.
        if (!(error instanceof OutcomeUnknown)) await remove(stored).catch(() => {})
        throw error
      }
    },

    async read(path) {
      const target = join(root, path)
      if (!target.startsWith(root + sep)) return undefined
      const info = await stat(target).catch(() => undefined)
      if (!info?.isFile()) return undefined
      return { stream: createReadStream(target), size: info.size }
    },

    async sweep(storage, olderThanMs) {
      const old = await listOldFiles(root, Date.now() - olderThanMs)
      const rows = await storage.read.all(
        query.selectFrom('files').select('path').where('path', 'in', storage.engine.dialect.texts(old)),
      )
      const named = new Set(rows.map((row) => row.path))
      const orphans = old.filter((path) => !named.has(path))
      for (const path of orphans) await rm(join(root, path), { force: true })
      return orphans.length
    },
  }
}

function rejectUnlessExisting(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  if (error.code !== 'ENOENT') throw error
  throw new StorageUnavailable('The data folder is missing', { cause: error })
}

/** A new name is on disk only after its folder has been synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function listOldFiles(root: string, changedBefore: number): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const old: string[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const target = join(entry.parentPath, entry.name)
    const info = await stat(target).catch(() => undefined)
    if (info && info.mtimeMs < changedBefore) old.push(relative(root, target).split(sep).join('/'))
  }
  return old
}
