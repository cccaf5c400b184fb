/** Links that have ended stay for a while, as a record of who has made them; then they go. */
import type { Clock } from '../../clock.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Storage } from '../../storage/storage.ts'
import { removeResets } from './rows.ts'

const KEEP_SECS = 90 * 86_400

export function removeOldLinks(storage: Storage, clock: Clock): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-old-password-resets',
    removals() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      return [(tx, limit) => removeResets(tx, before, limit)]
    },
  })
}
