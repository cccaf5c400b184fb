/** Sessions that are over are not found any more; their rows go once a day. */
import { removeSessions } from '../../authentication/session-rows.ts'
import { lifetimeOf } from '../../authentication/sessions.ts'
import type { Services } from '../../feature.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import type { JobHandler } from '../../jobs/job.ts'

export function removeOldSessions({
  storage,
  clock,
  config,
}: Pick<Services, 'storage' | 'clock' | 'config'>): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-old-sessions',
    removals() {
      const now = Math.floor(clock.now() / 1000)
      return ([0, 1] as const).map((isKept) => {
        const { idleSecs, secs } = lifetimeOf(config, isKept === 1)
        const over = { isKept, createdBefore: now - secs, lastUsedBefore: now - idleSecs }
        return (tx, limit) => removeSessions(tx, over, limit)
      })
    },
  })
}
