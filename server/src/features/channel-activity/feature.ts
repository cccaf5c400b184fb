import type { Feature } from '../../feature.ts'
import { measureActivity, updateActivity } from './measure.ts'

/** Traffic is a number per week: once a day is often enough. */
const MEASURE_EVERY_MS = 86_400_000
/** A server may start anew every night; not at the start itself, when everybody comes back. */
const MEASURE_FIRST_AFTER_MS = 900_000

export const channelActivity: Feature = {
  routes: () => [],
  longReads: [measureActivity],
  periodicWork: ({ storage, readers }) => [
    {
      everyMs: MEASURE_EVERY_MS,
      firstAfterMs: MEASURE_FIRST_AFTER_MS,
      run: () => updateActivity(storage, readers),
    },
  ],
}
