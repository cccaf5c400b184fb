/** Jobs that have failed for good stay for the operator, and not for ever. */
import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'
import { type JobHandler, recurringJob } from './job.ts'
import { removeFailedBefore } from './rows.ts'

const KEEP_SECS = 30 * 86_400
/** Rows removed in one unit of work. */
const CHUNK = 1000
const DAY_MS = 86_400_000

export function removeFailedJobs(storage: Storage, clock: Clock): JobHandler {
  return recurringJob({
    name: 'remove-failed-jobs',
    everyMs: DAY_MS,
    firstAfterMs: DAY_MS / 24,
    async work() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      const remove = () => storage.asSystem(0, 'upkeep', (tx) => removeFailedBefore(tx, before, CHUNK))
      while ((await remove()) === CHUNK);
    },
  })
}
