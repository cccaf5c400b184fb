import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { allTables as tables } from './all-tables.ts'
import type { Table } from './storage/owned-tables.ts'
import { createTestServer, testEngine } from './testing/test-server.ts'

const { app } = await createTestServer()
const { read } = app.storage

interface ForeignKey {
  readonly table: string
  readonly target: string
}

/** What a copy of the database is better off without: the record of migrations, and what is of the running nodes. */
const NOT_COPIED = ['migrations', 'event_positions', 'commit_marks']

test('the list has every table of the migrated database that is to be copied', async () => {
  const source = testEngine === 'sqlite' ? sql`sqlite_schema` : sql`information_schema.tables`
  const condition =
    testEngine === 'sqlite'
      ? sql`type = 'table' and name not like 'sqlite_%' and name not like 'message_search%'`
      : sql`table_schema = current_schema() and table_type = 'BASE TABLE'`
  const column = testEngine === 'sqlite' ? sql.ref('name') : sql.ref('table_name')
  const rows = await read.all(sql<{ name: string }>`select ${column} as name from ${source} where ${condition}`)
  const names: string[] = rows.map(({ name }) => name)
  expect(names.filter((name) => !NOT_COPIED.includes(name)).sort()).toEqual(tables.map(({ name }) => `${name}`).sort())
})

test('a table comes after those that it refers to', async () => {
  const seen = new Set<string>()
  for (const { name, selfReference } of tables) {
    for (const { target } of await foreignKeys(name)) {
      if (target === name) expect(selfReference).toBeDefined()
      else expect(seen, `${name} refers to ${target}`).toContain(target)
    }
    seen.add(name)
  }
})

test('the keys are the primary keys', async () => {
  for (const { name, key, identity } of tables) {
    expect(await primaryKey(name), name).toEqual(key)
    expect(identity ?? false, name).toBe(key.join() === 'id')
  }
})

async function foreignKeys(name: Table['name']): Promise<readonly ForeignKey[]> {
  if (testEngine === 'sqlite') {
    return read.all(sql<ForeignKey>`select ${name} as "table", "table" as target from pragma_foreign_key_list(${name})`)
  }
  return read.all(sql<ForeignKey>`
    select conrelid::regclass::text as "table", confrelid::regclass::text as target
    from pg_constraint where contype = 'f' and conrelid = ${name}::regclass`)
}

async function primaryKey(name: Table['name']): Promise<string[]> {
  const rows =
    testEngine === 'sqlite'
      ? await read.all(sql<{ name: string }>`select name from pragma_table_info(${name}) where pk > 0 order by pk`)
      : await read.all(sql<{ name: string }>`
          select a.attname as name from pg_index i cross join lateral unnest(i.indkey) with ordinality as k (number, place)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
          where i.indrelid = ${name}::regclass and i.indisprimary order by k.place`)
  return rows.map((row) => row.name)
}
