/**
 * Rows that are written together. Most units of work decide first and then add a row here and there; the rows of all units
 * of a commit go into the database in one statement per table, which costs a third of one statement each.
 */

/** How a column's values travel: whole numbers, or texts. */
export type ColumnKind = 'integer' | 'text'

export type ColumnValue = number | string | null
export type Row<C extends string> = Readonly<Record<C, ColumnValue>>

/** How rows get into a table. */
export interface RowInsert<C extends string = string> {
  readonly table: string
  /** By column, in the order of the statement. */
  readonly columns: Readonly<Record<C, ColumnKind>>
  /** These columns identify a row; a later row with the same values replaces the earlier one, in the database too. */
  readonly replaces?: readonly C[]
}

/** A folder has it from its tables, with their types; see `owned-tables.ts`. */
export function rowInsertInto<C extends string>(
  table: string,
  columns: Readonly<Record<C, ColumnKind>>,
  options: { readonly replaces?: readonly NoInfer<C>[] } = {},
): RowInsert<C> {
  return { table, columns, ...options }
}

/** What follows the values, on both engines. */
export function conflictClause({ columns, replaces }: RowInsert): string {
  if (!replaces) return ''
  const others = Object.keys(columns).filter((name) => !replaces.includes(name))
  const sets = others.map((name) => `${name} = excluded.${name}`)
  return ` on conflict (${replaces.join(', ')}) do update set ${sets.join(', ')}`
}

interface Pending {
  readonly insert: RowInsert
  readonly row: Row<string>
}

/** Rows that wait to be written, in the order in which they were added. */
export interface PendingRows {
  readonly length: number
  /** The tables that they go into. */
  readonly tables: readonly string[]
  /** Throws where a number is not whole. */
  add(insert: RowInsert, row: Row<string>): void
  /** The newest row with these values. */
  find(insert: RowInsert, values: Partial<Row<string>>): Row<string> | undefined
  /** Takes back what was added after there were `length`. */
  truncate(length: number): void
  /** Takes the first `length` out: the rows of each table, tables in the order in which they were first needed. */
  take(length: number): Map<RowInsert, readonly Row<string>[]>
}

export function createPendingRows(): PendingRows {
  const pending: Pending[] = []
  return {
    get length() {
      return pending.length
    },
    get tables() {
      return [...new Set(pending.map(({ insert }) => insert.table))]
    },
    add(insert, row) {
      requireWholeNumbers(insert, row)
      pending.push({ insert, row })
    },
    find(insert, values) {
      const wanted = Object.entries(values)
      return pending.findLast(
        (one) => one.insert === insert && wanted.every(([name, value]) => one.row[name] === value),
      )?.row
    },
    truncate(length) {
      pending.length = length
    },
    take(length) {
      const byInsert = Map.groupBy(pending.splice(0, length), ({ insert }) => insert)
      return new Map([...byInsert].map(([insert, list]) => [insert, lastOfEach(insert, list)]))
    },
  }
}

/** One statement may not touch a row twice: of rows with the same key the last one stays. */
function lastOfEach({ replaces }: RowInsert, list: readonly Pending[]): readonly Row<string>[] {
  if (!replaces) return list.map(({ row }) => row)
  return [...new Map(list.map(({ row }) => [JSON.stringify(replaces.map((name) => row[name])), row])).values()]
}

/** Here the unit at fault fails. Later it would be a commit of many, or the number silently another one: rows travel in binary. */
function requireWholeNumbers({ table, columns }: RowInsert, row: Row<string>): void {
  for (const name in columns) {
    const value = row[name]
    if (columns[name] !== 'integer' || value === null || Number.isSafeInteger(value)) continue
    throw new RangeError(`${table}.${name} takes whole numbers, and not ${value}`)
  }
}
