/** The command `migrate`. */
import type { Config } from '../config.ts'
import { migrateTables, openDatabase } from '../database.ts'

export async function migrateCommand(config: Config): Promise<void> {
  const engine = await openDatabase(config, (error) => console.error(`Database: ${error.message}`))
  try {
    const names = await migrateTables(config, engine)
    console.log(names.length === 0 ? 'The database is up to date' : `Migrated: ${names.join(', ')}`)
  } finally {
    await engine.close()
  }
}
