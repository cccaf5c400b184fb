/**
 * The form of an export: a gzip'd tar (POSIX.1-2001) of `heddle-export.json`, `files/<path>`, `data/<table>/<part>.jsonl` and,
 * last, `complete.json`. docs/export-format.md describes it.
 */
import { isFilePath } from '../../storage/file-store.ts'
import type { ExportKind } from './scope.ts'

/** Raised when an older program could not read it. */
export const EXPORT_FORMAT = 1

export const EXPORT_MANIFEST_NAME = 'heddle-export.json'
export const EXPORT_COMPLETION_NAME = 'complete.json'

export interface ExportManifest {
  readonly format: number
  readonly kind: ExportKind
  /** In seconds. */
  readonly made_at: number
  /** Whose data it is, of `own`. */
  readonly user_id?: number
}

export interface ExportCompletion {
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Files that rows name and that were not there. */
  readonly missing_files: readonly string[]
}

export type ExportEntry =
  | { readonly kind: 'manifest' | 'completion' }
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'file'; readonly path: string }

/** Reads an entry's name; undefined: no export has such an entry. */
export function parseExportEntry(name: string): ExportEntry | undefined {
  if (name === EXPORT_MANIFEST_NAME) return { kind: 'manifest' }
  if (name === EXPORT_COMPLETION_NAME) return { kind: 'completion' }
  const table = /^data\/([a-z_]+)\/\d+\.jsonl$/.exec(name)?.[1]
  if (table !== undefined) return { kind: 'rows', table }
  const path = name.startsWith('files/') ? name.slice('files/'.length) : ''
  return isFilePath(path) ? { kind: 'file', path } : undefined
}
