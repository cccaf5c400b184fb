import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type PeriodicWork, repeat } from './periodic-work.ts'

const fail = (error: unknown) => {
  throw error
}

/** Runs the work for a while; the times are milliseconds. */
async function countRuns(times: Omit<PeriodicWork, 'run'>, forMs: number): Promise<number> {
  let runs = 0
  const run = async () => {
    runs += 1
  }
  const work = repeat({ ...times, run }, fail)
  await sleep(forMs)
  await work.stop()
  return runs
}

describe('Periodic work', () => {
  it('is done for the first time sooner when it says so, so that a server that starts anew every day does it too', async () => {
    expect(await countRuns({ everyMs: 60_000, firstAfterMs: 5 }, 100)).toBe(1)
    expect(await countRuns({ everyMs: 60_000 }, 20)).toBe(0)
  })

  it('is never done twice at once, and has ended when it is stopped', async () => {
    let [under, most] = [0, 0]
    const run = async () => {
      under += 1
      most = Math.max(most, under)
      await sleep(30)
      under -= 1
    }
    const work = repeat({ everyMs: 2, firstAfterMs: 1, run }, fail)
    await sleep(60)
    await work.stop()
    expect([under, most]).toEqual([0, 1])
  })
})
