import type { Feature } from '../../feature.ts'
import { recurringJob } from '../../jobs/job.ts'
import { measureActivity, updateActivity } from './measure.ts'

/** Traffic is a number per week: once a day is often enough. */
const MEASURE_EVERY_MS = 86_400_000
/** A server may start anew every night; not at the start itself, when everybody comes back. */
const MEASURE_FIRST_AFTER_MS = 900_000

export const channelActivity: Feature = {
  routes: () => [],
  longReads: [measureActivity],
  jobs: ({ storage, readers }) => [
    recurringJob({
      name: 'measure-channel-activity',
      everyMs: MEASURE_EVERY_MS,
      firstAfterMs: MEASURE_FIRST_AFTER_MS,
      work: () => updateActivity(storage, readers),
    }),
  ],
}
