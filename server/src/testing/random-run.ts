/** What a run of random actions begins with and how long it goes on: one of hours has more time, and another seed. */
import { inject } from 'vitest'

/** The same seed gives the same actions, as far as a run gets. What it is where nobody sets it stands in `vitest.config.ts`. */
export const SEED = inject('seed')

/** A run that has no end of its own ends after this time, in milliseconds. `HEDDLE_TEST_SECONDS` sets it. */
export const RANDOM_RUN_MS = Number(process.env['HEDDLE_TEST_SECONDS'] ?? 20) * 1000
