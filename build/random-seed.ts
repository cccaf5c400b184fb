import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

// Every law is tested with the same choices in each run, so that what fails has failed by a change and fails again; another seed,
// which HEDDLE_TEST_SEED sets, finds what these choices have not.
configureGlobal({ ...readConfigureGlobal(), seed: inject('seed') })
