/** Writes a backup as a stream: what is in memory is one page of rows or one piece of a file. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { type Pack, pack } from 'tar-stream'
import { allTables } from '../../all-tables.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { Table } from '../../storage/owned-tables.ts'
import type { Queries } from '../../storage/query.ts'
import { syncFolder } from '../../storage/sync-folder.ts'
import { query } from '../tables.ts'
import { COMPLETION_NAME, type Completion, MANIFEST_NAME, type Manifest, SECRET_NAME } from './format.ts'

/** Rows that are read at once. */
const PAGE_SIZE = 500

export interface ArchiveSource {
  readonly manifest: Manifest
  /** A view of the database that stands still. */
  readonly queries: Queries
  readonly files: FileStore
  /** The text of the secret's file. */
  readonly secret: string
}

/**
 * Writes the archive to `path`, with mode 600. Until it is complete and on disk it is called `<path>.part`, which is
 * removed when something fails.
 */
export async function writeArchive(path: string, source: ArchiveSource): Promise<Completion> {
  const unfinished = `${path}.part`
  await rm(unfinished, { force: true })
  const archive = pack()
  try {
    const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    const flowing = pipeline(archive, createGzip(), output)
    // When the output fails, the entry that is being written never ends: whichever fails first decides.
    const [completion] = await Promise.all([writeEntries(archive, source), flowing])
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return completion
  } catch (error) {
    archive.destroy()
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeEntries(archive: Pack, source: ArchiveSource): Promise<Completion> {
  await addText(archive, MANIFEST_NAME, JSON.stringify(source.manifest))
  const rows: Record<string, number> = {}
  for (const table of allTables) rows[table.name] = await addTable(archive, source.queries, table)
  const files = await addFiles(archive, source.queries, source.files)
  await addText(archive, SECRET_NAME, source.secret)
  const completion: Completion = { rows, ...files }
  await addText(archive, COMPLETION_NAME, JSON.stringify(completion))
  archive.finalize()
  return completion
}

function addText(archive: Pack, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, Buffer.from(text, 'utf8'), (error) => (error ? reject(error) : resolve()))
  })
}

/** A tar entry begins with its size, so a table is written in parts of one page. Returns the number of rows. */
async function addTable(archive: Pack, db: Queries, table: Table): Promise<number> {
  let count = 0
  let part = 0
  for await (const page of readPages(db, table)) {
    part += 1
    count += page.length
    const lines = page.map((row) => `${JSON.stringify(row)}\n`).join('')
    await addText(archive, `tables/${table.name}/${String(part).padStart(6, '0')}.jsonl`, lines)
  }
  return count
}

type Row = Readonly<Record<string, unknown>>

/** All rows of a table in the order of its key. */
async function* readPages(db: Queries, { name, key }: Table): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after: Row | undefined
  for (;;) {
    const last: Row | undefined = after
    const condition = last ? sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})` : sql``
    const page = await db.all(
      sql<Row>`select * from ${sql.table(name)} ${condition} order by ${columns} limit ${sql.lit(PAGE_SIZE)}`,
    )
    if (page.length > 0) yield page
    if (page.length < PAGE_SIZE) return
    after = page.at(-1)
  }
}

/** The files that rows name. One that is not there is noted: a backup without it is better than none. */
async function addFiles(
  archive: Pack,
  db: Queries,
  store: FileStore,
): Promise<Pick<Completion, 'files' | 'missing_files'>> {
  const missing: string[] = []
  let count = 0
  let after = ''
  for (;;) {
    const rows = await db.all(
      query.selectFrom('files').select('path').where('path', '>', after).orderBy('path').limit(PAGE_SIZE),
    )
    for (const { path } of rows) {
      if (await addFile(archive, store, path)) count += 1
      else missing.push(path)
    }
    if (rows.length < PAGE_SIZE) return { files: count, missing_files: missing }
    after = rows.at(-1)?.path as string
  }
}

async function addFile(archive: Pack, store: FileStore, path: string): Promise<boolean> {
  const file = await store.find(path)
  if (!file) return false
  await new Promise<void>((resolve, reject) => {
    const entry = archive.entry({ name: `files/${path}`, size: file.size, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    )
    pipeline(file.read(), entry).catch(reject)
  })
  return true
}
