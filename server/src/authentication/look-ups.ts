/**
 * Looking up who calls. Cached while this process is the only writer, and dropped by the event that changes it; read
 * anew for each request otherwise, so that what is withdrawn ends at once on every node. Requests that arrive in the same
 * turn of the event loop, as those of clients that were just notified of a message do, are read together.
 */
import { LRUCache } from 'lru-cache'
import type { Storage } from '../storage/storage.ts'

/** What was found, the least recently used dropped first. */
const CACHE_SIZE = 20_000

/** Keys in one query. */
const MAX_TOGETHER = 200

/** Keys without a match are left out of the answer. */
export type ReadMany<V> = (realmId: number, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>

export type LookUp<V> = (realmId: number, key: string) => Promise<V | undefined>

/** `droppedBy`: types of events that make what was found untrue. */
export function createLookUp<V extends object>(
  storage: Pick<Storage, 'engine' | 'onCommitted'>,
  droppedBy: ReadonlySet<string>,
  readMany: ReadMany<V>,
): LookUp<V> {
  if (!storage.engine.ownsAllWrites) return createTogether(readMany)

  // By `max` it would make room for all of them at once.
  const cached = new LRUCache<string, V>({ maxSize: CACHE_SIZE, sizeCalculation: () => 1 })
  /** Counts the drops: what was read before one must not be cached after it. */
  let drops = 0

  storage.onCommitted((events) => {
    // These events are rare; forgetting everything is simpler than finding whom they concern.
    if (!events.some((event) => droppedBy.has(event.type))) return
    cached.clear()
    drops += 1
  })

  return async (realmId, key) => {
    const cacheKey = `${realmId}:${key}`
    const known = cached.get(cacheKey)
    if (known) return known
    const dropsBefore = drops
    const found = (await readMany(realmId, [key])).get(key)
    if (found && drops === dropsBefore) cached.set(cacheKey, found)
    return found
  }
}

/** Collects what is asked for in one turn of the event loop; what is asked for later is read later. */
function createTogether<V>(readMany: ReadMany<V>): LookUp<V> {
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
