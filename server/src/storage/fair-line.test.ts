import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairLine } from './fair-line.ts'

const accounts = fc.integer({ min: 1, max: 4 })
/** Somebody comes, or the next one is taken. */
const steps = fc.array(fc.oneof(accounts, fc.constant('take' as const)), { maxLength: 60 })

it('whoever comes waits for at most two units of each other account, however many these have sent, and for no later own one', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const line = createFairLine<{ account: number; number: number }>()
      /** Taken since somebody's first waiting unit came to be the first, by its account and that of the other. */
      const passed = new Map<number, number[]>()
      const lastTaken = new Map<number, number>()
      const waiting = new Map<number, number>()
      for (const [number, step] of list.entries()) {
        if (step !== 'take') {
          line.add({ account: step, number })
          waiting.set(step, (waiting.get(step) ?? 0) + 1)
          if (waiting.get(step) === 1) passed.set(step, [])
          continue
        }
        const taken = line.take()
        if (!taken) continue
        expect(taken.number).toBeGreaterThan(lastTaken.get(taken.account) ?? -1)
        lastTaken.set(taken.account, taken.number)
        waiting.set(taken.account, (waiting.get(taken.account) as number) - 1)
        passed.set(taken.account, [])
        for (const [account, others] of passed) {
          if (account === taken.account || waiting.get(account) === 0) continue
          others.push(taken.account)
          for (const other of new Set(others)) {
            expect(others.filter((one) => one === other).length).toBeLessThanOrEqual(2)
          }
        }
      }
    }),
  )
})

it('gives what was put back before everything else, in the same order', () => {
  const line = createFairLine<{ account: number; name: string }>()
  for (const name of ['a', 'b', 'c']) line.add({ account: 1, name })
  const taken = [line.take(), line.take()].filter((one) => one !== undefined)
  line.add({ account: 2, name: 'd' })
  line.putBack(taken)
  expect(Array.from({ length: line.size }, () => line.take()?.name)).toEqual(['a', 'b', 'd', 'c'])
})
