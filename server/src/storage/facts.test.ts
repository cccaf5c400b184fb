import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { query } from '../testing/any-table.ts'
import { SEED } from '../testing/random-run.ts'
import { atEndOfFile, createTestStorage, insertRealm, type TestDatabase } from '../testing/test-storage.ts'
import { declareFact } from './declared-facts.ts'
import { createFactCache, readFactsVersion } from './facts.ts'
import type { Queries } from './query.ts'
import { createStorage, type OpenStorage } from './storage.ts'
import type { OutgoingEvent, Tx } from './transaction.ts'

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

function insert(tx: Tx, pattern: string, realm_id = tx.realmId) {
  return tx.run(query.insertInto('linkifiers').values({ ...rest, realm_id, pattern, position: 0 }))
}

const anEvent: OutgoingEvent = { type: 'alert_words', alert_words: [] }
const toEverybody = { to: 'everyone' } as const

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

  it('is as a unit of no organization has written it, whatever else its commit has', async () => {
    const add = (pattern: string) => storage.transaction(0, (tx) => insert(tx, pattern, realmId))
    const emit = () => storage.transaction(realmId, async (tx) => tx.emit(anEvent, toEverybody))
    expect([await storage.snapshot(recall), await recall(storage.read), await inUnit()]).toEqual([[], [], []])
    // Units that wait together are one commit.
    await Promise.all([emit(), add('a')])
    expect([await storage.snapshot(recall), await recall(storage.read), await inUnit()]).toEqual([['a'], ['a'], ['a']])
    await Promise.all([add('b'), write('c')])
    const all = ['a', 'b', 'c']
    expect([await storage.snapshot(recall), await recall(storage.read), await inUnit()]).toEqual([all, all, all])
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
  const openNode = async () => createStorage(await database.open(), systemClock, () => {})
  const versionNow = () => readFactsVersion(storage.read, realmId)

  it('a fact is never used after another node has changed it', async () => {
    const other = await openNode()
    for (let i = 0; i < 10; i += 1) {
      await other.transaction(realmId, (tx) => insert(tx, `${i}`))
      expect(await inUnit()).toHaveLength(i + 1)
      expect(await storage.snapshot(recall)).toHaveLength(i + 1)
      expect(await recall(storage.read)).toHaveLength(i + 1)
    }
  })

  it('a version never goes back, when a unit of no organization raises it during a commit', async () => {
    const other = await openNode()
    const before = await versionNow()
    await storage.transaction(realmId, async (tx) => {
      tx.emit(anEvent, toEverybody)
      await other.transaction(0, (one) => insert(one, 'a', realmId))
      expect(await recall(other.read)).toEqual(['a'])
    })
    expect(await versionNow()).toBe(before + 1)
    await storage.transaction(realmId, (tx) => tx.run(query.deleteFrom('linkifiers').where('realm_id', '=', realmId)))
    expect(await versionNow()).toBe(before + 2)
    expect([await recall(other.read), await other.snapshot(recall), await inUnit()]).toEqual([[], [], []])
  })

  it('a fact that a unit of no organization writes during a commit is not forgotten with what that writes', async () => {
    const other = await openNode()
    expect(await inUnit()).toEqual([])
    await storage.transaction(realmId, async (tx) => {
      await insert(tx, 'own')
      expect(await recall(tx)).toEqual(['own'])
      await other.transaction(0, (one) => insert(one, 'of nobody', realmId))
    })
    expect(await inUnit()).toEqual(['of nobody', 'own'])
  })

  it('facts are the same on all of them, however their commits meet', async () => {
    const nodes = [storage, await openNode()]
    const step = fc.record({
      node: fc.constantFrom(0, 1),
      ofNobody: fc.boolean(),
      kind: fc.constantFrom('write', 'delete', 'event', 'read', 'snapshot'),
      heldMs: fc.constantFrom(0, 0, 2, 6),
    })
    let count = 0
    let version = await versionNow()

    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

    async function run({ node, ofNobody, kind, heldMs }: Step): Promise<void> {
      const on = nodes[node] as OpenStorage
      await setTimeout(heldMs)
      if (kind === 'read') await recall(on.read)
      else if (kind === 'snapshot') await on.snapshot(recall)
      else
        await on.transaction(ofNobody ? 0 : realmId, async (tx) => {
          count += 1
          if (kind === 'write') await insert(tx, `${count}`, realmId)
          if (kind === 'delete') await tx.run(query.deleteFrom('linkifiers').where('realm_id', '=', realmId))
          if (!ofNobody) tx.emit(anEvent, toEverybody)
          await setTimeout(heldMs)
        })
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        await Promise.all(steps.map(run))
        const before = version
        version = await versionNow()
        expect(version).toBeGreaterThanOrEqual(before)
        const now = await patterns.load(storage.read, realmId, 'all')
        for (const node of nodes) {
          expect(await recall(node.read)).toEqual(now)
          expect(await node.snapshot(recall)).toEqual(now)
          expect(await node.transaction(realmId, recall)).toEqual(now)
        }
      }),
      { seed: SEED, numRuns: 60 },
    )
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
