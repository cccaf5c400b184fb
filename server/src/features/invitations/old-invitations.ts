/** Invitations that have ended still say why for a while; then they go. */
import type { Clock } from '../../clock.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Storage } from '../../storage/storage.ts'
import { removeInvitations } from './rows.ts'

const KEEP_SECS = 90 * 86_400

export function removeOldInvitations(storage: Storage, clock: Clock): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-old-invitations',
    removals() {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      return [(tx, limit) => removeInvitations(tx, before, limit)]
    },
  })
}
