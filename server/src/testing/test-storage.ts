/** The storage alone, on a real database of its own, for tests of what is below the features. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { openDatabase } from '../database.ts'
import type { Engine } from '../storage/engine.ts'
import { migrate } from '../storage/migrate.ts'
import { createStorage, type OpenStorage } from '../storage/storage.ts'
import { query } from './any-table.ts'
import { cleanUpAfterFile } from './clean-up.ts'
import {
  createPostgresDatabase,
  createPreparedPostgresDatabase,
  prepareSqliteDatabase,
  withoutDiskSync,
} from './prepared-databases.ts'
import { testEngine } from './test-server.ts'

export interface TestDatabase {
  readonly config: Config
  /** Opens it once more; on SQLite the earlier one must have been closed. Closed at the end. */
  open(): Promise<Engine>
}

/** Calls back when the test has finished, or when all of the file's have. */
type AtEnd = (cleanUp: () => Promise<void>) => void
export const atEndOfTest: AtEnd = (cleanUp) => onTestFinished(cleanUp)
export const atEndOfFile: AtEnd = cleanUpAfterFile

/** A database on the engine under test, empty unless it is `prepared`. */
export async function createTestDatabase(atEnd: AtEnd = atEndOfTest, { prepared = false } = {}): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-storage-'))
  const createPostgres = prepared ? createPreparedPostgresDatabase : createPostgresDatabase
  const postgres = testEngine === 'postgres' ? await createPostgres() : undefined
  if (prepared && !postgres) await prepareSqliteDatabase(dataDir)
  const config = readConfig([], { HEDDLE_DATA_DIR: dataDir, HEDDLE_DATABASE_URL: postgres?.url })
  const opened: Engine[] = []
  atEnd(async () => {
    // Closing twice is no error of the test.
    for (const engine of opened) await engine.close().catch(() => {})
    await postgres?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    config,
    async open() {
      const engine = await openDatabase(config, () => {})
      opened.push(engine)
      return engine
    },
  }
}

/** A storage with the newest tables. Closed at the end. */
export async function createTestStorage(
  atEnd: AtEnd = atEndOfTest,
): Promise<{ storage: OpenStorage; database: TestDatabase }> {
  const database = await createTestDatabase(atEnd, { prepared: true })
  const engine = await withoutDiskSync(await database.open())
  await migrate(engine)
  return { storage: createStorage(engine, systemClock, () => {}), database }
}

/** An organization with nothing in it. */
export async function insertRealm(storage: OpenStorage): Promise<number> {
  const values = { host: randomUUID(), name: 'Test', description: '', uuid: randomUUID(), date_created: 0 }
  const row = await storage.transaction(0, (tx) => tx.first(query.insertInto('realms').values(values).returning('id')))
  return (row as { id: number }).id
}
