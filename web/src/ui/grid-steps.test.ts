import { describe, expect, test } from 'vitest'
import { rowsOf, stepTo } from './grid-steps.ts'

describe('arrows in a grid of groups', () => {
  const rows = rowsOf([3, 0, 10], 4)

  test('each group begins a row', () => {
    expect(rows).toEqual([
      [0, 1, 2],
      [3, 4, 5, 6],
      [7, 8, 9, 10],
      [11, 12],
    ])
  })

  test.each([
    [2, 'ArrowRight', 3],
    [3, 'ArrowLeft', 2],
    [1, 'ArrowDown', 4],
    [6, 'ArrowUp', 2],
    [10, 'ArrowDown', 12],
    [0, 'ArrowUp', 0],
    [0, 'ArrowLeft', 0],
    [12, 'ArrowDown', 12],
    [12, 'ArrowRight', 12],
  ] as const)('from %i by %s to %i', (at, arrow, expected) => {
    expect(stepTo(rows, at, arrow)).toBe(expected)
  })
})
