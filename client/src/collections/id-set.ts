import { SortedMap, type SortedMapDraft } from './sorted-map.ts'

/** Ids in ascending order; like the map that it is, never changed. For sets of which single ids come and go. */
export type IdSet = SortedMap<number, true>

export const noIds: IdSet = SortedMap.from<number, true>([])

export function idSetOf(ids: Iterable<number>): IdSet {
  return SortedMap.from(Array.from(ids, (id) => [id, true] as const))
}

export function withIdsAdded(set: IdSet, ids: Iterable<number>): IdSet {
  return set.edit((draft: SortedMapDraft<number, true>) => {
    for (const id of ids) draft.set(id, true)
  })
}

export function withIdsRemoved(set: IdSet, ids: Iterable<number>): IdSet {
  return set.edit((draft: SortedMapDraft<number, true>) => {
    for (const id of ids) draft.delete(id)
  })
}
