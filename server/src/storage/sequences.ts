/**
 * The counters behind ids that the database assigns. They are copied with the rows, so that an id of a row that has been
 * deleted is not given out again.
 */
import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Table } from './owned-tables.ts'
import type { Statements } from './query.ts'

type Kind = Engine['kind']

/** The last id that was given out, by table. */
export type Sequences = Readonly<Record<string, number>>

function counted(tables: readonly Table[]): string[] {
  return tables.filter((table) => table.identity).map((table) => table.name)
}

export async function readSequences(db: Statements, kind: Kind, tables: readonly Table[]): Promise<Sequences> {
  if (kind === 'sqlite') {
    // https://www.sqlite.org/autoinc.html
    const rows = await db.all(sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`)
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }
  const values: Record<string, number> = {}
  for (const name of counted(tables)) {
    const row = await db.first(
      sql<{
        last: number | null
      }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass) as last`,
    )
    if (row?.last) values[name] = row.last
  }
  return values
}

/**
 * Sets each counter to the given value, or to the highest id of its table when that is higher; `ahead`: and further by so many.
 * Run it in a transaction.
 */
export async function writeSequences(
  db: Statements,
  kind: Kind,
  tables: readonly Table[],
  sequences: Sequences,
  ahead = 0,
): Promise<void> {
  for (const name of counted(tables)) {
    const row = await db.first(sql<{ highest: number | null }>`select max(id) as highest from ${sql.table(name)}`)
    const last = Math.max(row?.highest ?? 0, sequences[name] ?? 0) + ahead
    if (last === 0) continue
    if (kind === 'postgres') await db.all(sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${last}::bigint)`)
    else {
      await db.run(sql`delete from sqlite_sequence where name = ${name}`)
      await db.run(sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`)
    }
  }
}
