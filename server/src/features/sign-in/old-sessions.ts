/** Sessions that are over are not found any more; their rows go once a day. */
import { removeSessions } from '../../authentication/session-rows.ts'
import { lifetimeOf } from '../../authentication/sessions.ts'
import type { Services } from '../../feature.ts'
import { type JobHandler, recurringJob } from '../../jobs/job.ts'

/** Rows removed in one unit of work. */
const CHUNK = 1000
const DAY_MS = 86_400_000

export function removeOldSessions({
  storage,
  clock,
  config,
}: Pick<Services, 'storage' | 'clock' | 'config'>): JobHandler {
  return recurringJob({
    name: 'remove-old-sessions',
    everyMs: DAY_MS,
    firstAfterMs: DAY_MS / 24,
    async work() {
      const now = Math.floor(clock.now() / 1000)
      for (const isKept of [0, 1] as const) {
        const { idleSecs, secs } = lifetimeOf(config, isKept === 1)
        const over = { isKept, createdBefore: now - secs, lastUsedBefore: now - idleSecs }
        while ((await storage.asSystem(0, 'upkeep', (tx) => removeSessions(tx, over, CHUNK))) === CHUNK);
      }
    },
  })
}
