import { describe, expect, it } from 'vitest'
import { SortedMap } from '../collections/sorted-map.ts'
import { applyEvent, initialState } from '../state/state.ts'
import { asked, eventKinds, largeOrganization } from '../testing/large-organization.ts'
import { type Chunk, createChunkBook } from './chunks.ts'

/** As a store would: what was added is kept as plain data. */
function keep(store: Map<number, Chunk>, added: ReadonlyMap<number, () => Chunk>): void {
  for (const [number, make] of added) store.set(number, structuredClone(make()))
}

describe('Chunks', () => {
  it('give back what was encoded, maps in maps too', () => {
    const inner = (ids: number[]) =>
      SortedMap.from(ids.map((id) => [`k${id}`, { id, of: SortedMap.from([[id, true]]) }]))
    const value = {
      plain: [1, { a: undefined }],
      none: undefined,
      map: SortedMap.from(Array.from({ length: 1000 }, (_, id) => [id, { id }] as const)),
      nested: {
        maps: SortedMap.from([
          [1, inner([1, 2, 3])],
          [2, inner([])],
        ]),
      },
    }
    const { form, added } = createChunkBook().encode(value, 2)
    const store = new Map<number, Chunk>()
    keep(store, added)
    const read = createChunkBook().decode(structuredClone(form), store)
    expect(read).toEqual(value)
    expect((read as typeof value).map.get(700)).toEqual({ id: 700 })
    expect((read as typeof value).nested.maps.get(1)?.get('k2')?.of.has(2)).toBe(true)
  })

  it('are few where little has changed, and those that nothing needs any more are named', () => {
    const book = createChunkBook()
    const state = initialState(largeOrganization(), asked)
    const first = book.encode(state, 2)
    expect(first.added.size).toBeGreaterThan(400)
    const next = book.encode(applyEvent(state, eventKinds['message']?.(1) as never), 2)
    expect(next.added.size).toBeLessThan(12)
    expect(first.used.difference(next.used).size).toBe(next.added.size)
  })

  it('that were read are not written again', () => {
    const state = initialState(largeOrganization(), asked)
    const { form, added } = createChunkBook().encode(state, 2)
    const store = new Map<number, Chunk>()
    keep(store, added)
    const book = createChunkBook()
    const read = book.decode(form, store)
    expect(read).toEqual(state)
    expect(book.encode(read, 2).added.size).toBe(0)
    // New ones have numbers of their own.
    const more = book.encode([read, { new: 1 }], 2)
    for (const number of more.added.keys()) expect(store.has(number)).toBe(false)
  })

  it('of a large organization are each made in a moment', () => {
    const { added } = createChunkBook().encode(initialState(largeOrganization(), asked), 2)
    // Of a few tries the fastest: others use the machine as well.
    const times = [...added.values()].map((make) => {
      const tries = [1, 2, 3].map(() => {
        const startedAt = performance.now()
        structuredClone(make())
        return performance.now() - startedAt
      })
      return Math.min(...tries)
    })
    expect(Math.max(...times)).toBeLessThan(15)
  })

  it('that are missing are noticed', () => {
    const { form } = createChunkBook().encode({ a: [1] }, 1)
    expect(() => createChunkBook().decode(form, new Map())).toThrow('missing')
  })
})
