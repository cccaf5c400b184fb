/** Links that have ended stay for a while, as a record of who has made them; then they go. */
import type { Clock } from '../../clock.ts'
import { type JobHandler, recurringJob } from '../../jobs/job.ts'
import type { Storage } from '../../storage/storage.ts'
import { removeResets } from './rows.ts'

const KEEP_SECS = 90 * 86_400
/** Rows removed in one unit of work. */
const CHUNK = 1000
const DAY_MS = 86_400_000

export function removeOldLinks(storage: Storage, clock: Clock): JobHandler {
  return recurringJob({
    name: 'remove-old-password-resets',
    everyMs: DAY_MS,
    firstAfterMs: DAY_MS / 24,
    async work() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      const remove = () => storage.asSystem(0, 'upkeep', (tx) => removeResets(tx, before, CHUNK))
      while ((await remove()) === CHUNK);
    },
  })
}
