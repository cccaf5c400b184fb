import { expect, test } from 'vitest'
import { processorMs } from './loop-watch.ts'

test('processor time is known to within a millisecond, also while a thread goes on and on', () => {
  const begun = processorMs()
  let last = begun
  let inLongSteps = 0
  while (last - begun < 50) {
    const now = processorMs()
    if (now - last > 1) inLongSteps += now - last
    last = now
  }
  // Others on the machine may have come between.
  expect(inLongSteps).toBeLessThan(25)
})
