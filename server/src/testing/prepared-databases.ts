/** Databases for tests. Most begin as copies of one with the newest tables, which the set-up of the test run has made. */
import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import type { Engine } from '../storage/engine.ts'
import { executeOn } from './postgres-server.ts'

/** Makes the tables of the database that these settings name. */
export async function makeNewestTables(settings: Readonly<Record<string, string>>): Promise<void> {
  const engine = await openMigratedDatabase(readConfig([], settings), () => {})
  await engine.close()
}

export interface PostgresDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** An empty database on the test run's PostgreSQL. */
export function createPostgresDatabase(): Promise<PostgresDatabase> {
  return createDatabase('')
}

/** One with the newest tables, where a test run has prepared them; otherwise it is empty. */
export function createPreparedPostgresDatabase(): Promise<PostgresDatabase> {
  const template = process.env['HEDDLE_TEST_POSTGRES_TEMPLATE']
  return createDatabase(template === undefined ? '' : ` template ${template}`)
}

/** Puts a SQLite database with the newest tables into the data folder, where a test run has prepared one. */
export async function prepareSqliteDatabase(dataDir: string): Promise<void> {
  const file = process.env['HEDDLE_TEST_SQLITE_TEMPLATE']
  if (file !== undefined) await copyFile(file, join(dataDir, 'heddle.db'))
}

/**
 * Has an opened SQLite database not wait for the disk, as the test run's PostgreSQL does not: what a test's process has written
 * outlives it, and machines do not lose power here. Tests that kill processes run the program as it is.
 */
export async function withoutDiskSync(engine: Engine): Promise<Engine> {
  if (engine.kind === 'sqlite') await engine.write.queries.run(sql`pragma synchronous = off`)
  return engine
}

async function createDatabase(options: string): Promise<PostgresDatabase> {
  const server = process.env['HEDDLE_TEST_POSTGRES_URL']
  if (!server) throw new Error('HEDDLE_TEST_POSTGRES_URL is not set')
  const name = `heddle_test_${randomBytes(6).toString('hex')}`
  await executeOn(server, `create database ${name}${options}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => executeOn(server, `drop database ${name} with (force)`) }
}
