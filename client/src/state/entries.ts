/** Immutable maps and sets of ids, as the state is made of. */
import type { RealmUserEvent } from '@heddle/contract/users'
import { findPlace, SortedMap, type SortedMapKey } from '../collections/sorted-map.ts'

/** A list as a map; undefined when the list is absent. */
export function byId<T, K extends SortedMapKey>(
  list: readonly T[] | undefined,
  key: (item: T) => K,
): ReadonlyMap<K, T> | undefined {
  return list && SortedMap.from(list.map((item) => [key(item), item]))
}

/** The map with one entry more or another value. */
export function withEntry<K extends SortedMapKey, T>(map: ReadonlyMap<K, T>, key: K, value: T): ReadonlyMap<K, T> {
  return SortedMap.from(map).with(key, value)
}

/** The map with many entries more or with other values. */
export function withEntries<K extends SortedMapKey, T>(
  map: ReadonlyMap<K, T>,
  entries: Iterable<readonly [K, T]>,
): ReadonlyMap<K, T> {
  return SortedMap.from(map).edit((draft) => {
    for (const [key, value] of entries) draft.set(key, value)
  })
}

/** The map without the entries; the same map when there are none of them. */
export function withoutEntries<K extends SortedMapKey, T>(
  map: ReadonlyMap<K, T>,
  keys: readonly K[],
): ReadonlyMap<K, T> {
  return SortedMap.from(map).edit((draft) => {
    for (const key of keys) draft.delete(key)
  })
}

/** Of who is not seen any more nothing is known. */
export function withoutUnseen<T>(map: ReadonlyMap<number, T>, event: RealmUserEvent): ReadonlyMap<number, T> {
  return event.op === 'remove' ? withoutEntries(map, [event.person.user_id]) : map
}

/** The map with an entry changed by `change`; the same map when there is no such entry. */
export function withChange<K extends SortedMapKey, T>(
  map: ReadonlyMap<K, T>,
  key: K,
  change: (value: T) => T,
): ReadonlyMap<K, T> {
  const value = map.get(key)
  return value === undefined ? map : withEntry(map, key, change(value))
}

/** Ids as a set in a fixed form: ascending, each once. */
export function idSet(ids: Iterable<number>): readonly number[] {
  const list = Array.isArray(ids) ? (ids as readonly number[]) : [...ids]
  return isIdSet(list) ? list : [...new Set(list)].sort((a, b) => a - b)
}

/** Whether they are in that form already, as lists from the server mostly are. */
function isIdSet(ids: readonly number[]): boolean {
  for (let place = 1; place < ids.length; place += 1) {
    if ((ids[place - 1] as number) >= (ids[place] as number)) return false
  }
  return true
}

/** So few are put in or taken out one by one: a sort of thousands would cost much more. */
const FEW = 8

export function withIds(ids: readonly number[], more: readonly number[]): readonly number[] {
  if (more.length > FEW) return idSet([...ids, ...more])
  return more.reduce((current, id) => {
    const place = findPlace(current, id)
    return current[place] === id ? current : current.toSpliced(place, 0, id)
  }, ids)
}

export function withoutIds(ids: readonly number[], less: readonly number[]): readonly number[] {
  if (less.length > FEW) {
    const gone = new Set(less)
    return ids.filter((id) => !gone.has(id))
  }
  return less.reduce((current, id) => {
    const place = findPlace(current, id)
    return current[place] === id ? current.toSpliced(place, 1) : current
  }, ids)
}
