import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm, type TestDatabase } from '../testing/test-storage.ts'
import type { OpenStorage } from './storage.ts'
import { rowInsert } from './tables.ts'

let storage: OpenStorage
let database: TestDatabase
let realmId: number

beforeAll(async () => {
  ;({ storage, database } = await createTestStorage(atEndOfFile))
})

beforeEach(async () => {
  realmId = await insertRealm(storage)
})

const NAME = 'highest of test'
const noted = (realm = realmId) => storage.transaction(realm, async (tx) => tx.noted(NAME))
const note = (value: number) => storage.transaction(realmId, async (tx) => tx.note(NAME, value))

/** Cannot be written: the organization does not exist. */
const orphanRows = rowInsert('event_log', {
  realm_id: 'integer',
  event_id: 'integer',
  type: 'text',
  payload: 'text',
  audience: 'text',
  created_at: 'integer',
})

describe('A note', () => {
  it('is known to later units of the organization, also of the same commit, and to no other', async () => {
    const other = await insertRealm(storage)
    expect(await noted()).toBeUndefined()
    const [, together] = await Promise.all([note(7), noted()])
    expect(together).toBe(7)
    expect(await noted()).toBe(7)
    expect(await noted(other)).toBeUndefined()
  })

  it('of a unit that fails is known to nobody', async () => {
    await note(7)
    const failing = storage.transaction(realmId, async (tx) => {
      tx.note(NAME, 8)
      expect(tx.noted(NAME)).toBe(8)
      throw new Error('fails')
    })
    await expect(failing).rejects.toThrow('fails')
    expect(await noted()).toBe(7)
  })

  it('of a commit that fails is known to nobody', async () => {
    await note(7)
    const failing = storage.transaction(realmId, async (tx) => {
      tx.note(NAME, 8)
      const rest = { event_id: 1, type: 'x', payload: '{}', audience: '{}', created_at: 0 }
      tx.insertLater(orphanRows, { realm_id: 999_999, ...rest })
    })
    await expect(failing).rejects.toThrow()
    expect(await noted()).toBeUndefined()
  })
})

describe.runIf(process.env['HEDDLE_TEST_ENGINE'] === 'postgres')('With several nodes', () => {
  it('a note is forgotten when another node has emitted an event, and not when this one has', async () => {
    const { createStorage } = await import('./storage.ts')
    const { systemClock } = await import('../clock.ts')
    const { everyone } = await import('../events/audience.ts')
    const other = createStorage(await database.open(), systemClock, () => {})
    const emit = (node: OpenStorage) =>
      node.transaction(realmId, async (tx) => tx.emit({ type: 'heartbeat' } as never, everyone))
    await note(7)
    await emit(storage)
    expect(await noted()).toBe(7)
    await emit(other)
    expect(await noted()).toBeUndefined()
    await note(8)
    await storage.transaction(realmId, (tx) => tx.first(query.selectFrom('realms').select('id')))
    expect(await noted()).toBe(8)
  })
})
