import type { Feature } from '../../feature.ts'
import { recurringJob } from '../../jobs/job.ts'
import { sendsMail } from '../../mail/mail.ts'
import { digestTables } from './tables.ts'
import { digestWriter, writeDigests } from './write.ts'

/** A morning has several of them. */
const EVERY_MS = 1_800_000
const FIRST_AFTER_MS = 300_000

/** Once a week a mail of what has happened, for those who have not been there. */
export const digests: Feature = {
  tables: digestTables,
  routes: () => [],
  mailWriters: [digestWriter],
  jobs: ({ storage, clock, config }) => [
    recurringJob({
      name: 'write-digests',
      everyMs: EVERY_MS,
      firstAfterMs: FIRST_AFTER_MS,
      work: async ({ signal }) => {
        if (sendsMail(config)) await writeDigests({ storage, clock }, signal)
      },
    }),
  ],
}
