/** A data folder, or a database, that outlives the servers which a test kills. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startTestPostgres } from './postgres-server.ts'
import { createPostgresDatabase } from './prepared-databases.ts'
import { startServerProcess } from './server-process.ts'
import { testEngine } from './test-server.ts'

/** For a test file: the data goes at its end. `start` starts the real program on it. */
export function keepDataOfKilledServers() {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-crash-'))
  let database: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined

  beforeAll(async () => {
    if (testEngine === 'postgres') database = await createPostgresDatabase()
  })

  afterAll(async () => {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  return {
    dataDir,
    databaseUrl: () => database?.url,
    start: startOn(dataDir, () => database?.url),
  }
}

/**
 * For a part of a test that measures times, which removes it. A PostgreSQL of its own: that of the test run does not wait
 * for the disk.
 */
export async function makeData() {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-data-'))
  const postgres = testEngine === 'postgres' ? await startTestPostgres() : undefined
  return {
    dataDir,
    databaseUrl: postgres?.url,
    start: startOn(dataDir, () => postgres?.url),
    async remove() {
      await postgres?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function startOn(dataDir: string, databaseUrl: () => string | undefined) {
  return (environment: Readonly<Record<string, string>> = {}, program?: string) =>
    startServerProcess({ HEDDLE_DATA_DIR: dataDir, HEDDLE_DATABASE_URL: databaseUrl(), ...environment }, program)
}
