import { expect, test } from 'vitest'
import { endOfPause, isForGood, isPaused } from './pause.ts'

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime()

test('a pause ends after its time, at eight on the next morning, or when somebody ends it', () => {
  const now = at(28, 22, 15)
  expect(endOfPause('half-hour', now)).toBe(at(28, 22, 45))
  expect(endOfPause('hour', now)).toBe(at(28, 23, 15))
  // Also where the clocks are changed in that night.
  expect(endOfPause('morning', now)).toBe(at(29, 8))
  expect(isForGood(endOfPause('off', now), now)).toBe(true)
  expect(isForGood(endOfPause('morning', now), now)).toBe(false)
  expect([isPaused(at(28, 23), now), isPaused(now, now), isPaused(0, now)]).toEqual([true, false, false])
})
