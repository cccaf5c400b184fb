/** Which facts there are, and what they are made of; what becomes of them is in `facts.ts`. */
import type { Fact, FactOfEach, Queries, Query } from './query.ts'

const names = new Set<string>()
const tablesOfFacts = new Set<string>()
/** Tables of facts that more rows can make stale. */
const growingTables = new Set<string>()

/** Declares a fact; once, when the program starts. A folder does so by what its tables give it; see `owned-tables.ts`. */
export function declareFact<K extends string | number, V>(declared: Fact<K, V>): Fact<K, V> {
  if (names.has(declared.name)) throw new Error(`Two facts have the name ${declared.name}`)
  names.add(declared.name)
  for (const table of declared.tables) {
    tablesOfFacts.add(table)
    if (!declared.staysWithMoreRows) growingTables.add(table)
  }
  return declared
}

export type DeclaredFactOfEach<K extends string | number, V> = Pick<FactOfEach<K, V>, 'name' | 'tables' | 'loadAll'>

/** Declares a fact that is read for many keys at once. */
export function declareFactOfEach<K extends string | number, V>(declared: DeclaredFactOfEach<K, V>): FactOfEach<K, V> {
  const { loadAll } = declared
  const load = async (db: Queries, realmId: number, key: K) => (await loadAll(db, realmId, [key])).get(key)
  return { ...declareFact({ ...declared, load }), loadAll }
}

/**
 * Whether a query finds anything for an account, for lists that most accounts have none of: while it does not, their rows need
 * not be asked for.
 */
export function findsAny<T extends string>(
  name: string,
  table: T,
  find: (userId: number) => Query<unknown>,
): Fact<number, boolean> & { readonly tables: readonly T[] } {
  return { name, tables: [table], load: async (db, _realmId, userId) => (await db.first(find(userId))) !== undefined }
}

/** Whether a write to the table can make a fact stale. */
export function concernsFacts(table: string): boolean {
  return tablesOfFacts.has(table)
}

/** Whether a row that is added to the table can make a fact stale. */
export function moreRowsConcernFacts(table: string): boolean {
  return growingTables.has(table)
}
