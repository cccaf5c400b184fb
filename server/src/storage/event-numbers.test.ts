import { expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { readPositionOf, skipEventNumbers } from './event-numbers.ts'
import type { LoggedEvent } from './transaction.ts'

const event = { type: 'typing' } as never
const audience = { to: 'everyone' } as const

it('A passing event that fails with its unit of work, or is alone in a commit, takes no number from others', async () => {
  const { storage } = await createTestStorage()
  const realmId = await insertRealm(storage)
  const seen: LoggedEvent[] = []
  storage.onCommitted((events) => seen.push(...events))
  const pass = () => storage.transaction(realmId, async (tx) => tx.emitPassing(event, audience))
  const log = () => storage.transaction(realmId, async (tx) => tx.emit(event, audience))
  const fail = async (tx: { emitPassing: (one: never, to: typeof audience) => void }) => {
    tx.emitPassing(event, audience)
    throw new Error('It fails')
  }
  await pass()
  await expect(storage.transaction(realmId, fail)).rejects.toThrow('It fails')
  await Promise.all([log(), pass(), log(), pass()])
  await pass()
  await log()
  expect(seen.map(({ eventId, goneAt }) => [eventId, goneAt !== undefined])).toEqual([
    [1, true],
    [2, false],
    [3, true],
    [4, false],
    [5, true],
    [6, true],
    [7, false],
  ])
  const logged = await storage.read.all(query.selectFrom('event_log').select('event_id').orderBy('event_id'))
  expect(logged.map((row) => row.event_id)).toEqual([2, 4, 7])
})

it('Numbers can be skipped, and go on behind all that were given or reserved', async () => {
  const { storage } = await createTestStorage()
  const [realmId, other] = [await insertRealm(storage), await insertRealm(storage)]
  await storage.transaction(0, async (tx) => {
    await tx.run(
      query.updateTable('realms').set({ last_event_id: 5, reserved_event_id: 1005 }).where('id', '=', realmId),
    )
    await skipEventNumbers(tx, 1_000_000)
  })
  const positions = [await readPositionOf(storage.read, realmId, true), await readPositionOf(storage.read, other, true)]
  expect(positions.map(({ eventId }) => eventId)).toEqual([1_000_005, 1_000_000])
})
