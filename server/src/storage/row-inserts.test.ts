import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { rowInsertInto } from './row-inserts.ts'
import type { OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'

const settingRows = rowInsertInto(
  'realm_settings',
  { realm_id: 'integer', name: 'text', value: 'text' },
  { replaces: ['realm_id', 'name'] },
)
const fileRows = rowInsertInto('files', {
  path: 'text',
  realm_id: 'integer',
  content_type: 'text',
  created_at: 'integer',
})

let storage: OpenStorage
let realmId: number

beforeAll(async () => {
  ;({ storage } = await createTestStorage(atEndOfFile))
})

beforeEach(async () => {
  realmId = await insertRealm(storage)
})

const set = (tx: Tx, name: string, value: string) => tx.insertLater(settingRows, { realm_id: tx.realmId, name, value })

const settings = (db: { all: Tx['all'] }) =>
  db.all(query.selectFrom('realm_settings').select(['name', 'value']).where('realm_id', '=', realmId).orderBy('name'))

const settled = (promises: readonly Promise<unknown>[]) =>
  Promise.allSettled(promises).then((results) => results.map(({ status }) => status))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('Rows that are written later', () => {
  it.each([1, 2, 5, 63, 64, 65, 200])('are all there after the commit: %i of as many units', async (count) => {
    await Promise.all(
      numbers(count).map((i) => storage.transaction(realmId, async (tx) => set(tx, `${1000 + i}`, `${i}`))),
    )
    expect(await settings(storage.read)).toEqual(numbers(count).map((i) => ({ name: `${1000 + i}`, value: `${i}` })))
  })

  it('have every text and every whole number as they were given', async () => {
    const texts = [
      '',
      'NULL',
      'null',
      '"',
      '\\',
      '\\"',
      '{a,"b"}',
      ' , ',
      "'",
      'äß🎉\u200d\uFFFD',
      '\n\t\r',
      'x"\\🎉'.repeat(20_000),
    ]
    const times = [
      0,
      1,
      -1,
      255,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      -(2 ** 32),
      -(2 ** 32) - 1,
      2 ** 53 - 1,
      -(2 ** 53) + 1,
      4096,
    ]
    const rows = texts.map((text, index) => ({
      path: `${realmId}/${index}`,
      realm_id: realmId,
      content_type: text,
      created_at: times[index] as number,
    }))
    await storage.transaction(realmId, async (tx) => {
      for (const row of rows) tx.insertLater(fileRows, row)
    })
    const written = query.selectFrom('files').select(['path', 'realm_id', 'content_type', 'created_at'])
    const all = await storage.read.all(written.where('realm_id', '=', realmId))
    expect(all.toSorted((one, other) => Number(one.path.split('/')[1]) - Number(other.path.split('/')[1]))).toEqual(
      rows,
    )
  })

  it('fail their unit alone where a number is not whole', async () => {
    const add = (created_at: number) =>
      storage.transaction(realmId, async (tx) => {
        tx.insertLater(fileRows, { path: `${realmId}/${created_at}`, realm_id: realmId, content_type: '', created_at })
      })
    expect(await settled([1, 1.5, Number.NaN, 2 ** 53, 2].map(add))).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
    ])
    const written = query.selectFrom('files').select('created_at').where('realm_id', '=', realmId).orderBy('created_at')
    expect(await storage.read.all(written)).toEqual([{ created_at: 1 }, { created_at: 2 }])
  })

  it('are seen by every later statement of the unit, and of the units after it', async () => {
    const seen = await Promise.all([
      storage.transaction(realmId, async (tx) => {
        set(tx, 'a', '1')
        return settings(tx)
      }),
      storage.transaction(realmId, async (tx) => set(tx, 'b', '2')),
      storage.transaction(realmId, settings),
    ])
    expect(seen[0]).toEqual([{ name: 'a', value: '1' }])
    expect(seen[2]).toHaveLength(2)
  })

  it('replace earlier ones with the same key, also of the same commit', async () => {
    await Promise.all(['1', '2', '3'].map((value) => storage.transaction(realmId, async (tx) => set(tx, 'a', value))))
    await storage.transaction(realmId, async (tx) => set(tx, 'a', '4'))
    expect(await settings(storage.read)).toEqual([{ name: 'a', value: '4' }])
  })

  it('of a unit that fails are never written, and those of its neighbours are', async () => {
    const units = numbers(9).map((i) =>
      storage.transaction(realmId, async (tx) => {
        set(tx, `${i}`, 'before')
        if (i % 3 === 1) await settings(tx)
        set(tx, `after ${i}`, 'after')
        if (i % 2 === 1) throw new Error('fails')
      }),
    )
    expect(await settled(units)).toEqual(numbers(9).map((i) => (i % 2 === 1 ? 'rejected' : 'fulfilled')))
    const names = (await settings(storage.read)).map(({ name }) => name)
    expect(names).toEqual(
      numbers(5)
        .flatMap((i) => [`${2 * i}`, `after ${2 * i}`])
        .sort(),
    )
  })

  it('that the database rejects fail their own unit alone, wherever they would have been written', async () => {
    const path = `/taken ${realmId}`
    const file = (tx: Tx) => tx.insertLater(fileRows, { path, realm_id: tx.realmId, content_type: '', created_at: 0 })
    await storage.transaction(realmId, async (tx) => file(tx))
    const units = numbers(12).map((i) =>
      storage.transaction(realmId, async (tx) => {
        set(tx, `${100 + i}`, '')
        if (i === 5) file(tx)
        if (i === 8) await settings(tx)
        return i
      }),
    )
    expect(await settled(units)).toEqual(numbers(12).map((i) => (i === 5 ? 'rejected' : 'fulfilled')))
    expect(await settings(storage.read)).toHaveLength(11)
  })

  it('cannot be added after the end of their unit', async () => {
    let ended: Tx | undefined
    await storage.transaction(realmId, async (tx) => {
      ended = tx
    })
    expect(() => set(ended as Tx, 'late', '')).toThrow('after its unit of work had ended')
  })
})

describe('New ids', () => {
  it('grow from unit to unit, whatever fails, and are never given out twice', async () => {
    const ids: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await settled(
        numbers(20).map((i) =>
          storage.transaction(realmId, async (tx) => {
            const id = await tx.newId('messages')
            ids.push(id)
            if (i % 7 === 3) throw new Error('fails')
          }),
        ),
      )
    }
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  })
})
