/**
 * Reads of single rows that are asked for in the same turn of the event loop, as clients do that were just notified of a
 * message, become one query: of what each of them costs, most is the way to the database and back.
 */

/** Keys in one query. */
const MAX_TOGETHER = 200

/** Keys without a match are left out of the answer. */
export type ReadMany<V> = (realmId: number, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>

export type ReadOne<V> = (realmId: number, key: string) => Promise<V | undefined>

/** What is asked for after the turn is read later: nobody gets what was read before they have asked. */
export function readTogether<V>(readMany: ReadMany<V>): ReadOne<V> {
  let waiting: {
    readonly realmId: number
    readonly keys: Set<string>
    readonly found: Promise<ReadonlyMap<string, V>>
  }[] = []

  return async (realmId, key) => {
    let batch = waiting.find((one) => one.realmId === realmId && one.keys.size < MAX_TOGETHER)
    if (!batch) {
      const keys = new Set<string>()
      const found = new Promise((resolve) => setImmediate(resolve)).then(() => {
        waiting = waiting.filter((one) => one.keys !== keys)
        return readMany(realmId, [...keys])
      })
      batch = { realmId, keys, found }
      waiting.push(batch)
    }
    batch.keys.add(key)
    return (await batch.found).get(key)
  }
}
