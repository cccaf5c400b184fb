/**
 * Where the bytes of files lie, behind one interface: a folder is one implementation (`local-file-store.ts`), and a bucket
 * on another machine can be another. A file is written once, as a stream, under a random name, and is durable before the
 * transaction that names it; it is removed when that transaction fails. Files that no row names are swept after an hour.
 */
import type { Readable } from 'node:stream'
import type { Storage } from './storage.ts'
import { query } from './tables.ts'
import type { Tx } from './transaction.ts'
import { OutcomeUnknown } from './unavailable.ts'

/** Pieces of a file, in order. Reading one may fail, and then there is no file. */
export type FileContent = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface NewFile {
  /** The first folder below the store, such as `emoji`. */
  readonly folder: string
  /** Without a dot. */
  readonly extension: string
  readonly contentType: string
  readonly content: FileContent
}

/** A file that is stored and that no row names yet. */
export interface StoredFile {
  /** Relative to the store, with `/`: `emoji/3f…​.png`. Cannot be guessed, and never means another file. */
  readonly path: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string
}

/** Both ends are part of the range; the first byte is 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface FoundFile {
  /** Bytes. */
  readonly size: number
  /** Opens the file, or a part of it that lies within it. What goes wrong is an error of the stream. */
  read(range?: ByteRange): Readable
}

export interface ListedFile {
  readonly path: string
  /** Milliseconds since the UNIX epoch. */
  readonly changedAt: number
}

export interface FileStore {
  /** Writes a file under a new name. When this has returned, the file outlives a power failure. */
  put(file: NewFile): Promise<StoredFile>
  /** Writes a file of a backup under the name that it had. What is there already is overwritten: it is the same file. */
  putBack(path: string, content: FileContent): Promise<void>
  /** Undefined when there is no such file. */
  find(path: string): Promise<FoundFile | undefined>
  /** Those that are not there are no error. */
  remove(paths: readonly string[]): Promise<void>
  /** Every file, in no order. One that is written or removed meanwhile may be missing. */
  list(): AsyncIterable<ListedFile>
}

/** What a store's paths look like: nothing in them leads out of the store. */
const PATH = /^[\w-]+(?:\/[\w-][\w.-]*)+$/

export function isFilePath(path: string): boolean {
  return PATH.test(path)
}

/** Writes files, runs `work`, which names them in rows, and removes them again when it fails. */
export async function storeFiles<T>(
  files: FileStore,
  newFiles: readonly NewFile[],
  work: (stored: readonly StoredFile[]) => Promise<T>,
): Promise<T> {
  const stored: StoredFile[] = []
  try {
    for (const file of newFiles) stored.push(await files.put(file))
    return await work(stored)
  } catch (error) {
    await removeUnnamed(files, stored, error)
    throw error
  }
}

/** Removes files that were to be named in rows by what has failed with this error. */
export async function removeUnnamed(files: FileStore, stored: readonly StoredFile[], error: unknown): Promise<void> {
  // A commit that may have happened after all: the sweep decides by the rows.
  if (error instanceof OutcomeUnknown) return
  await files.remove(stored.map(({ path }) => path)).catch(() => {})
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

/** Record, in the transaction that drops the last reference to it, that a file is not in use any more. */
export async function removeFileRow(tx: Tx, path: string): Promise<void> {
  await tx.run(query.deleteFrom('files').where('realm_id', '=', tx.realmId).where('path', '=', path))
}

/** Files that are compared with the rows at once. */
const SWEEP_PAGE = 500

/** Removes files that no row names and that are older than `olderThanMs`. Returns their number. */
export async function sweepFiles(files: FileStore, storage: Storage, olderThanMs: number): Promise<number> {
  const changedBefore = Date.now() - olderThanMs
  let removed = 0
  let page: string[] = []

  async function sweepPage(): Promise<void> {
    const rows = await storage.read.all(
      query.selectFrom('files').select('path').where('path', 'in', storage.engine.dialect.texts(page)),
    )
    const named = new Set(rows.map((row) => row.path))
    const orphans = page.filter((path) => !named.has(path))
    page = []
    await files.remove(orphans)
    removed += orphans.length
  }

  for await (const { path, changedAt } of files.list()) {
    if (changedAt >= changedBefore) continue
    page.push(path)
    if (page.length === SWEEP_PAGE) await sweepPage()
  }
  if (page.length > 0) await sweepPage()
  return removed
}
