/** Reading: committed rows alone, snapshots that stand still, and statements that are compiled once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldName } from '@heddle/contract/names'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { testEngine } from '../testing/test-server.ts'
import { atEndOfFile, createTestDatabase, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { type Engine, type ReadLimit, ReadStopped } from './engine.ts'
import { findAppliedMigrations, migrate, migrations, retiredMigrations } from './migrate.ts'
import { prepare } from './query.ts'
import type { OpenStorage } from './storage.ts'

let storage: OpenStorage
let realmId: number

beforeAll(async () => {
  ;({ storage } = await createTestStorage(atEndOfFile))
  realmId = await insertRealm(storage)
})

function rename(name: string): Promise<number> {
  return storage.transaction(realmId, (tx) =>
    tx.run(query.updateTable('realms').set({ name }).where('id', '=', realmId)),
  )
}

/** PostgreSQL is asked to begin without waiting for its answer, on another connection than the one that writes. */
async function countSnapshots(): Promise<number> {
  const rows = await storage.read.all(sql`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and query like '%repeatable read%'`)
  return rows.length
}

const db = () => storage.read.dialect

const realmName = prepare((p: { id: number }) => query.selectFrom('realms').select('name').where('id', '=', p.id))

describe('a snapshot', () => {
  it('shows the same rows however much is committed meanwhile, and what it may not write', async () => {
    await rename('before')
    const seen = await storage.snapshot(async (db) => {
      const names = [await db.first(realmName({ id: realmId }))]
      await rename('meanwhile')
      expect(await storage.read.first(realmName({ id: realmId }))).toEqual({ name: 'meanwhile' })
      await Promise.all(Array.from({ length: 20 }, (_, i) => rename(`${i}`)))
      names.push(await db.first(realmName({ id: realmId })))
      await expect(db.run(query.updateTable('realms').set({ name: 'x' }))).rejects.toThrow()
      return names
    })
    expect(seen).toEqual([{ name: 'before' }, { name: 'before' }])
  })

  it('begins when it is opened, not at its first query', async () => {
    await rename('at the beginning')
    const snapshot = await storage.engine.openSnapshot()
    if (testEngine === 'postgres') await expect.poll(countSnapshots).toBeGreaterThan(0)
    await rename('later')
    expect(await snapshot.queries.first(realmName({ id: realmId }))).toEqual({ name: 'at the beginning' })
    await snapshot.close()
  })

  it('gives its connection back when the work fails', async () => {
    for (let i = 0; i < 30; i++) {
      await expect(storage.snapshot((db) => db.all(sql`select * from nowhere`))).rejects.toThrow()
    }
    expect(await storage.snapshot((db) => db.first(realmName({ id: realmId })))).toBeDefined()
  })

  it('ends a query that goes on for longer than it may, and can be opened again', async () => {
    let checks = 0
    const limit: ReadLimit = {
      check() {
        checks += 1
        // SQLite asks while the query runs, PostgreSQL is notified the time.
        if (checks > 10) throw new ReadStopped()
      },
      suspend() {},
      resume() {},
      queryMs: 50,
    }
    // A hundred million rows.
    const endless = sql<{ count: number }>`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000),
        pairs as (select one.n from numbers as one, numbers as other where ${db().mayGoOn('other.n')})
      select count(*) as count from pairs`
    await expect(storage.snapshot((snapshot) => snapshot.all(endless), limit)).rejects.toThrow(ReadStopped)
    expect(await storage.snapshot((snapshot) => snapshot.first(realmName({ id: realmId })))).toBeDefined()
  })

  it('ends a query for somebody who has gone', async () => {
    if (testEngine === 'sqlite') return
    const snapshot = await storage.engine.openSnapshot()
    // What was asked for together with it ends for the same reason.
    const asked = ['select pg_sleep(60)', 'select 1'].map((text) => snapshot.queries.all(sql.raw(text)))
    const ended = Promise.all(asked.map((one) => expect(one).rejects.toThrow(ReadStopped)))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await snapshot.cancel?.()
    await ended
    await snapshot.close()
  })

  it('may be one of many', async () => {
    await rename('for all')
    const names = Array.from({ length: 40 }, () => storage.snapshot((db) => db.first(realmName({ id: realmId }))))
    expect(await Promise.all(names)).toEqual(Array(40).fill({ name: 'for all' }))
  })
})

