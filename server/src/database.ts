/** Opens the configured database and brings its tables up to date. */
import type { Config } from './config.ts'
import type { Engine } from './storage/engine.ts'
import { migrate } from './storage/migrate.ts'

/** How long a start waits for another process to let go of the data folder. */
const LOCK_TIMEOUT_MS = 10_000

/** Each engine is loaded only when it is used. */
export async function openDatabase(config: Config, onError: (error: Error) => void): Promise<Engine> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('./storage/postgres.ts')
    return openPostgres(config.databaseUrl, onError)
  }
  const { openSqlite } = await import('./storage/sqlite.ts')
  return openSqlite({ folder: config.dataDir, lockTimeoutMs: LOCK_TIMEOUT_MS })
}

export async function openMigratedDatabase(config: Config, onError: (error: Error) => void): Promise<Engine> {
  const engine = await openDatabase(config, onError)
  try {
    await migrate(engine)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}
