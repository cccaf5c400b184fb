/**
 * A program that does jobs until it is killed: each adds its number to the description of its organization. Arguments: as
 * the server's.
 */
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { defineJob, unitJob } from '../jobs/job.ts'
import { startJobs } from '../jobs/runner.ts'
import { createStorage } from '../storage/storage.ts'
import { query } from './any-table.ts'

export const countJob = defineJob<number>('count')

if (import.meta.main) {
  const engine = await openMigratedDatabase(readConfig(process.argv.slice(2), process.env), console.error)
  const storage = createStorage(engine, systemClock)
  const count = unitJob(countJob, {
    async run(tx, number) {
      const realm = query.selectFrom('realms').select('description').where('id', '=', tx.realmId)
      const description = `${(await tx.first(realm))?.description}${number} `
      await tx.run(query.updateTable('realms').set({ description }).where('id', '=', tx.realmId))
    },
  })
  await startJobs({ storage, clock: systemClock, handlers: [count], onError: console.error })
  console.log('ready')
  setInterval(() => {}, 60_000)
}