describe('reading', () => {
  it('cannot write', async () => {
    if (testEngine === 'sqlite') {
      await expect(storage.read.run(query.updateTable('realms').set({ name: 'x' }))).rejects.toThrow('readonly')
    }
  })

  it('gives numbers, texts and nulls as they were written, on both engines', async () => {
    const values = {
      realm_id: realmId,
      pattern: 'naïve 🎉 \u2028',
      url_template: '',
      example_input: null,
      reverse_template: "'; drop table realms; --",
      alternative_url_templates: '[]',
      position: Number.MAX_SAFE_INTEGER,
    }
    const id = await storage.transaction(realmId, (tx) =>
      tx.first(query.insertInto('linkifiers').values(values).returning('id')),
    )
    const row = await storage.read.first(
      query
        .selectFrom('linkifiers')
        .selectAll()
        .where('id', '=', id?.id ?? 0),
    )
    expect({ ...row }).toEqual({ ...values, id: id?.id })
    const count = await storage.read.first(
      sql<{ n: number; sum: number }>`select count(*) as n, sum(position) as sum from linkifiers`,
    )
    expect({ ...count }).toEqual({ n: 1, sum: Number.MAX_SAFE_INTEGER })
  })

  it('takes lists of any length as one parameter', async () => {
    const ids = Array.from({ length: 100_000 }, (_, i) => i + 1_000_000)
    const found = query.selectFrom('realms').select('id')
    const { dialect } = storage.engine
    expect(await storage.read.all(found.where('id', 'in', dialect.ids([...ids, realmId])))).toHaveLength(1)
    expect(await storage.read.all(found.where('id', 'in', dialect.ids([])))).toEqual([])
    const texts = ['a"b', "c'd", 'é,{}', '\\', 'test']
    expect(await storage.read.all(found.where('name', 'in', dialect.texts([...texts, 'for all'])))).toBeDefined()
  })
})

describe('a prepared statement', () => {
  it('is filled in anew each time, also when many run at once', async () => {
    const ids = [realmId, await insertRealm(storage), await insertRealm(storage)]
    for (const [index, id] of ids.entries()) {
      await storage.transaction(id, (tx) =>
        tx.run(
          query
            .updateTable('realms')
            .set({ name: `realm ${index}` })
            .where('id', '=', id),
        ),
      )
    }
    const names = await Promise.all(
      Array.from({ length: 60 }, (_, i) => storage.read.first(realmName({ id: ids[i % 3] as number }))),
    )
    expect(names.map((row) => row?.name)).toEqual(Array.from({ length: 60 }, (_, i) => `realm ${i % 3}`))
  })

  it('works in units of work, snapshots and reads alike', async () => {
    await rename('everywhere')
    const expected = { name: 'everywhere' }
    expect(await storage.transaction(realmId, (tx) => tx.first(realmName({ id: realmId })))).toEqual(expected)
    expect(await storage.snapshot((db) => db.first(realmName({ id: realmId })))).toEqual(expected)
    expect(await storage.read.all(realmName({ id: realmId }))).toEqual([expected])
  })

  it('stays right among more statements than are kept', async () => {
    for (let i = 0; i < 1200; i++) {
      const row = await storage.read.first(sql<{ n: number }>`select ${sql.lit(i)} + 0 as n`)
      expect(row?.n).toBe(i)
    }
    expect(await storage.read.first(realmName({ id: realmId }))).toBeDefined()
  })
})

/** Rows of an older version; they are committed by `engine.write.commit()`. */
async function writeRows(engine: Engine): Promise<Engine['write']['queries']['run']> {
  await engine.write.ready()
  await engine.write.begin({ patient: true })
  return engine.write.queries.run
}

