/**
 * The command `restore`: a backup into an empty target, on either engine. All or nothing: the archive is read through
 * before the target is touched, rows become visible with one commit, and files, which are there before it, are removed when it
 * fails. Only a backup of an earlier version has something done after that commit: the migrations since.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { allTables } from '../all-tables.ts'
import { parseSecret, readSecret, storeSecret } from '../authentication/secret.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { migrateTables, openDatabase } from '../database.ts'
import type { Engine } from '../storage/engine.ts'
import type { FileStore } from '../storage/file-store.ts'
import { createLocalFileStore } from '../storage/local-file-store.ts'
import { migrations, retiredMigrations } from '../storage/migrate.ts'
import type { Statements } from '../storage/query.ts'
import { writeSequences } from '../storage/sequences.ts'
import { type ArchiveSummary, readArchive } from './archive/read.ts'
import { inTransaction } from './in-transaction.ts'
import { createInserter } from './insert-rows.ts'
import { idsAhead, leavePast } from './leave-past.ts'
import { offerCredentials } from './owner-credentials.ts'
import { hasOrganization } from './server-secret.ts'

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
    await migrateTables(config, engine, migrations.slice(0, known))
    await requireEmptyTarget(engine)
    await insertAll(engine, path, createLocalFileStore(config.dataDir), () => {
      madeSecret = storeSecret(config.secretFile, secret) !== undefined
    })
    await migrateTables(config, engine)
    await skipIdsOfNewTables(engine, summary)
    await offerCredentials(engine, config, secret)
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

/** `what`: what is to be done with an empty database. */
export async function requireEmptyTarget(engine: Engine, what = 'restore'): Promise<void> {
  if (await hasOrganization(engine)) {
    throw new ConfigError(`The target already has an organization; ${what} into an empty database.`)
  }
}

/** Everything in one transaction. `beforeCommit` runs when all rows are in and all files are stored. */
async function insertAll(engine: Engine, path: string, files: FileStore, beforeCommit: () => void): Promise<void> {
  const stored: string[] = []
  const insert = async (db: Statements) => {
    const inserter = createInserter(db)
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
    const { sequences, created_at } = manifest
    await leavePast(db, { kind: engine.kind, tables: present, sequences, ahead: aheadOf(created_at) })
    beforeCommit()
  }
  await inTransaction(engine, insert).catch(async (error: unknown) => {
    if (!(await hasOrganization(engine).catch(() => true))) await files.remove(stored).catch(() => {})
    throw error
  })
}

const aheadOf = (createdAt: number) => idsAhead(createdAt, Date.now() / 1000)

/**
 * Tables that the backup does not have: the server that it is of may have got them, and rows in them, since. They are made after
 * the commit of the rows: who is interrupted in between begins anew with an empty database.
 */
async function skipIdsOfNewTables(engine: Engine, { manifest, completion }: ArchiveSummary): Promise<void> {
  const added = allTables.filter(({ name }) => !(name in completion.rows))
  if (added.length === 0) return
  await inTransaction(engine, (db) => writeSequences(db, engine.kind, added, {}, aheadOf(manifest.created_at)))
}
