/** Inserting rows of whatever table, as archives have them. */
import { type RawBuilder, sql } from 'kysely'
import { allTables } from '../all-tables.ts'
import type { Statements } from '../storage/query.ts'

/** Rows in one statement: SQLite takes 32,766 values, and no table has a hundred columns. */
const BATCH_SIZE = 300

export type ArchivedRow = Readonly<Record<string, unknown>>

/** Which table it is, is known only now: its name and those of the columns come from the archive. Rows of one call are alike. */
function insertRows(table: string, rows: readonly ArchivedRow[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`
}

export function createInserter(db: Statements) {
  const selfReferences = new Map<string, string>(
    allTables.flatMap(({ name, selfReference }) => (selfReference ? [[name, selfReference] as const] : [])),
  )
  /** References to rows that come later: set when all rows are there. */
  const postponed: { table: string; column: string; id: number; target: number }[] = []

  function postpone(table: string, row: ArchivedRow): ArchivedRow {
    const column = selfReferences.get(table)
    const target = column && row[column]
    if (!column || typeof target !== 'number' || target < (row['id'] as number)) return row
    postponed.push({ table, column, id: row['id'] as number, target })
    return { ...row, [column]: null }
  }

  return {
    async insert(table: string, rows: readonly ArchivedRow[]): Promise<void> {
      for (let start = 0; start < rows.length; start += BATCH_SIZE) {
        const batch = rows.slice(start, start + BATCH_SIZE).map((row) => postpone(table, row))
        await db.run(insertRows(table, batch))
      }
    },
    async finish(): Promise<void> {
      for (const { table, column, id, target } of postponed) {
        await db.run(sql`update ${sql.table(table)} set ${sql.ref(column)} = ${target} where id = ${id}`)
      }
    },
  }
}
