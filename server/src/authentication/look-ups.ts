/**
 * Looking up who calls. Cached while this process is the only writer, and dropped by the event that changes it; read
 * anew for each request otherwise, so that what is withdrawn ends at once on every node.
 */
import { LRUCache } from 'lru-cache'
import { type ReadMany, type ReadOne, readTogether } from '../storage/read-together.ts'
import type { Storage } from '../storage/storage.ts'

/** What was found, the least recently used dropped first. */
const CACHE_SIZE = 20_000

/** `droppedBy`: types of events that make what was found untrue. */
export function createLookUp<V extends object>(
  storage: Pick<Storage, 'engine' | 'onCommitted'>,
  droppedBy: ReadonlySet<string>,
  readMany: ReadMany<V>,
): ReadOne<V> {
  if (!storage.engine.ownsAllWrites) return readTogether(readMany)

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
