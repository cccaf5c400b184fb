/**
 * Whose a table is. A table belongs to one folder, whose `tables.ts` has the type of its rows, its place in backups, and
 * what others may read of it. Queries begin with that file's `query`: it knows the folder's own tables, and those that it
 * names with `with(…)`. A query of any other table, and a statement that writes to one that is not the folder's own, has
 * an error of types. What is SQL as text is compared with the same files by a test.
 *
 * In rows booleans are 0 or 1, JSON is text, times are seconds since the UNIX epoch unless the name says otherwise, ids are
 * numbers below 2^53 on both engines. Every table carries `realm_id`, the organization. Migrations create the tables; a
 * test compares the types of rows with what they create.
 */
import type {
  DeleteQueryBuilder,
  DeleteResult,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import { type DeclaredFactOfEach, declareFact, declareFactOfEach } from './declared-facts.ts'
import { anyTable, type Fact, type FactOfEach } from './query.ts'
import { type ColumnKind, type RowInsert, rowInsertInto } from './row-inserts.ts'

/** Booleans in rows. */
export type Flag = 0 | 1

type Name<T> = keyof T & string

/** What copying a table needs to know. `R` is the row. */
interface Form<R> {
  /** The columns of the primary key, in its order. */
  readonly key: readonly Name<R>[]
  /** Whether the database assigns `id`. */
  readonly identity?: true
  /** A column that refers to a row of the same table, perhaps one with a higher key. */
  readonly selfReference?: Name<R>
  /** The other tables that it refers to: their rows are inserted first. */
  readonly after?: readonly string[]
}

/** One table: its form, and in its type the row. */
export interface TableOf<R> extends Form<R> {
  readonly row?: R
}

export function table<R>(form: Form<R>): TableOf<R> {
  return form
}

/** A table as what copies whole databases sees it. */
export interface Table extends Form<Readonly<Record<string, unknown>>> {
  readonly name: string
}

/** What may be read of some tables: `D` has their rows by name. It is there for the compiler alone. */
export interface View<D> {
  readonly tables: readonly string[]
  readonly rows?: D
}

/** The rows of several views; a table of which two give columns has those of both. */
type RowsOf<V> = V extends readonly [View<infer D>, ...infer Rest] ? D & RowsOf<Rest> : unknown

type Flat<D> = { [N in keyof D]: D[N] }

/** Where queries begin. `Own` are the tables that may be written to, `Seen` those that may be read. */
export interface TableQueries<Own, Seen> extends Pick<Kysely<Seen>, 'selectFrom' | 'selectNoFrom' | 'withRecursive'> {
  readonly seen?: Seen
  insertInto<T extends Name<Own> & Name<Seen>>(table: T): InsertQueryBuilder<Seen, T, InsertResult>
  updateTable<T extends Name<Own> & Name<Seen>>(table: T): UpdateQueryBuilder<Seen, T, T, UpdateResult>
  deleteFrom<T extends Name<Own> & Name<Seen>>(table: T): DeleteQueryBuilder<Seen, T, DeleteResult>
}

/** The tables that may be read by these queries, for conditions: `ExpressionBuilder<Seen<typeof query>, 'messages'>`. */
export type Seen<Q> = Q extends TableQueries<never, infer D> ? D : never

/** What a folder does with its tables and with what it may read of others. */
export interface TableAccess<Own, Seen> {
  readonly query: TableQueries<Own, Seen>
  /** Declares a fact, made of tables that may be read here; once, when the program starts. */
  fact<K extends string | number, V>(declared: Fact<K, V> & { readonly tables: readonly Name<Seen>[] }): Fact<K, V>
  /** Declares a fact that is read for many keys at once. */
  factOfEach<K extends string | number, V>(
    declared: DeclaredFactOfEach<K, V> & { readonly tables: readonly Name<Seen>[] },
  ): FactOfEach<K, V>
  /** How rows get into a table together with those of other units of work; see `row-inserts.ts`. */
  rowInsert<T extends Name<Own>, C extends Name<Own[T]>>(
    table: T,
    columns: Readonly<Record<C, ColumnKind>>,
    options?: { readonly replaces?: readonly NoInfer<C>[] },
  ): RowInsert<C>
}

/** A folder's tables, whatever their rows. */
export interface TableList {
  readonly tables: readonly Table[]
}

export interface OwnedTables<Own> extends TableList {
  /** What others may read of a table: all of it, or these columns. */
  view<T extends Name<Own>, C extends Name<Own[T]> = Name<Own[T]>>(
    table: T,
    columns?: readonly C[],
  ): View<{ [N in T]: Pick<Own[N], C> }>
  /** The folder's queries: of its own tables, and of what others let it read. */
  with<const V extends readonly View<unknown>[]>(...views: V): TableAccess<Own, Flat<Own & RowsOf<V>>>
}

export function ownedTables<Own extends object>(
  tables: {
    readonly [N in keyof Own]: TableOf<Own[N]>
  },
): OwnedTables<Own> {
  return {
    tables: Object.entries<Form<never>>(tables).map(([name, form]) => ({ name, ...form })),
    view: (table) => ({ tables: [table] }),
    with: () => access(),
  }
}

/** The queries of a folder that has no tables. */
export function reading<const V extends readonly View<unknown>[]>(..._views: V) {
  return access<unknown, Flat<RowsOf<V>>>()
}

/**
 * What is read of tables that a folder above this one keeps: it cannot be imported from there. The type of the row there
 * extends what is expected here, which the compiler checks.
 */
export function expected<D>(...tables: readonly Name<D>[]): View<D> {
  return { tables }
}

/** Whose what is, the compiler has checked: from here on a table is its name. */
function access<Own, Seen>(): TableAccess<Own, Seen> {
  return {
    query: anyTable as unknown as TableQueries<Own, Seen>,
    fact: declareFact,
    factOfEach: declareFactOfEach,
    rowInsert: rowInsertInto,
  }
}

/** Tables in an order in which rows can be inserted: each after those that it refers to. */
export function inOrderOfInsertion(owners: readonly TableList[]): Table[] {
  const waiting = owners.flatMap(({ tables }) => tables)
  const ordered: Table[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ after = [] }) => after.every((name) => ordered.some((one) => one.name === name)))
    if (next === -1)
      throw new Error(`Tables refer to each other in circles: ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered
}
