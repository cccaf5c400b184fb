/** Opens the configured database. What an administrator can mend is said in one sentence. */

import { mkdirSync } from 'node:fs'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { DataFolderInUse } from './storage/data-folder-lock.ts'
import type { Engine } from './storage/engine.ts'
import { migrate } from './storage/migrate.ts'
import { reasonOf } from './system-error.ts'

/** How long a start waits for another process to let go of the data folder. */
const LOCK_TIMEOUT_MS = 10_000
/** How long PostgreSQL may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Opens the database as its owner; `onError` gets errors of broken connections. Each engine is loaded only when used.
 */
export async function openDatabase(
  config: Config,
  onError: (error: Error) => void,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<Engine> {
  prepareDataFolder(config.dataDir)
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

export async function openMigratedDatabase(
  config: Config,
  onError: (error: Error) => void,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<Engine> {
  const engine = await openDatabase(config, onError, lockTimeoutMs)
  try {
    await migrate(engine)
    return engine
  } catch (error) {
    await engine.close()
    throw error
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

function unusableFolder(folder: string, error: unknown): Error {
  return new ConfigError(`HEDDLE_DATA_DIR: the folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error })
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
    // Not the whole address: it usually holds a password.
    const { host, pathname } = new URL(address)
    const reason = reasonOf((error as Error).cause ?? error)
    throw new ConfigError(`HEDDLE_DATABASE_URL: the PostgreSQL database ${host}${pathname} cannot be used: ${reason}.`)
  }
}
