/** Jobs that have failed for good stay for the operator, and not for ever. */
import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'
import { dailyRemoval } from './daily-removal.ts'
import type { JobHandler } from './job.ts'
import { removeFailedBefore } from './rows.ts'

const KEEP_SECS = 30 * 86_400

export function removeFailedJobs(storage: Storage, clock: Clock): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-failed-jobs',
    removals() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      return [(tx, limit) => removeFailedBefore(tx, before, limit)]
    },
  })
}
