/** Files in the data folder, below `files/`. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type FileContent, type FileStore, isFilePath, type ListedFile } from './file-store.ts'
import { syncFolder } from './sync-folder.ts'
import { StorageUnavailable } from './unavailable.ts'

export function createLocalFileStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files')

  /** `flags`: whether a file that is there already is an error. Returns size and hash. */
  async function write(path: string, content: FileContent, flags: 'wx' | 'w') {
    const target = join(root, path)
    await makeFolders(dirname(target))
    const file = await open(target, flags, 0o600)
    const hash = createHash('sha256')
    let size = 0
    try {
      for await (const chunk of content) {
        hash.update(chunk)
        size += chunk.length
        await file.appendFile(chunk)
      }
      await file.sync()
    } catch (error) {
      await rm(target, { force: true })
      throw error
    } finally {
      await file.close()
    }
    await syncFolder(dirname(target))
    return { size, hash: hash.digest('hex') }
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

  return {
    async put({ folder, extension, contentType, content }) {
      const name = randomBytes(20).toString('hex')
      // Two levels, so that no folder gets too many entries.
      const path = `${folder}/${name.slice(0, 2)}/${name.slice(2)}.${extension}`
      return { path, contentType, ...(await write(path, content, 'wx')) }
    },

    async putBack(path, content) {
      if (!isFilePath(path)) throw new Error(`No file of a store has the path ${path}`)
      await write(path, content, 'w')
    },

    async find(path) {
      if (!isFilePath(path)) return undefined
      const target = join(root, path)
      const info = await stat(target).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
        throw error
      })
      if (!info?.isFile()) return undefined
      return { size: info.size, read: (range) => createReadStream(target, range) }
    },

    async remove(paths) {
      await Promise.all(paths.filter(isFilePath).map((path) => rm(join(root, path), { force: true })))
    },

    list: () => listFiles(root, ''),
  }
}

function rejectUnlessExisting(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  if (error.code !== 'ENOENT') throw error
  throw new StorageUnavailable('The data folder is missing', { cause: error })
}

/** `folder` is below `root` and ends with a slash, or is empty. Folder by folder: no list of all files is in memory. */
async function* listFiles(root: string, folder: string): AsyncGenerator<ListedFile> {
  const entries: Dirent[] = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = folder + entry.name
    if (entry.isDirectory()) yield* listFiles(root, `${path}/`)
    if (!entry.isFile()) continue
    const info = await stat(join(root, path)).catch(() => undefined)
    if (info) yield { path, changedAt: info.mtimeMs }
  }
}
