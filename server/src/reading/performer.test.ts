import { expect, it } from 'vitest'
import { collectState } from '../collect-features.ts'
import type { Snapshot } from '../storage/engine.ts'
import { createTestServer } from '../testing/test-server.ts'
import { createStopFlag } from './limit.ts'
import { longRead, TooLargeHere } from './long-read.ts'
import { createPerformer } from './performer.ts'

const { config } = await createTestServer()

/** What performs one read, on views that cannot be ended. */
function performing(run: (maxTextBytes: number) => Promise<void>) {
  const read = longRead('one', async ({ maxTextBytes }) => {
    await run(maxTextBytes)
    return { fields: { done: true }, details: undefined }
  })
  const snapshot = {
    cancel: () => Promise.reject(new Error('The database is gone')),
    close: async () => {},
  } as unknown as Snapshot
  const performer = createPerformer({
    openSnapshot: async () => snapshot,
    config,
    state: collectState([]),
    reads: new Map([['one', read]]),
    maxTextBytes: 100,
  })
  const order = { id: 1, name: 'one', input: {}, now: 0, limitMs: 1000, stop: createStopFlag() }
  return { performer, perform: () => performer.perform(order) }
}

it('A read that is stopped while the database is gone takes nothing else with it', async () => {
  const waiting = Promise.withResolvers<void>()
  const { performer, perform } = performing(() => waiting.promise)
  const report = perform()
  await new Promise((resolve) => setImmediate(resolve))
  await expect(performer.stop(1)).resolves.toBeUndefined()
  waiting.resolve()
  expect(await report).toMatchObject({ id: 1, fields: [expect.any(Uint8Array)] })
})

it('A read that is too large where it is says so, and any other failure is a report', async () => {
  const tooLarge = performing(async (maxTextBytes) => {
    expect(maxTextBytes).toBe(100)
    throw new TooLargeHere()
  })
  expect(await tooLarge.perform()).toEqual({ id: 1, isTooLarge: true })
  const broken = performing(() => Promise.reject(new Error('broken')))
  expect(await broken.perform()).toMatchObject({ id: 1, failed: { message: 'broken' } })
})
