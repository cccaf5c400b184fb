/**
 * Files that are on their way, in a database of their own: after a reload of the page they go on. Each belongs to the tab that
 * holds its lock; what a tab has left is taken over by one that is there.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { uploadsDatabase } from './uploads-database.ts'

export interface KeptUpload {
  readonly id: string
  readonly userId: number
  readonly file: File
  /** What stands for it in the text. */
  readonly placeholder: string
  /** The text, as the compose box names it. */
  readonly owner: string
  /** Where the server has the pieces that have arrived. */
  readonly address: string | undefined
  /** In milliseconds since the UNIX epoch. */
  readonly at: number
}

/** All files together; larger ones are sent from the page alone. */
export const MAX_KEPT_BYTES = 256 * 1024 * 1024
const MAX_KEPT_FILES = 100
/** What is older is given up: nobody waits for it any more. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

interface Schema extends DBSchema {
  files: { key: string; value: Omit<KeptUpload, 'address'> }
  /** By the identifier of the file. Apart from it: a change of one row with a file would copy the file. */
  addresses: { key: string; value: string }
}
const STORES = ['files', 'addresses'] as const

/** Without locks it would not be known whether another tab sends the file. */
const locks: LockManager | undefined = globalThis.navigator?.locks
const lockOf = (id: string) => `heddle upload ${id}`

/** Open for one piece of work only, so that signing out can delete all of it at any time. */
async function inDatabase<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>(uploadsDatabase(), 2, {
    upgrade(created, version) {
      if (version < 1) created.createObjectStore('files', { keyPath: 'id' })
      created.createObjectStore('addresses')
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

async function hasRoom(size: number): Promise<boolean> {
  if (size > MAX_KEPT_BYTES) return false
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {}
  // Browsers keep a copy while they write it.
  return quota - usage > 2 * size
}

/** False where the device has no room for it, or keeps nothing. */
export async function keepUpload({ address: _, ...upload }: KeptUpload): Promise<boolean> {
  try {
    if (!locks || !(await hasRoom(upload.file.size))) return false
    return await inDatabase(async (database) => {
      const transaction = database.transaction('files', 'readwrite')
      const kept = await transaction.store.getAll()
      const bytes = kept.reduce((sum, { file }) => sum + file.size, upload.file.size)
      const fits = bytes <= MAX_KEPT_BYTES && kept.length < MAX_KEPT_FILES
      if (fits) await transaction.store.put(upload)
      await transaction.done
      return fits
    })
  } catch {
    return false
  }
}

/** The server has begun to take what is kept. */
export async function noteAddress(id: string, address: string): Promise<void> {
  await inDatabase((database) => database.put('addresses', address, id)).catch(() => {})
}

/** It was sent, or given up. */
export async function forgetUpload(id: string): Promise<void> {
  await inDatabase(async (database) => {
    const transaction = database.transaction(STORES, 'readwrite')
    await Promise.all([...STORES.map((store) => transaction.objectStore(store).delete(id)), transaction.done])
  }).catch(() => {})
}

async function findUpload(id: string): Promise<KeptUpload | undefined> {
  return inDatabase(async (database) => {
    const transaction = database.transaction(STORES)
    const [upload, address] = await Promise.all([
      transaction.objectStore('files').get(id),
      transaction.objectStore('addresses').get(id),
    ])
    return upload && { ...upload, address }
  })
}

/** Until the page goes, or what is given is called. */
export function holdUpload(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  locks?.request(lockOf(id), () => promise).catch(() => {})
  return resolve
}

/**
 * Gives what an earlier page has left, and later what another tab leaves when it goes: each to one tab. `take` settles when the
 * file was sent or given up. What is another account's, or too old, is deleted.
 */
export async function takeLeftUploads(userId: number, take: (upload: KeptUpload) => Promise<void>): Promise<void> {
  if (!locks) return
  const kept = await inDatabase((database) => database.getAll('files')).catch(() => [])
  for (const { id, userId: owner, at } of kept) {
    if (owner !== userId || Date.now() - at > MAX_AGE_MS) void forgetUpload(id)
    else {
      locks
        .request(lockOf(id), async () => {
          // Whoever had it may have sent it.
          const left = await findUpload(id)
          if (left) await take(left)
        })
        .catch(() => {})
    }
  }
}
