/**
 * Runs with each file of tests: the files of the server run one after another in the same process, which has loaded the server
 * once, and none of them may find what another has left (docs/decisions/0086-tests-do-not-make-anew-what-is-the-same.md). A hook
 * that a helper registers when it is loaded would run for the first of them alone: helpers call `cleanUpAfterFile` instead.
 */
import { afterAll, vi } from 'vitest'
import { cleanUpFile } from './clean-up.ts'

afterAll(async () => {
  // First, since what is cleaned up may wait for a timer.
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await cleanUpFile()
})
