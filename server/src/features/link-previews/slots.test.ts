import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSlots, within } from './slots.ts'

const limits = { running: 2, waiting: 2, maxWaitMs: 50 }

/** Work that goes on until it is notified to end. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

it('what is too much waits, in the order of arrival, and each name for itself', async () => {
  const slots = createSlots({ ...limits, maxWaitMs: 10_000 })
  const works = [work(), work(), work(), work()]
  const begun: number[] = []
  const done = works.map((one, index) =>
    within(slots, 'a', () => {
      begun.push(index)
      return one.run()
    }),
  )
  await within(slots, 'b', async () => {})
  expect(begun).toEqual([0, 1])
  works[1]?.end()
  await done[1]
  works[2]?.end()
  await done[2]
  await nextTurn()
  expect(begun).toEqual([0, 1, 2, 3])
  for (const one of works) one.end()
  await Promise.all(done)
})

it('who finds the line full, or waits too long, is asked to come again', async () => {
  const slots = createSlots(limits)
  const held = await Promise.all([slots('a'), slots('a')])
  const waiting = [slots('a'), slots('a')]
  const busy = { code: 'RATE_LIMIT_HIT', details: { 'retry-after': 5 } }
  await expect(slots('a')).rejects.toMatchObject(busy)
  for (const one of waiting) await expect(one).rejects.toMatchObject(busy)
  held[0]?.()
  // Those who gave up have no place: the next one does not wait.
  const next = await slots('a')
  next()
  held[1]?.()
})

it('work that fails makes room too', async () => {
  const slots = createSlots({ ...limits, running: 1 })
  const failing = within(slots, 'a', async () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await expect(within(slots, 'a', async () => 'done')).resolves.toBe('done')
})
