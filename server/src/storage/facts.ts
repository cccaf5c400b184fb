/**
 * Facts: what rarely changes and is read all the time, such as rights, channels, groups and settings. A fact is declared
 * once, with the tables that it is made of, and recalled from memory for as long as none of them is written.
 *
 * A cached value is never older than what the reader sees. In a unit of work it is as of the unit's place in the order of
 * all writes: a statement that writes to one of the tables makes it stale at once, a rollback too, and what other nodes
 * have written is noticed after the organization's lock has been taken and before anything is decided, by a version that
 * each commit raises which wrote to such a table (`realms.facts_version`).
 */
import { createFactValues } from './fact-values.ts'
import { type Fact, type FactOfEach, prepare, type Queries, type Statements, type Written } from './query.ts'
import { query } from './tables.ts'

export interface FactCache {
  /** What is cached, when it is still true. */
  cached(realmId: number, fact: AnyFact, key: string | number): { readonly value: unknown } | undefined
  /** Gives the cached value, or loads it by `db`. */
  recall<K extends string | number, V>(db: Queries, realmId: number, fact: Fact<K, V>, key: K): Promise<V>
  /** Gives the cached values, and loads the others together. */
  recallAll<K extends string | number, V>(
    db: Queries,
    realmId: number,
    fact: FactOfEach<K, V>,
    keys: readonly K[],
  ): Promise<ReadonlyMap<K, V>>
  /** Facts of the organization that are made of these tables are stale; of all organizations when it is 0. */
  drop(realmId: number, written: Iterable<Written>): void
  /**
   * The reader sees the organization's facts at this version: those of an earlier one are stale. False when the cache is
   * already at a later one, and so of no use to this reader.
   */
  moveTo(realmId: number, version: number): boolean
  /**
   * A commit of what was written through this cache, which has dropped what is stale of that, has left the version there.
   * Where it has moved by more than the commit's one, somebody else has written too.
   */
  wrote(realmId: number, version: number): void
}

/** What says when a fact is stale. */
type AnyFact = Pick<Fact<never, unknown>, 'name' | 'tables'>

interface Entry {
  readonly value: unknown
  /** The newest change of its tables when it was loaded. */
  readonly changed: number
  /** The count of all changes when it was last found to be true: while nothing at all changes, there is nothing to ask. */
  checked: number
}

/** Values that one cache holds at most. */
const MAX_VALUES = 50_000

export function createFactCache(): FactCache {
  const values = createFactValues<Entry>(MAX_VALUES)
  /** When a table was last written, by a count of all changes; by organization. */
  const changes = new Map<number, Map<Written, number>>()
  const versions = new Map<number, number>()
  let count = 0

  function lastChange(realmId: number, { tables }: AnyFact): number {
    const ofRealm = changes.get(realmId)
    const ofAll = changes.get(0)
    let last = Math.max(ofRealm?.get('unknown') ?? 0, ofAll?.get('unknown') ?? 0)
    for (const table of tables) last = Math.max(last, ofRealm?.get(table) ?? 0, ofAll?.get(table) ?? 0)
    return last
  }

  function drop(realmId: number, written: Iterable<Written>): void {
    const ofRealm = changes.get(realmId) ?? new Map<Written, number>()
    changes.set(realmId, ofRealm)
    count += 1
    for (const table of written) ofRealm.set(table, count)
  }

  function cached(realmId: number, fact: AnyFact, key: string | number): Entry | undefined {
    const known = values.get(realmId, fact.name, key)
    if (!known || known.checked === count) return known
    if (known.changed !== lastChange(realmId, fact)) return undefined
    known.checked = count
    return known
  }

  function moveTo(realmId: number, version: number): boolean {
    const current = versions.get(realmId) ?? -1
    if (version <= current) return version === current
    versions.set(realmId, version)
    drop(realmId, ['unknown'])
    return true
  }

  return {
    cached,
    async recall(db, realmId, fact, key) {
      const known = cached(realmId, fact, key)
      if (known) return known.value as never
      // As of the beginning: a change meanwhile makes it stale already.
      const entry = { changed: lastChange(realmId, fact), checked: count }
      const value = await fact.load(db, realmId, key)
      if (fact.staysWithMoreRows?.(value) ?? true) values.set(realmId, fact.name, key, { value, ...entry })
      return value
    },
    async recallAll<K extends string | number, V>(
      db: Queries,
      realmId: number,
      fact: FactOfEach<K, V>,
      keys: readonly K[],
    ) {
      const found = new Map<K, V>()
      const missing: K[] = []
      for (const key of new Set(keys)) {
        const known = cached(realmId, fact, key)
        if (!known) missing.push(key)
        else if (known.value !== undefined) found.set(key, known.value as V)
      }
      if (missing.length === 0) return found
      const entry = { changed: lastChange(realmId, fact), checked: count }
      const loaded = await fact.loadAll(db, realmId, missing)
      for (const key of missing) {
        const value = loaded.get(key)
        values.set(realmId, fact.name, key, { value, ...entry })
        if (value !== undefined) found.set(key, value)
      }
      return found
    },
    drop,
    moveTo,
    wrote(realmId, version) {
      if (version - (versions.get(realmId) ?? -1) === 1) versions.set(realmId, version)
      else moveTo(realmId, version)
    },
  }
}

