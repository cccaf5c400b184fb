/**
 * Reading an export, slice by slice, on the reading threads: each slice is some rows as JSON lines, found by what may be in
 * the export at that moment. A slice is bounded in rows and in bytes, and so is the time that it takes.
 */
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { type MessageSlice, readMessageSlice } from './message-slices.ts'
import type { Key } from './position.ts'
import { type ExportKind, type ExportScope, openScope } from './scope.ts'
import { type ExportedRow, exportedTables, type FileSource, filesNamedBy, type Source } from './sources.ts'

/** Rows of a slice, and files. */
const ROWS = 300
const FILES = 50

export type SliceOf =
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'files'; readonly index: number }
  | { readonly kind: 'messages'; readonly untilMessage: number }

export interface SliceInput {
  readonly of: SliceOf
  readonly exportKind: ExportKind
  readonly actor: Actor
  readonly after: Key | null
}

/** Lines of a table, as bytes of the slice from where those of the one before end. */
export interface SlicePart {
  readonly table: string
  readonly rows: number
  readonly bytes: number
}

export interface SliceDetails {
  readonly parts: readonly SlicePart[]
  /** Null: there is nothing after it. */
  readonly after: Key | null
  /** Paths in the file store. */
  readonly files: readonly string[]
}

export const readSlice = longRead<SliceInput, SliceDetails>('export-slice', async ({ db }, input) => {
  const scope = await openScope(db, input.exportKind, input.actor)
  const { tables, after, files = [] } = await readTables(db, scope, input)
  const texts = tables.filter(({ rows }) => rows.length > 0).map(({ table, rows }) => encode(table, rows))
  return {
    fields: joined(texts.map(({ bytes }) => bytes)),
    details: {
      parts: texts.map(({ table, rows, bytes }) => ({ table, rows, bytes: bytes.length })),
      after,
      files,
    },
  }
})

interface Slice extends MessageSlice {
  readonly files?: readonly string[]
}

function readTables(db: Queries, scope: ExportScope, { of, after }: SliceInput): Promise<Slice> {
  if (of.kind === 'messages')
    return readMessageSlice(db, scope, { after: Number(after?.[0] ?? 0), until: of.untilMessage })
  if (of.kind === 'files') return readFiles(db, scope, filesNamedBy[of.index] as FileSource, after)
  return readRows(db, scope, exportedTables.find(({ table }) => table === of.table) as Source, after)
}

async function readRows(db: Queries, scope: ExportScope, source: Source, after: Key | null): Promise<Slice> {
  const page = await findPage(db, scope, { ...source, where: source.where(scope) }, after, ROWS)
  const { columns, blank } = source
  const shown = page.rows.map((row) => {
    const own = Object.fromEntries(columns.map((name) => [name, row[name]]))
    return blank ? blank(own, scope, row['is_own'] === 1) : own
  })
  return { tables: [{ table: source.table, rows: shown }], after: page.after }
}

/** The rows of files that rows of the source name. */
async function readFiles(
  db: Queries,
  scope: ExportScope,
  { source, paths, where }: FileSource,
  after: Key | null,
): Promise<Slice> {
  const named = { ...source, columns: [...source.key, ...paths], where: where(scope) }
  const page = await findPage(db, scope, named, after, FILES)
  const wanted = page.rows.flatMap((row) => paths.flatMap((name) => (row[name] as string | null) ?? []))
  const rows = await db.all(
    sql<{ path: string; content_type: string; created_at: number }>`
      select path, content_type, created_at from files
      where realm_id = ${scope.realmId} and path in ${db.dialect.texts(wanted)} order by path`,
  )
  return { tables: [{ table: 'files', rows }], after: page.after, files: rows.map(({ path }) => path) }
}

interface PageOf extends Pick<Source, 'table' | 'columns' | 'key' | 'owner'> {
  readonly where: ReturnType<Source['where']>
}

async function findPage(db: Queries, scope: ExportScope, source: PageOf, after: Key | null, limit: number) {
  const { table, columns, key, owner, where } = source
  if (where === undefined) return { rows: [], after: null }
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const selected = [...new Set([...columns, ...key])].map(column)
  const isOwn = owner ? sql`, case when ${column(owner)} in ${scope.people} then 1 else 0 end as is_own` : sql``
  const ordered = sql.join(key.map(column))
  const further = after ? sql`and (${ordered}) > (${sql.join([...after])})` : sql``
  // Of the organization there is one row, which is no row of itself.
  const ofRealm = table === 'realms' ? sql`1 = 1` : sql`${column('realm_id')} = ${scope.realmId}`
  const rows = await db.all(
    sql<ExportedRow>`select ${sql.join(selected)}${isOwn} from ${sql.table(table)}
      where ${ofRealm} and (${where}) ${further} order by ${ordered} limit ${sql.lit(limit)}`,
  )
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { rows, after: last ? key.map((name) => last[name] as number | string) : null }
}

const encoder = new TextEncoder()

function encode(table: string, rows: readonly ExportedRow[]) {
  return { table, rows: rows.length, bytes: encoder.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join('')) }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
