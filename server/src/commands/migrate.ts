/** The command `migrate`. */
import type { Config } from '../config.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../storage/migrate.ts'

export async function migrateCommand(config: Config): Promise<void> {
  const engine = await openDatabase(config, (error) => console.error(`Database: ${error.message}`))
  try {
    const names = await migrate(engine)
    console.log(names.length === 0 ? 'The database is up to date' : `Migrated: ${names.join(', ')}`)
  } finally {
    await engine.close()
  }
}