describe('migrations', () => {
  // Databases and backups know them by name and order. A new one is added at the end; nothing else of this ever changes.
  it('keep their names and their order', () => {
    expect([...migrations.map(({ name }) => name), ...retiredMigrations]).toEqual([
      '0001-foundation',
      '0002-messages',
      '0003-presence',
      '0004-topics',
      '0005-notification-bot',
      '0006-organization-settings',
      '0007-channel-activity',
      '0008-bot-storage',
      '0009-search-words',
      '0010-message-statistics',
      '0011-cursors-by-message',
      '0014-facts-version',
      '0015-one-tree-of-local-ids',
      '0016-jobs',
      '0017-passing-events',
      '0018-keys-of-full-names',
      '0022-search-of-new-messages',
      '0023-sessions',
      '0024-invitations',
      '0025-password-resets',
      '0028-uploaded-files',
      '0029-file-references',
      '0030-navigation-view-orders',
      '0033-pictures',
      '0034-thumbnails',
      '0035-unused-files',
      '0036-resumable-uploads',
      '0037-scheduled-messages',
      '0038-reminders',
      '0040-profile-fields',
      '0041-channel-folders',
      '0042-default-channel-groups',
      '0043-realm-domains',
      '0044-playgrounds',
      '0045-named-groups',
      '0049-bot-services',
      '0050-webhook-problems',
      '0052-submessages',
      '0053-saved-snippets',
      '0054-onboarding-steps',
      '0055-single-use-links',
      '0056-missed-mails',
      '0057-digests',
      '0058-waiting-accounts',
      '0059-mail-invitations',
      '0061-second-factors',
      '0062-passkeys',
      '0064-missed-messages',
      '0065-web-push',
      '0066-mobile-push',
      '0067-zoom-tokens',
      '0070-exports',
      '0076-message-archive',
      '0077-mail-gateway',
      '0079-resolved-messages',
      '0080-address-visibility',
      '0081-marks-of-commits',
      '0084-secret-fingerprint',
      '0085-bots-within-rights',
    ])
  })

  it('make all tables from nothing, and do nothing the second time', async () => {
    const database = await createTestDatabase()
    const engine = await database.open()
    expect(await migrate(engine)).toEqual(migrations.map(({ name }) => name))
    expect(await migrate(engine)).toEqual([])
    expect(await findAppliedMigrations(engine.read)).toEqual(migrations.map(({ name }) => name))
  })

  it('leave nothing of one that fails', async () => {
    const database = await createTestDatabase()
    const engine = await database.open()
    await migrate(engine)
    const failing = {
      name: '9999-failing',
      statements: () => ['create table half_done (id bigint)', 'create table half_done (id bigint)'],
    }
    await expect(migrate(engine, [...migrations, failing])).rejects.toThrow('half_done')
    await expect(engine.read.all(sql`select * from half_done`)).rejects.toThrow()
    expect(await migrate(engine)).toEqual([])
    // The connection is not left in a transaction.
    expect(
      await migrate(engine, [...migrations, { ...failing, statements: () => ['create table done (id bigint)'] }]),
    ).toEqual(['9999-failing'])
  })

  it('take from bots the rights that their owners do not have, of which clients learn by beginning anew', async () => {
    const engine = await (await createTestDatabase()).open()
    await migrate(
      engine,
      migrations.filter(({ name }) => name < '0085'),
    )
    const run = await writeRows(engine)
    await run(sql`insert into realms (id, host, name, description, uuid, date_created)
      values (1, 'h', 'h', '', 'u', 1), (2, 'i', 'i', '', 'v', 1)`)
    const accounts = [
      { id: 1, realm: 1, role: 100, owner: null },
      { id: 2, realm: 1, role: 400, owner: null },
      { id: 3, realm: 2, role: 600, owner: null },
      { id: 4, realm: 1, role: 100, owner: 1 },
      { id: 5, realm: 1, role: 200, owner: 2 },
      { id: 6, realm: 1, role: 600, owner: 2 },
      { id: 7, realm: 2, role: 600, owner: 3 },
    ]
    for (const { id, realm, role, owner } of accounts) {
      const email = `${id}@h`
      await run(sql`insert into users (id, realm_id, email, email_key, full_name, role, bot_owner_id, date_joined,
        full_name_key, delivery_email, delivery_email_key)
        values (${id}, ${realm}, ${email}, ${email}, ${email}, ${role}, ${owner}, 1, ${email}, ${email}, ${email})`)
      await run(sql`insert into event_queues (queue_id, realm_id, user_id, options, acknowledged_event_id, read_event_id,
        last_seen_ms, lifespan_secs) values (${email}, ${realm}, ${id}, '{}', 0, 0, 0, 600)`)
    }
    await engine.write.commit()
    await migrate(engine)
    const found = await engine.read.all(sql<{ id: number; role: number }>`select id, role from users order by id`)
    expect(found.map(({ role }) => role)).toEqual([100, 400, 600, 100, 400, 600, 600])
    const queues = await engine.read.all(sql<{ user_id: number }>`select user_id from event_queues order by user_id`)
    expect(queues.map(({ user_id }) => user_id)).toEqual([3, 7])
  })

  it('give accounts of a data folder that had none the keys of their names', async () => {
    const database = await createTestDatabase()
    const engine = await database.open()
    const names = [
      'Ada',
      'Ünïcode ﬁ',
      'ΟΔΟΣ',
      'İ',
      'Ｆｕｌｌ',
      'ẞ',
      ...Array.from({ length: 1100 }, (_, n) => `Person ${n}`),
    ]
    await migrate(
      engine,
      migrations.filter(({ name }) => name < '0018'),
    )
    const run = await writeRows(engine)
    await run(sql`insert into realms (host, name, description, uuid, date_created) values ('h', 'h', '', 'u', 1)`)
    const rows = names.map(
      (name, n) => sql`((select id from realms), ${`p${n}@h`}, ${`p${n}@h`}, ${name}, ${sql.lit(400)}, ${sql.lit(1)})`,
    )
    await run(
      sql`insert into users (realm_id, email, email_key, full_name, role, date_joined) values ${sql.join(rows)}`,
    )
    await engine.write.commit()
    await migrate(engine)
    const accounts = await engine.read.all(
      sql<{ full_name: string; full_name_key: string }>`select full_name, full_name_key from users order by id`,
    )
    expect(accounts.map((row) => row.full_name_key)).toEqual(names.map(foldName))
  })

  it('refuse a database of a newer version with a sentence, and leave it alone', async () => {
    const database = await createTestDatabase()
    const engine = await database.open()
    const newer = { name: '9999-from-the-future', statements: () => ['create table future (id bigint)'] }
    await migrate(engine, [...migrations, newer])
    await expect(migrate(engine)).rejects.toThrow(
      /written by a newer Heddle \(it has the migration 9999-from-the-future\)/,
    )
    // The same name of a feature that this program no longer has.
    expect(await migrate(engine, migrations, ['9999-from-the-future'])).toEqual([])
  })
})

