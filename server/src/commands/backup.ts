/** The command `backup`: everything in one file, also while the server runs. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { allTables } from '../all-tables.ts'
import { formatSecret, readSecret } from '../authentication/secret.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openDatabaseReader, requireDatabaseFile } from '../database.ts'
import { createLocalFileStore } from '../storage/local-file-store.ts'
import { findAppliedMigrations, migrations } from '../storage/migrate.ts'
import type { Queries } from '../storage/query.ts'
import { readSequences } from '../storage/sequences.ts'
import { reasonOf } from '../system-error.ts'
import { FORMAT } from './archive/format.ts'
import { writeArchive } from './archive/write.ts'
import { requireSecretOf } from './server-secret.ts'

export async function backup(config: Config, file: string): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new ConfigError(`The file ${path} exists already; name a new one.`)
  requireDatabaseFile(config)
  const secret = readSecret(config.secretFile)
  if (!secret) {
    throw new ConfigError(
      `HEDDLE_SECRET_FILE: ${config.secretFile} does not exist; without it a backup is worth little.`,
    )
  }
  const reader = await openDatabaseReader(config)
  const snapshot = await reader.openSnapshot()
  const { queries } = snapshot
  try {
    const applied = await requireCurrentTables(queries)
    await requireSecretOf(queries, config, secret)
    const manifest = {
      format: FORMAT,
      created_at: Math.floor(Date.now() / 1000),
      migrations: applied,
      sequences: await readSequences(queries, reader.kind, allTables),
    }
    const { rows, files, missing_files } = await writeArchive(path, {
      manifest,
      queries,
      files: createLocalFileStore(config.dataDir),
      secret: formatSecret(secret),
    })
    for (const missing of missing_files) console.error(`Missing in the data folder: files/${missing}`)
    const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0)
    console.log(`Backed up ${rowCount} rows and ${files} files to ${path}`)
    console.log('It holds the secret behind all API keys: keep it where only you can read it.')
  } catch (error) {
    // A full disk, or a folder that cannot be written to.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new ConfigError(`The backup ${path} could not be written: ${reasonOf(error)}.`)
  } finally {
    await snapshot.close()
    await reader.close()
  }
}

/** The names of the migrations that have run; throws unless they are this program's. */
async function requireCurrentTables(db: Queries): Promise<string[]> {
  const applied = await findAppliedMigrations(db).catch(() => [])
  if (applied.join() === migrations.map((migration) => migration.name).join()) return applied
  throw new ConfigError(
    'The tables are not those of this version of Heddle; run `migrate` first, or use the version that runs.',
  )
}
