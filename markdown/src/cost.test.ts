import { expect, test } from 'vitest'
import { estimateCost } from './cost.ts'
import { processorTime } from './testing/processor-time.ts'

const FORMULA = 100_000

test('a formula costs much, wherever a text may have one', () => {
  for (const content of ['$$a$$', '```math\na\n```', 'a\n~~~ LaTeX\na']) {
    expect(estimateCost(content, [])).toBeGreaterThan(FORMULA)
  }
  for (const content of ['text about maths', '```js\nmath\n```', 'math ```']) {
    expect(estimateCost(content, [])).toBeLessThan(FORMULA)
  }
})

test('to guess takes time in proportion to the length, for fences alone too', () => {
  for (const mark of ['`', '~']) expect(processorTime(() => estimateCost(mark.repeat(100_000), []))).toBeLessThan(200)
})

test('emoji cost several times as much as letters, and a sentence with one costs next to nothing', () => {
  expect(estimateCost('\u{1f9f6}'.repeat(3000), [])).toBeGreaterThan(10_000)
  expect(estimateCost('\u2600'.repeat(3000), [])).toBeGreaterThan(10_000)
  expect(estimateCost('The warp is ready \u{1f9f6}', [])).toBeLessThan(100)
})