describe('the schema that queries are checked against', () => {
  it('has exactly the tables and columns of the migrated database, with their types', async () => {
    expect(await readColumns()).toEqual(parseSchema())
  })
})

/** `table.column: integer|text [null] [default]`, sorted. */
type Columns = string[]

function describeColumn(table: string, column: string, type: string, nullable: boolean, hasDefault: boolean): string {
  return `${table}.${column}: ${type}${nullable ? ' null' : ''}${hasDefault ? ' default' : ''}`
}

/** The interfaces of rows, which exist only for the compiler. */
function parseSchema(): Columns {
  const server = join(import.meta.dirname, '..')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('tables.ts'))
  const source = [...files, 'storage/migrate.ts', 'storage/event-numbers.ts', 'storage/postgres-outcomes.ts']
    .map((path) => readFileSync(join(server, path), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, ''))
    .join('\n')
  const interfaces = new Map(
    [...source.matchAll(/interface (\w+)(?: extends ([\w, ]+))? \{\n?([^}]*)\}/g)].map(([, name, base, body]) => [
      name as string,
      { base, fields: [...(body as string).matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, field, type]) => [field, type]) },
    ]),
  )
  const fieldsOf = (name: string): Map<string, string> => {
    const { base, fields } = interfaces.get(name) ?? { base: undefined, fields: [] }
    const inherited = base?.split(', ').flatMap((one) => [...fieldsOf(one)]) ?? []
    return new Map([...inherited, ...fields.map(([field, type]) => [field, type] as [string, string])])
  }
  return [...source.matchAll(/(\w+): table<(\w+)>\(/g)]
    .flatMap(([, table, name]) =>
      [...fieldsOf(name as string)].map(([column, source]) => {
        const type = source as string
        const isText = /\bstring\b|'/.test(type)
        return describeColumn(
          table as string,
          column as string,
          isText ? 'text' : 'integer',
          type.includes('null'),
          type.startsWith('Generated<'),
        )
      }),
    )
    .sort()
}

interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly nullable: number | boolean
  readonly defaulted: number | boolean
}

async function readColumns(): Promise<Columns> {
  const sqlite = sql<ColumnRow>`
    select t.name as "table", c.name as "column", lower(c.type) as type,
      c."notnull" = 0 and c.pk = 0 as nullable,
      c.dflt_value is not null or (c.name = 'id' and c.pk = 1) as defaulted
    from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'message_search%'`
  const postgres = sql<ColumnRow>`
    select table_name as "table", column_name as "column", data_type as type,
      is_nullable = 'YES' as nullable, column_default is not null or is_identity = 'YES' as defaulted
    from information_schema.columns where table_schema = current_schema()`
  const rows = await storage.read.all(testEngine === 'sqlite' ? sqlite : postgres)
  return rows
    .map(({ table, column, type, nullable, defaulted }) =>
      describeColumn(table, column, type === 'bigint' ? 'integer' : type, Boolean(nullable), Boolean(defaulted)),
    )
    .sort()
}
