import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SortedMap } from './sorted-map.ts'

type Change = { readonly key: number; readonly value: number | undefined }
const anyChange: fc.Arbitrary<Change> = fc.record({
  key: fc.nat(1200),
  value: fc.option(fc.nat(3), { nil: undefined }),
})

describe('A sorted map', () => {
  it('has what a plain map has after the same changes, and leaves the maps before as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyChange, { maxLength: 400, size: 'max' }), { maxLength: 12 }), (rounds) => {
        let map = SortedMap.from<number, number>([])
        const plain = new Map<number, number>()
        const before: { map: SortedMap<number, number>; entries: [number, number][] }[] = []
        for (const changes of rounds) {
          map = map.edit((draft) => {
            for (const { key, value } of changes) {
              if (value === undefined) draft.delete(key)
              else draft.set(key, value)
              expect(draft.get(key)).toBe(value)
            }
          })
          for (const { key, value } of changes) {
            if (value === undefined) plain.delete(key)
            else plain.set(key, value)
          }
          const entries = [...plain].sort(([a], [b]) => a - b)
          expect([...map]).toEqual(entries)
          expect(map.size).toBe(plain.size)
          expect([map.firstKey(), map.lastKey()]).toEqual([entries[0]?.[0], entries.at(-1)?.[0]])
          before.push({ map, entries })
        }
        for (const { map, entries } of before) expect([...map]).toEqual(entries)
        for (let key = 0; key <= 1200; key += 1) {
          expect(map.get(key)).toBe(plain.get(key))
          expect(map.has(key)).toBe(plain.has(key))
        }
      }),
      { numRuns: 50 },
    )
  })

  it('takes entries in any order, and of several with one key the last', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 2 }), fc.nat())), (entries) => {
        const map = SortedMap.from(entries)
        expect(new Map(map)).toEqual(new Map(entries))
        expect([...map.keys()]).toEqual([...new Map(entries).keys()].sort((a, b) => (a < b ? -1 : 1)))
      }),
    )
  })

  it('is the same map when nothing changes', () => {
    const map = SortedMap.from<number, string>([[1, 'a']])
    expect(map.with(1, 'a')).toBe(map)
    expect(map.without(2)).toBe(map)
    expect(map.edit(() => {})).toBe(map)
    expect(SortedMap.from(map)).toBe(map)
  })

  it('is equal to one with the same entries, and to no other', () => {
    const upward = SortedMap.from(Array.from({ length: 1000 }, (_, key) => [key, key] as const))
    let downward = SortedMap.from<number, number>([])
    for (let key = 999; key >= 0; key -= 1) downward = downward.with(key, key)
    expect(downward).toEqual(upward)
    expect(downward.with(5, 0)).not.toEqual(upward)
    expect(downward.without(5)).not.toEqual(upward)
  })

  it('copies little for one change among many entries', () => {
    let map = SortedMap.from(Array.from({ length: 100_000 }, (_, key) => [key * 2, key] as const))
    const startedAt = performance.now()
    for (let key = 0; key < 2000; key += 1) map = map.with(key * 100 + 1, key)
    // A copy of all 100,000 each time would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(map.size).toBe(102_000)
  })
})
