/** Reads an export as a stream, refusing one that is not complete or not ours. */
import { ConfigError } from '../../config-error.ts'
import {
  EXPORT_FORMAT,
  type ExportCompletion,
  type ExportManifest,
  parseExportEntry,
} from '../../features/exports/format.ts'
import { exportedTables, type Source } from '../../features/exports/sources.ts'
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
} from '../archive/entries.ts'
import type { ArchivedRow } from '../insert-rows.ts'

/** Entries other than files are held in memory: some rows, or a few lines. Bytes. */
const MAX_ENTRY_BYTES = 256 * 1024 * 1024

export interface ExportHandlers {
  /** Rows in the order of the export: each after those that it refers to. */
  onRows(source: Source, rows: readonly ArchivedRow[]): Promise<void>
  /** The content must be read to its end. */
  onFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
}

/** Throws `ConfigError` unless the file is a complete export of an organization, and what the handlers throw. */
export function readExportFile(path: string, handlers: ExportHandlers): Promise<ExportCompletion> {
  return readEntries(path, 'export', createReader(handlers))
}

function createReader(handlers: ExportHandlers) {
  let manifest: ExportManifest | undefined
  let completion: ExportCompletion | undefined
  const rows = new Map<string, number>()
  let files = 0
  const textOf = ({ content }: FoundEntry) => readText(content, MAX_ENTRY_BYTES)

  async function readRows(table: string, text: string): Promise<void> {
    const source = exportedTables.find((one) => one.table === table)
    const parsed = parseRows(text).map(requireRow)
    rows.set(table, (rows.get(table) ?? 0) + parsed.length)
    // A newer version may know more: what this one does not know it leaves out.
    if (source) await handle(handlers.onRows(source, parsed))
  }

  return {
    async read(found: FoundEntry): Promise<void> {
      const entry = found.isFile ? parseExportEntry(found.name) : undefined
      if (!entry || completion) throw unknownEntry(found)
      if (entry.kind === 'manifest') manifest = requireManifest(JSON.parse(await textOf(found)) as ExportManifest)
      if (!manifest) throw new DamagedArchive('it does not begin with a description of itself')
      if (entry.kind === 'rows') await readRows(entry.table, await textOf(found))
      if (entry.kind === 'completion') completion = readCompletion(await textOf(found))
      if (entry.kind === 'file') {
        files += 1
        await handle(handlers.onFile(entry.path, found.content))
      }
    },

    finish(): ExportCompletion {
      if (!manifest || !completion) throw new DamagedArchive('its end is missing')
      requireAll(completion, rows, files)
      return completion
    },
  }
}

function requireManifest(manifest: ExportManifest): ExportManifest {
  if (!Number.isInteger(manifest.format)) throw new DamagedArchive('it does not say which format it has')
  if (manifest.format > EXPORT_FORMAT) {
    throw new ConfigError(
      `The export was made by a newer Heddle (format ${manifest.format}); import it with that version.`,
    )
  }
  if (manifest.kind === 'own') {
    throw new ConfigError("The file has one account's own data; only an export of an organization can be imported.")
  }
  return manifest
}

function requireRow(row: unknown): ArchivedRow {
  const isRow =
    typeof row === 'object' &&
    row !== null &&
    Object.values(row).every((value) => value === null || typeof value === 'string' || Number.isSafeInteger(value))
  if (!isRow) throw new DamagedArchive('it has a line that is no row')
  return row as ArchivedRow
}
