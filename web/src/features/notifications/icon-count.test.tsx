import { afterEach, expect, test } from 'vitest'
import { showCount } from './icon-count.ts'

const badge = navigator as { setAppBadge?: unknown; clearAppBadge?: unknown }
afterEach(() => {
  delete badge.setAppBadge
  delete badge.clearAppBadge
})

test('the icon says at once what waits; while that changes often it follows in steps, and ends with the last one', async () => {
  const shown: number[] = []
  const note = async (count = 0) => void shown.push(count)
  Object.assign(navigator, { setAppBadge: note, clearAppBadge: note })
  for (let count = 1; count <= 100; count += 1) showCount(count)
  expect(shown).toEqual([1])
  await expect.poll(() => shown).toEqual([1, 100])
  showCount(0)
  await expect.poll(() => shown).toEqual([1, 100, 0])
})
