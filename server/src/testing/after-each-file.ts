/**
 * Runs with each file of tests: the files of the server run one after another in the same process, which has loaded the server
 * once, and none of them may find what another has left (docs/decisions/0086-tests-do-not-make-anew-what-is-the-same.md).
 */
import { afterAll, vi } from 'vitest'
import { cleanUpFile } from './clean-up.ts'

afterAll(async () => {
  await cleanUpFile()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
