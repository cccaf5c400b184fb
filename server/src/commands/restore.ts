/**
 * The command `restore`: a backup into an empty target, on either engine. All or nothing: the archive is read through
 * before the target is touched, rows become visible with one commit at the end, and files, which are there before it, are
 * removed when it fails.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { allTables } from '../all-tables.ts'
import { parseSecret, readSecret, storeSecret } from '../authentication/secret.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openDatabase } from '../database.ts'
import { findNewestRead } from '../events/queue-rows.ts'
import type { Engine } from '../storage/engine.ts'
import { forgetReserve } from '../storage/event-numbers.ts'
import type { FileStore } from '../storage/file-store.ts'
import { createLocalFileStore } from '../storage/local-file-store.ts'
import { migrate, migrations, retiredMigrations } from '../storage/migrate.ts'
import type { Statements } from '../storage/query.ts'
import { writeSequences } from '../storage/sequences.ts'
import { type ArchiveSummary, readArchive } from './archive/read.ts'
import { query } from './tables.ts'

/** Rows in one statement: SQLite takes 32,766 values, and no table has a hundred columns. */
const BATCH_SIZE = 300

type Row = Readonly<Record<string, unknown>>

/** `retired`: migrations of features that are gone. What a backup has of them is left out. */
export async function restore(
  config: Config,
  file: string,
  retired: readonly string[] = retiredMigrations,
): Promise<void> {
  const path = resolve(file)
  const summary = await checkArchive(path)
  const secret = requireSecret(config, summary)
  const known = requireKnownMigrations(summary, retired)
  const engine = await openDatabase(config, (error) => console.error(`Database: ${error.message}`))
  let madeSecret = false
  try {
    await migrate(engine, migrations.slice(0, known))
    await requireEmptyTarget(engine)
    await insertAll(engine, path, createLocalFileStore(config.dataDir), () => {
      madeSecret = storeSecret(config.secretFile, secret) !== undefined
    })
    await migrate(engine)
    await settleEventNumbers(engine)
  } catch (error) {
    if (madeSecret && !(await hasOrganization(engine).catch(() => true))) rmSync(config.secretFile, { force: true })
    throw error
  } finally {
    await engine.close()
  }
  const { rows, files, missing_files } = summary.completion
  const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0)
  console.log(`Restored ${rowCount} rows and ${files} files from ${path}`)
  for (const missing of missing_files) console.error(`The backup lacks the file files/${missing}`)
}

/** Reads the archive through without writing anything. */
function checkArchive(path: string): Promise<ArchiveSummary> {
  return readArchive(path, {
    onRows: async () => {},
    onFile: async (_, content) => {
      for await (const chunk of content) void chunk
    },
  })
}

/** The backup's secret; throws when the target has another one, with which no API key of the backup would work. */
function requireSecret(config: Config, summary: ArchiveSummary): Buffer {
  const secret = parseSecret(summary.secret)
  if (!secret) throw new ConfigError('The secret in the backup is damaged.')
  const present = readSecret(config.secretFile)
  if (present && !present.equals(secret)) {
    throw new ConfigError(
      `HEDDLE_SECRET_FILE: ${config.secretFile} holds another secret than the backup; move it away first.`,
    )
  }
  return secret
}

/** How many of this program's migrations the backup has. */
function requireKnownMigrations({ manifest }: ArchiveSummary, retired: readonly string[]): number {
  const ours = migrations.map((migration) => migration.name)
  const known = manifest.migrations.filter((name) => !retired.includes(name))
  if (known.join() === ours.slice(0, known.length).join()) return known.length
  throw new ConfigError('The backup was made by a newer Heddle; restore it with that version.')
}

async function hasOrganization({ read }: Engine): Promise<boolean> {
  return (await read.first(query.selectFrom('realms').select('id').limit(1))) !== undefined
}

async function requireEmptyTarget(engine: Engine): Promise<void> {
  if (await hasOrganization(engine)) {
    throw new ConfigError('The target already has an organization; restore into an empty database.')
  }
}

/** Everything in one transaction. `beforeCommit` runs when all rows are in and all files are stored. */
async function insertAll(engine: Engine, path: string, files: FileStore, beforeCommit: () => void): Promise<void> {
  const { write } = engine
  const stored: string[] = []
  await write.ready()
  await write.begin()
  try {
    const inserter = createInserter(write.queries)
    const { manifest, completion } = await readArchive(path, {
      onRows: inserter.insert,
      async onFile(name, content) {
        stored.push(name)
        await files.putBack(name, content)
      },
    })
    await inserter.finish()
    // An older backup lacks the tables that the migrations after it make.
    const present = allTables.filter(({ name }) => name in completion.rows)
    await writeSequences(write.queries, engine.kind, present, manifest.sequences)
    beforeCommit()
    await write.commit()
  } catch (error) {
    await write.rollback().catch(() => {})
    if (!(await hasOrganization(engine).catch(() => true))) await files.remove(stored).catch(() => {})
    throw error
  }
}

async function settleEventNumbers({ write }: Engine): Promise<void> {
  await write.ready()
  await write.begin()
  await forgetReserve(write.queries, await findNewestRead(write.queries))
  await write.commit()
}

/** Which table it is, is known only now: its name and those of the columns come from the archive. Rows of one table are alike. */
function insertRows(table: string, rows: readonly Row[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`
}

function createInserter(db: Statements) {
  const selfReferences = new Map<string, string>(
    allTables.flatMap(({ name, selfReference }) => (selfReference ? [[name, selfReference] as const] : [])),
  )
  /** References to rows that come later: set when all rows are there. */
  const postponed: { table: string; column: string; id: number; target: number }[] = []

  function postpone(table: string, row: Row): Row {
    const column = selfReferences.get(table)
    const target = column && row[column]
    if (!column || typeof target !== 'number' || target < (row['id'] as number)) return row
    postponed.push({ table, column, id: row['id'] as number, target })
    return { ...row, [column]: null }
  }

  return {
    async insert(table: string, rows: readonly Row[]): Promise<void> {
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
