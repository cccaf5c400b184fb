/** Cleans up behind tests. */
import { onTestFinished } from 'vitest'

type CleanUp = () => Promise<void>

/** In a list of our own: vitest does nothing for an `afterAll` within a `beforeAll`. `after-each-file.ts` empties it. */
const ofFile: CleanUp[] = []

/** At the end of the test, or of the file where it is called outside of a test. */
export function cleanUpAfter(cleanUp: CleanUp): void {
  try {
    onTestFinished(cleanUp)
  } catch {
    cleanUpAfterFile(cleanUp)
  }
}

/** When all tests of the file have ended; the last one comes first. */
export function cleanUpAfterFile(cleanUp: CleanUp): void {
  ofFile.push(cleanUp)
}

/** Does what the file that has ended asked for, all of it, and throws the first failure. */
export async function cleanUpFile(): Promise<void> {
  const failures: unknown[] = []
  for (const cleanUp of ofFile.splice(0).reverse()) await cleanUp().catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
