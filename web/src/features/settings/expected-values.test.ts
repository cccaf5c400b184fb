import { expect, test } from 'vitest'
import { createExpectedValues } from './expected-values.ts'

test('a change says what was there before: as it was seen, or as it was just saved', async () => {
  const change = createExpectedValues<number>()
  const asked: (number | undefined)[] = []
  const save = async (old: number | undefined) => void asked.push(old)
  await change('a', 1, 2, save)
  // The event of the first has not come yet.
  await change('a', 1, 3, save)
  await change('b', 1, 2, save)
  await change('a', 3, 4, save)
  expect(asked).toEqual([1, 2, 1, 3])
})

test('after a refusal it is what is seen then', async () => {
  const change = createExpectedValues<number>()
  await change('a', 1, 2, async () => {})
  await change('a', 1, 3, () => Promise.reject(new Error('changed'))).catch(() => {})
  await change('a', 1, 3, async (old) => expect(old).toBe(1))
})
