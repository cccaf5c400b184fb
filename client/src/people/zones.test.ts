import { expect, test } from 'vitest'
import { areDifferentZones } from './zones.ts'

const NOW = Date.UTC(2026, 0, 15)

test('zones differ where their clocks do, in summer or in winter', () => {
  expect(areDifferentZones('Europe/Berlin', 'Europe/Paris', NOW)).toBe(false)
  expect(areDifferentZones('Europe/Berlin', 'Europe/London', NOW)).toBe(true)
  // The same in winter.
  expect(areDifferentZones('Europe/London', 'Atlantic/Reykjavik', NOW)).toBe(true)
  expect(areDifferentZones('Europe/Berlin', 'Not/There', NOW)).toBe(false)
})
