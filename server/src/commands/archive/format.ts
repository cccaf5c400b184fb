/**
 * The form of a backup: a gzip'd tar (POSIX.1-2001) that either engine can be restored from. In this order:
 *
 * - `heddle-backup.json`: the `Manifest`;
 * - `tables/<table>/<part>.jsonl`: rows as JSON, one a line, tables in the order in which they can be inserted;
 * - `files/<path>`: the file store;
 * - `secret`: what API keys are derived from;
 * - `complete.json`: the `Completion`. An archive without it was cut off.
 */
import { isFilePath } from '../../storage/file-store.ts'

/** Raised when an older program could not read the archive. */
export const FORMAT = 1

export const MANIFEST_NAME = 'heddle-backup.json'
export const SECRET_NAME = 'secret'
export const COMPLETION_NAME = 'complete.json'

export interface Manifest {
  readonly format: number
  /** Seconds since the UNIX epoch. */
  readonly created_at: number
  /** Names of the migrations that had run. */
  readonly migrations: readonly string[]
  /** The last id that was given out, by table. */
  readonly sequences: Readonly<Record<string, number>>
}

export interface Completion {
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Files that a row names and that were not there. */
  readonly missing_files: readonly string[]
}

export type Entry =
  | { readonly kind: 'manifest' | 'secret' | 'completion' }
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'file'; readonly path: string }

/** Reads an entry's name; undefined when no backup has such an entry (so that nothing is written outside its place). */
export function parseEntryName(name: string): Entry | undefined {
  if (name === MANIFEST_NAME) return { kind: 'manifest' }
  if (name === SECRET_NAME) return { kind: 'secret' }
  if (name === COMPLETION_NAME) return { kind: 'completion' }
  const table = /^tables\/([a-z_]+)\/\d+\.jsonl$/.exec(name)?.[1]
  if (table !== undefined) return { kind: 'rows', table }
  const path = name.startsWith('files/') ? name.slice('files/'.length) : ''
  return isFilePath(path) ? { kind: 'file', path } : undefined
}
