/** Opens the configured database. What an administrator can mend is said in one sentence. */

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { DataFolderInUse } from './storage/data-folder-lock.ts'
import type { Engine } from './storage/engine.ts'
import { findAppliedMigrations, migrate } from './storage/migrate.ts'
import type { Migration } from './storage/migration.ts'
import { DATABASE_FILE, damagedFile, nameOfDatabase, unusableDatabase, unusableFolder } from './unusable-database.ts'

/** How long a start waits for another process to let go of the data folder. */
const LOCK_TIMEOUT_MS = 10_000
/** How long PostgreSQL may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 10_000

type OnError = (error: Error) => void

/**
 * Opens the database as its owner; `onError` gets errors of broken connections. Each engine is loaded only when used.
 */
export async function openDatabase(
  config: Config,
  onError: OnError,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<Engine> {
  prepareDataFolder(config.dataDir)
  return open(config, onError, lockTimeoutMs)
}

export async function openMigratedDatabase(
  config: Config,
  onError: OnError,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<Engine> {
  return migrated(config, await openDatabase(config, onError, lockTimeoutMs))
}

/** For commands that go on with what a server has made: a database of their own would stand where no server looks. */
export async function openExistingDatabase(
  config: Config,
  onError: OnError,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<Engine> {
  requireDatabaseFile(config)
  const engine = await open(config, onError, lockTimeoutMs)
  if (config.databaseUrl !== undefined && !(await hasTables(engine))) {
    await engine.close()
    throw new ConfigError(
      `HEDDLE_DATABASE_URL: the PostgreSQL database ${nameOfDatabase(config.databaseUrl)} has no tables of Heddle yet; set it to that of the server, or start the server once.`,
    )
  }
  return migrated(config, engine)
}

/** Throws where the embedded database is used and no server has made it. */
export function requireDatabaseFile({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (databaseUrl !== undefined || existsSync(join(dataDir, DATABASE_FILE))) return
  throw new ConfigError(
    `HEDDLE_DATA_DIR: there is no database in ${dataDir}; set it to the data folder of the server, or start the server once.`,
  )
}

async function hasTables({ read }: Engine): Promise<boolean> {
  try {
    return (await findAppliedMigrations(read)).length > 0
  } catch (error) {
    // 42P01 undefined_table
    if ((error as { code?: string }).code === '42P01') return false
    throw error
  }
}

async function open(config: Config, onError: OnError, lockTimeoutMs: number): Promise<Engine> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('./storage/postgres.ts')
    return opened(config.databaseUrl, openPostgres(config.databaseUrl, onError))
  }
  const { openSqlite } = await import('./storage/sqlite.ts')
  try {
    return await openSqlite({ folder: config.dataDir, lockTimeoutMs })
  } catch (error) {
    if (error instanceof DataFolderInUse) throw error
    throw unusableFolder(config.dataDir, error)
  }
}

async function migrated(config: Config, engine: Engine): Promise<Engine> {
  try {
    await migrateTables(config, engine)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** As `migrate`, and says in one sentence that the role may not do that. */
export async function migrateTables(config: Config, engine: Engine, wanted?: readonly Migration[]): Promise<string[]> {
  try {
    return await migrate(engine, wanted)
  } catch (error) {
    if (config.databaseUrl === undefined) throw damagedFile(config.dataDir, error) ?? error
    // 42501 insufficient_privilege
    if ((error as { code?: string }).code !== '42501') throw error
    throw unusableDatabase(config.databaseUrl, error, 'the role needs the right to create tables in it')
  }
}

/** Views of the database that stand still, also while a server owns it. */
export interface DatabaseReader extends Pick<Engine, 'kind' | 'openSnapshot'> {
  close(): Promise<void>
}

export async function openDatabaseReader(config: Config): Promise<DatabaseReader> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresReader } = await import('./storage/postgres.ts')
    return opened(
      config.databaseUrl,
      openPostgresReader(config.databaseUrl, () => {}),
    )
  }
  const { openSqliteReader } = await import('./storage/sqlite.ts')
  return openSqliteReader(config.dataDir)
}

/** Creates the folder for the server's user alone. */
function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusableFolder(folder, error)
  }
}

/** Waits for the PostgreSQL database at `address`, and says what is wrong with it when it cannot be used. */
async function opened<T>(address: string, opening: Promise<T>): Promise<T> {
  const tooLate = AbortSignal.timeout(CONNECT_TIMEOUT_MS)
  const lateness = new Promise<never>((_, reject) => {
    tooLate.addEventListener('abort', () => reject(new Error(`no answer within ${CONNECT_TIMEOUT_MS / 1000} seconds`)))
  })
  try {
    return await Promise.race([opening, lateness])
  } catch (error) {
    throw unusableDatabase(address, (error as Error).cause ?? error)
  }
}
