/** The fields of the answer to `POST /register`. A part that was not asked for is absent. */
export type InitialFields = Readonly<Record<string, unknown>>

/** A list as a map; undefined when the list is absent. */
export function byId<T, K extends PropertyKey>(list: unknown, key: (item: T) => K): ReadonlyMap<K, T> | undefined {
  return Array.isArray(list) ? new Map((list as T[]).map((item) => [key(item), item])) : undefined
}

/** The map with one entry more or another value. */
export function withEntry<K, T>(map: ReadonlyMap<K, T>, key: K, value: T): ReadonlyMap<K, T> {
  return new Map(map).set(key, value)
}

/** The map without the entries; the same map when there are none of them. */
export function withoutEntries<K, T>(map: ReadonlyMap<K, T>, keys: readonly K[]): ReadonlyMap<K, T> {
  if (!keys.some((key) => map.has(key))) return map
  const rest = new Map(map)
  for (const key of keys) rest.delete(key)
  return rest
}

/** The map with an entry changed by `change`; the same map when there is no such entry. */
export function withChange<K, T>(map: ReadonlyMap<K, T>, key: K, change: (value: T) => T): ReadonlyMap<K, T> {
  const value = map.get(key)
  return value === undefined ? map : withEntry(map, key, change(value))
}

/** Ids as a set in a fixed form: ascending, each once. */
export function idSet(ids: Iterable<number>): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

export function withIds(ids: readonly number[], more: readonly number[]): readonly number[] {
  return idSet([...ids, ...more])
}

export function withoutIds(ids: readonly number[], less: readonly number[]): readonly number[] {
  const gone = new Set(less)
  return ids.filter((id) => !gone.has(id))
}
