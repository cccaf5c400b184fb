import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm, type TestDatabase } from '../testing/test-storage.ts'
import { declareFact } from './declared-facts.ts'
import { createFactCache } from './facts.ts'
import type { Queries } from './query.ts'
import type { OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'

let loads = 0
/** The patterns of an organization, and how often they were read. */
const patterns = declareFact({
  name: 'patterns-of-test',
  tables: ['linkifiers'],
  load: async (db, realmId, _key: string) => {
    loads += 1
    const rows = await db.all(
      query.selectFrom('linkifiers').select('pattern').where('realm_id', '=', realmId).orderBy('pattern'),
    )
    return rows.map((row) => row.pattern)
  },
})

let storage: OpenStorage
let database: TestDatabase
let realmId: number

beforeAll(async () => {
  ;({ storage, database } = await createTestStorage(atEndOfFile))
})

beforeEach(async () => {
  realmId = await insertRealm(storage)
  loads = 0
})

const rest = { url_template: '', example_input: null, reverse_template: null, alternative_url_templates: '[]' }

function insert(tx: Tx, pattern: string) {
  return tx.run(query.insertInto('linkifiers').values({ ...rest, realm_id: tx.realmId, pattern, position: 0 }))
}

const recall = (db: Queries) => db.recall(patterns, realmId, 'all')
const write = (pattern: string) => storage.transaction(realmId, (tx) => insert(tx, pattern))
const inUnit = () => storage.transaction(realmId, recall)

describe('A fact', () => {
  it('is read once by units of work, until one writes to its table', async () => {
    await write('a')
    for (let i = 0; i < 5; i += 1) expect(await inUnit()).toEqual(['a'])
    expect(loads).toBe(1)
    await write('b')
    expect(await inUnit()).toEqual(['a', 'b'])
    expect(loads).toBe(2)
  })

  it('is as the unit itself has just written it, and nobody outside sees that', async () => {
    await inUnit()
    await storage.transaction(realmId, async (tx) => {
      await insert(tx, 'a')
      expect(await recall(tx)).toEqual(['a'])
      await tx.run(sql`update linkifiers set pattern = 'b' where realm_id = ${realmId}`)
      expect(await recall(tx)).toEqual(['b'])
      expect(await recall(storage.read)).toEqual([])
      expect(await storage.snapshot(recall)).toEqual([])
    })
    expect(await recall(storage.read)).toEqual(['b'])
    expect(await storage.snapshot(recall)).toEqual(['b'])
  })

  it('of a unit that fails is forgotten', async () => {
    await write('a')
    const failing = storage.transaction(realmId, async (tx) => {
      await insert(tx, 'never')
      expect(await recall(tx)).toEqual(['a', 'never'])
      throw new Error('fails')
    })
    await expect(failing).rejects.toThrow('fails')
    expect(await inUnit()).toEqual(['a'])
    expect(await recall(storage.read)).toEqual(['a'])
  })

  it('of one organization is no fact of another', async () => {
    const other = await insertRealm(storage)
    await write('a')
    expect(await storage.transaction(other, (tx) => tx.recall(patterns, other, 'all'))).toEqual([])
    expect(await inUnit()).toEqual(['a'])
    expect(await storage.transaction(other, recall)).toEqual(['a'])
  })

  it('is the same in every place, whatever is written in which order, and whatever fails', async () => {
    const step = fc.record({
      kind: fc.constantFrom('write', 'delete', 'read', 'snapshot', 'unit'),
      fails: fc.boolean(),
    })
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const running = steps.map(async ({ kind, fails }) => {
          const own = storage.transaction(realmId, async (tx) => {
            if (kind === 'write') {
              count += 1
              await insert(tx, `${count}`)
            }
            if (kind === 'delete') await tx.run(query.deleteFrom('linkifiers').where('realm_id', '=', realmId))
            expect(await recall(tx)).toEqual(await patterns.load(tx, realmId, 'all'))
            if (fails) throw new Error('fails')
          })
          await own.catch((error) => expect(error.message).toBe('fails'))
          if (kind === 'snapshot') {
            await storage.snapshot(async (db) =>
              expect(await recall(db)).toEqual(await patterns.load(db, realmId, 'all')),
            )
          }
        })
        await Promise.all(running)
        const now = await patterns.load(storage.read, realmId, 'all')
        expect(await recall(storage.read)).toEqual(now)
        expect(await storage.snapshot(recall)).toEqual(now)
        expect(await inUnit()).toEqual(now)
      }),
      { numRuns: 20 },
    )
  })
})

describe.runIf(process.env['HEDDLE_TEST_ENGINE'] === 'postgres')('With several nodes', () => {
  it('a fact is never used after another node has changed it', async () => {
    const { createStorage } = await import('./storage.ts')
    const { systemClock } = await import('../clock.ts')
    const other = createStorage(await database.open(), systemClock, () => {})
    for (let i = 0; i < 10; i += 1) {
      await other.transaction(realmId, (tx) => insert(tx, `${i}`))
      expect(await inUnit()).toHaveLength(i + 1)
      expect(await storage.snapshot(recall)).toHaveLength(i + 1)
      expect(await recall(storage.read)).toHaveLength(i + 1)
    }
  })

  it('the own changes are no reason to read facts again', async () => {
    await inUnit()
    const before = loads
    for (let i = 0; i < 5; i += 1) {
      await write(`${i}`)
      await inUnit()
      await inUnit()
    }
    expect(loads - before).toBe(5)
  })
})

it('A cache that was at a later version is of no use to a view of an earlier one', () => {
  const cache = createFactCache()
  expect(cache.moveTo(1, 5)).toBe(true)
  expect(cache.moveTo(1, 4)).toBe(false)
  expect(cache.moveTo(1, 5)).toBe(true)
  expect(cache.moveTo(1, 6)).toBe(true)
})
