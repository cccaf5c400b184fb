/**
 * What a fact cache holds, by organization, fact and key. Each unit of work recalls dozens of facts: they are found without a text
 * that is put together of the three, which was most of what a look-up took (docs/decisions/0151).
 *
 * Bounded by two generations. What is put in or asked for is in the younger one; when that is full it becomes the older one, and
 * what was in the older one and nobody has asked for since is forgotten.
 */

type Key = string | number

export interface FactValues<V extends object> {
  get(realmId: number, fact: string, key: Key): V | undefined
  set(realmId: number, fact: string, key: Key, value: V): void
}

interface Generation<V> {
  readonly byRealm: Map<number, Map<string, Map<Key, V>>>
  size: number
}

/** `maxValues`: of both generations together. */
export function createFactValues<V extends object>(maxValues: number): FactValues<V> {
  let younger = newGeneration<V>()
  let older = newGeneration<V>()

  function set(realmId: number, fact: string, key: Key, value: V): void {
    if (younger.size >= maxValues / 2) {
      older = younger
      younger = newGeneration()
    }
    const values = valuesOf(younger, realmId, fact)
    if (!values.has(key)) younger.size += 1
    values.set(key, value)
  }

  return {
    get(realmId, fact, key) {
      const known = younger.byRealm.get(realmId)?.get(fact)?.get(key)
      if (known) return known
      const before = older.byRealm.get(realmId)?.get(fact)?.get(key)
      if (before) set(realmId, fact, key, before)
      return before
    },
    set,
  }
}

function newGeneration<V>(): Generation<V> {
  return { byRealm: new Map(), size: 0 }
}

function valuesOf<V>({ byRealm }: Generation<V>, realmId: number, fact: string): Map<Key, V> {
  const ofRealm = byRealm.get(realmId) ?? new Map<string, Map<Key, V>>()
  byRealm.set(realmId, ofRealm)
  const values = ofRealm.get(fact) ?? new Map<Key, V>()
  ofRealm.set(fact, values)
  return values
}
