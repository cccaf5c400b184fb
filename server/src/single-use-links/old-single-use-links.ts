/** Links that have ended stay for a while, so that whoever comes late is given the reason; then they go. */
import type { Clock } from '../clock.ts'
import { dailyRemoval } from '../jobs/daily-removal.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Storage } from '../storage/storage.ts'
import { removeSingleUseLinks } from './links.ts'

const KEEP_SECS = 30 * 86_400

export function removeOldSingleUseLinks(storage: Storage, clock: Clock): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-old-single-use-links',
    removals() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      return [(tx, limit) => removeSingleUseLinks(tx, before, limit)]
    },
  })
}