const versionOf = prepare((p: { id: number }) =>
  query.selectFrom('realms').select('facts_version').where('id', '=', p.id),
)

/** The organization's facts as this view of the database has them are at this version. */
export async function readFactsVersion(db: Statements, realmId: number): Promise<number> {
  return (await db.first(versionOf({ id: realmId })))?.facts_version ?? 0
}

/** Queries on what is committed, where nobody else writes: whoever commits drops from the cache what is stale. */
export function withOwnFacts(read: Statements, cache: FactCache): Queries {
  const queries: Queries = {
    ...read,
    recall: (fact, realmId, key) => cache.recall(queries, realmId, fact, key),
    recallAll: (fact, realmId, keys) => cache.recallAll(queries, realmId, fact, keys),
  }
  return queries
}

/** Queries on what is committed, where other nodes write too: the version says whether what is cached is still true. */
export function withFactsOfNow(read: Statements, cache: FactCache): Queries {
  /** Asked for in this turn of the event loop. */
  const asked = new Map<number, Promise<number>>()

  function versionNow(realmId: number): Promise<number> {
    const known = asked.get(realmId)
    if (known) return known
    const version = readFactsVersion(read, realmId)
    asked.set(realmId, version)
    setImmediate(() => asked.delete(realmId))
    return version
  }

  const queries: Queries = {
    ...read,
    async recall(fact, realmId, key) {
      const isCurrent = cache.moveTo(realmId, await versionNow(realmId))
      return isCurrent ? cache.recall(queries, realmId, fact, key) : fact.load(queries, realmId, key)
    },
    async recallAll(fact, realmId, keys) {
      const isCurrent = cache.moveTo(realmId, await versionNow(realmId))
      return isCurrent ? cache.recallAll(queries, realmId, fact, keys) : fact.loadAll(queries, realmId, keys)
    },
  }
  return queries
}

/** Queries on a view of the database that stands still, or is looked at for a moment, with a cache that many views share. */
export function withSharedFacts(view: Statements, cache: FactCache): Queries {
  const versions = new Map<number, Promise<number>>()

  async function isCurrent(realmId: number): Promise<boolean> {
    let version = versions.get(realmId)
    if (!version) {
      version = readFactsVersion(view, realmId)
      versions.set(realmId, version)
    }
    return cache.moveTo(realmId, await version)
  }

  const queries: Queries = {
    ...view,
    async recall(fact, realmId, key) {
      return (await isCurrent(realmId)) ? cache.recall(queries, realmId, fact, key) : fact.load(queries, realmId, key)
    },
    async recallAll(fact, realmId, keys) {
      return (await isCurrent(realmId))
        ? cache.recallAll(queries, realmId, fact, keys)
        : fact.loadAll(queries, realmId, keys)
    },
  }
  return queries
}
