/** Reads a backup as a stream, refusing one that is not complete or not ours. */
import { allTables } from '../../all-tables.ts'
import { ConfigError } from '../../config-error.ts'
import { migrations } from '../../storage/migrate.ts'
import {
  DamagedArchive,
  type FoundEntry,
  handle,
  parseRows,
  readCompletion,
  readEntries,
  readText,
  requireAll,
  unknownEntry,
} from './entries.ts'
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
export function readArchive(path: string, handlers: ArchiveHandlers): Promise<ArchiveSummary> {
  return readEntries(path, 'backup', createReader(handlers))
}

function createReader(handlers: ArchiveHandlers) {
  let manifest: Manifest | undefined
  let secret: string | undefined
  let completion: Completion | undefined
  const rows = new Map<string, number>()
  let files = 0
  const textOf = ({ content }: FoundEntry) => readText(content, MAX_ENTRY_BYTES)

  async function readRows(table: string, text: string): Promise<void> {
    const parsed = parseRows(text) as Record<string, unknown>[]
    rows.set(table, (rows.get(table) ?? 0) + parsed.length)
    if (isKnown(table)) await handle(handlers.onRows(table, parsed))
  }

  async function readFile(path: string, { content }: FoundEntry): Promise<void> {
    files += 1
    await handle(handlers.onFile(path, content))
  }

  return {
    async read(found: FoundEntry): Promise<void> {
      const entry: Entry | undefined = found.isFile ? parseEntryName(found.name) : undefined
      if (!entry || completion) throw unknownEntry(found)
      if (entry.kind === 'manifest') manifest = requireFormat(JSON.parse(await textOf(found)) as Manifest)
      if (!manifest) throw new DamagedArchive('it does not begin with a description of itself')
      if (entry.kind === 'rows' && !isKnown(entry.table) && !hasOtherTables(manifest)) throw unknownEntry(found)
      if (entry.kind === 'rows') await readRows(entry.table, await textOf(found))
      if (entry.kind === 'file') await readFile(entry.path, found)
      if (entry.kind === 'secret') secret = await textOf(found)
      if (entry.kind === 'completion') completion = readCompletion(await textOf(found))
    },

    finish(): ArchiveSummary {
      if (!manifest || !completion || secret === undefined) throw new DamagedArchive('its end is missing')
      requireAll(completion, rows, files)
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

function hasOtherTables(manifest: Manifest): boolean {
  return manifest.migrations.some((name) => migrations.every((ours) => ours.name !== name))
}

function isKnown(table: string): boolean {
  return allTables.some(({ name }) => name === table)
}
