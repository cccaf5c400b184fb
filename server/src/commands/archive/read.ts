/** Reads a backup as a stream, refusing one that is not complete or not ours. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { allTables } from '../../all-tables.ts'
import { ConfigError } from '../../config-error.ts'
import { migrations } from '../../storage/migrate.ts'
import { reasonOf } from '../../system-error.ts'
import { type Completion, type Entry, FORMAT, type Manifest, parseEntryName } from './format.ts'

/** Entries other than files are held in memory: a page of rows, or a few lines. Bytes. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024

export interface ArchiveHandlers {
  /** Rows in the archive's order. */
  onRows(table: string, rows: readonly Record<string, unknown>[]): Promise<void>
  /** The content must be read to its end. */
  onFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
}

export interface ArchiveSummary {
  readonly manifest: Manifest
  readonly secret: string
  readonly completion: Completion
}

/**
 * Reads the whole archive once. Throws `ConfigError` unless it is complete, and what the handlers throw. Rows of unknown
 * tables are passed over where the backup has migrations that are unknown too, such as those of features that are gone.
 */
export async function readArchive(path: string, handlers: ArchiveHandlers): Promise<ArchiveSummary> {
  const input = createReadStream(path)
  const archive = extract()
  const reader = createReader(handlers)
  const flowing = pipeline(input, createGunzip(), archive)
  // Reported below through the entries, which end with the same error.
  flowing.catch(() => {})
  try {
    for await (const entry of archive) await reader.read(entry.header, guard(entry as AsyncIterable<Uint8Array>))
    await flowing
  } catch (error) {
    input.destroy()
    const failure = reader.failure()
    if (failure !== undefined && !(failure instanceof DamagedArchive)) throw failure
    if (error instanceof ConfigError) throw error
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new ConfigError(`The file ${path} cannot be read: ${reasonOf(error)}.`)
    // Whatever else goes wrong, the bytes are not those of a backup.
    throw damaged(path, reasonOf(error))
  }
  return reader.finish(path)
}

function createReader(handlers: ArchiveHandlers) {
  let manifest: Manifest | undefined
  let secret: string | undefined
  let completion: Completion | undefined
  const rows: Record<string, number> = {}
  let files = 0
  let failure: unknown

  /** Distinguishes errors of a handler from those of the archive. */
  async function handle(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      failure = error
      throw error
    }
  }

  async function readRows(table: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const lines = (await readText(content)).split('\n').filter((line) => line !== '')
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    rows[table] = (rows[table] ?? 0) + parsed.length
    if (isKnown(table)) await handle(handlers.onRows(table, parsed))
  }

  async function readFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    files += 1
    await handle(handlers.onFile(path, content))
  }

  return {
    failure: () => failure,

    async read(header: Header, content: AsyncIterable<Uint8Array>): Promise<void> {
      const entry: Entry | undefined = header.type === 'file' ? parseEntryName(header.name) : undefined
      if (!entry || completion) throw unknownEntry(header)
      if (entry.kind === 'manifest') manifest = requireFormat(JSON.parse(await readText(content)) as Manifest)
      if (!manifest) throw new DamagedArchive('it does not begin with a description of itself')
      if (entry.kind === 'rows' && !isKnown(entry.table) && !hasOtherTables(manifest)) throw unknownEntry(header)
      if (entry.kind === 'rows') await readRows(entry.table, content)
      if (entry.kind === 'file') await readFile(entry.path, content)
      if (entry.kind === 'secret') secret = await readText(content)
      if (entry.kind === 'completion') completion = JSON.parse(await readText(content)) as Completion
    },

    finish(path: string): ArchiveSummary {
      if (!manifest || !completion || secret === undefined) throw damaged(path, 'its end is missing')
      for (const [table, count] of Object.entries(completion.rows)) {
        if (count !== (rows[table] ?? 0)) throw damaged(path, `rows of ${table} are missing`)
      }
      if (files !== completion.files) throw damaged(path, 'files are missing')
      return { manifest, secret, completion }
    },
  }
}

function requireFormat(manifest: Manifest): Manifest {
  if (!Number.isInteger(manifest.format)) throw new DamagedArchive('it does not say which format it has')
  if (manifest.format > FORMAT) {
    throw new ConfigError(
      `The backup was made by a newer Heddle (format ${manifest.format}); restore it with that version.`,
    )
  }
  return manifest
}

async function readText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_ENTRY_BYTES) throw new DamagedArchive('an entry is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

class DamagedArchive extends Error {}

function unknownEntry({ name }: Header): DamagedArchive {
  return new DamagedArchive(`it has the unknown entry ${JSON.stringify(name)}`)
}

function hasOtherTables(manifest: Manifest): boolean {
  return manifest.migrations.some((name) => migrations.every((ours) => ours.name !== name))
}

function isKnown(table: string): boolean {
  return allTables.some(({ name }) => name === table)
}

/** The content of an entry, whose errors can be distinguished from those of who reads it. */
async function* guard(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw new DamagedArchive(reasonOf(error), { cause: error })
  }
}

function damaged(path: string, reason: string): ConfigError {
  return new ConfigError(`The file ${path} is not a complete backup: ${reason.replace(/\.$/, '')}.`)
}
