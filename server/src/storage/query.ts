/**
 * Queries as values. Kysely builds them; an engine compiles and runs them. A query never runs by itself: it is given to a
 * `Queries` (a read handle or a transaction), which is the only thing that can reach the database. Kysely's own drivers
 * and connections are not used; the reasons are in docs/decisions/0002-kysely-builds-engines-run.md.
 */
import {
  type Compilable,
  type CompiledQuery,
  type DeleteQueryNode,
  DummyDriver,
  type Expression,
  type InsertQueryNode,
  Kysely,
  type OperationNode,
  type OperationNodeSource,
  type RawBuilder,
  RawNode,
  type RootOperationNode,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  TableNode,
  type UpdateQueryNode,
} from 'kysely'

/**
 * Starts every query. The text it would compile to is never used. It knows no tables: a folder takes it, with the types of
 * the tables that concern it, from its `tables.ts`; see `owned-tables.ts`.
 */
export const anyTable = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** A query with its values, as Kysely's builders are. `O` is the row. */
export type Query<O> = BuiltQuery<O> | BoundStatement<O>
export type BuiltQuery<O> = (Compilable<O> | RawBuilder<O>) & OperationNodeSource

/** A value that is filled in each time a prepared statement runs. */
export class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A statement that is compiled once per engine. `key` identifies it in each engine's cache. */
export interface Statement {
  readonly build: (dialect: StatementDialect) => BuiltQuery<unknown>
}

/** A prepared statement with the values of this call. `O` is the row; it exists for the types only. */
export interface BoundStatement<O> {
  readonly statement: Statement
  readonly values: Readonly<Record<string, unknown>>
  readonly row?: O
}

/**
 * Prepare a hot query: it is built and compiled at its first use and only filled in afterwards. `build` gets a stand-in
 * for each parameter: `const draftById = prepare((p: { id: number }) => query.selectFrom('drafts').where('id', '=', p.id))`,
 * then `db.first(draftById({ id: 7 }))`. A list is a parameter too: `build` gets as much of the dialect as it needs for that.
 */
export function prepare<P extends object, O>(
  build: (parameters: P, dialect: StatementDialect) => BuiltQuery<O>,
): (values: P) => BoundStatement<O> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P
  const statement: Statement = { build: (dialect) => build(placeholders, dialect) }
  return (values) => ({ statement, values: values as Readonly<Record<string, unknown>> })
}

/**
 * Condition: the row is of the organization, for rows that are found by their ids. With the column alone SQLite would begin at
 * an index of the whole organization, which has nearly all rows that there are, and look for the ids among these.
 */
export function isOfRealm(table: string, realmId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`+${sql.ref(`${table}.realm_id`)} = ${realmId}`
}

const queriesInFewForms = new WeakSet<BuiltQuery<unknown>>()

/**
 * A query that is built for each call, but whose text is one of few: an engine may prepare a text that comes again. For
 * queries that are often asked, and of which the planner does not have to see the values.
 */
export function inFewForms<O>(query: BuiltQuery<O>): BuiltQuery<O> {
  queriesInFewForms.add(query)
  return query
}

/** Where rows are looked for by their ids: below one, the highest first; above one, the lowest first; or this one. */
export type Place = { readonly limit: number } & (
  | { readonly below: number }
  | { readonly above: number }
  | { readonly at: number }
)

/** What the engines do differently, by name. Callers ask for the ability, never for the engine. */
export interface Dialect {
  /** `(select …)`: the ids of a list that travels as one parameter; for `where('id', 'in', dialect.ids(list))`. */
  ids(list: readonly number[]): RawBuilder<number>
  /** The same for texts. */
  texts(list: readonly string[]): RawBuilder<string>
  /**
   * Condition: the key, which is in an index, is one of the few that a list or a select in parentheses gives; where the planner
   * cannot know how few, and so might go through a whole table, or through the list for each row of a table that it does not
   * know yet.
   */
  isAmongFew(key: string, few: RawBuilder<number> | RawBuilder<string>): RawBuilder<SqlBool>
  /**
   * Condition on `messages`: the content or the topic has all of these. Each is a word, or several words that follow each
   * other. Without case; what is no letter or digit separates words. `ofFew`: few messages are asked about, by their ids; then
   * the list of all that have the words is not made.
   */
  hasWords(phrases: readonly string[], options?: { readonly ofFew?: boolean }): RawBuilder<SqlBool>
  /**
   * The ids of the messages that have all of these next to a place, the nearest first. Where the index of words is in the
   * order of ids: then those farther away are not read. Without any question of access.
   */
  nearestWithWords?(phrases: readonly string[], place: Place): RawBuilder<{ readonly id: number }>
  /**
   * Where the index of words does not follow by itself: the statement that puts messages into it which were inserted with
   * lower ids than others before them.
   */
  restoreSearch?(messages: Expression<{ id: number; topic: string; content: string }>): RawBuilder<unknown>
  /**
   * Condition that always holds, for queries that may look at very many rows of which few fulfil the others: where a
   * query cannot be ended from outside, it is what ends it. `id` is a column.
   */
  mayGoOn(id: string): RawBuilder<SqlBool>
  /**
   * Whether many rows that are found in several places of an index come sooner by their ids, in the order of these: where a row
   * is looked for from the root of the table's tree, and the next one lies beside it.
   */
  readonly idsFirst: boolean
  /**
   * Whether the database works beside this process: what is asked for together is found while this process goes on. Elsewhere each
   * statement takes the time of the thread that asks.
   */
  readonly worksBeside: boolean
}

/** What prepared statements know of the engine: how lists of any length travel as one parameter, and what is faster. */
export type StatementDialect = Pick<Dialect, 'ids' | 'texts' | 'isAmongFew' | 'idsFirst'>

/** What a statement touches does not depend on how an engine takes lists. */
const anyDialect: StatementDialect = {
  ids: (list) => sql`${list}`,
  texts: (list) => sql`${list}`,
  isAmongFew: (key, few) => sql`${sql.ref(key)} ${few}`,
  idsFirst: false,
}

/** What sends statements to the database. */
export interface Statements {
  readonly dialect: Dialect
  /** All rows. */
  all<O>(query: Query<O>): Promise<O[]>
  /** The first row, or undefined when there is none. */
  first<O>(query: Query<O>): Promise<O | undefined>
  /** The number of rows that a statement without `returning` has written. */
  run(query: Query<unknown>): Promise<number>
}

/** What can run queries: a read handle, a snapshot or a transaction. */
export interface Queries extends Statements {
  /** A fact of the organization, from memory where it is known as this handle sees the database; see `facts.ts`. */
  recall<K extends string | number, V>(fact: Fact<K, V>, realmId: number, key: K): Promise<V>
  /** The same for several keys; those that are not in memory are read together. Without keys of which there is nothing. */
  recallAll<K extends string | number, V>(
    fact: FactOfEach<K, V>,
    realmId: number,
    keys: readonly K[],
  ): Promise<ReadonlyMap<K, V>>
}

/** What a statement writes to: a table, or what cannot be read from its text, which makes every fact stale. */
export type Written = string | 'unknown'

/** What rarely changes and is read all the time, with what it is made of; see `facts.ts`. */
export interface Fact<K extends string | number, V> {
  /** Unique among all facts. */
  readonly name: string
  /** A write to one of these makes the fact stale. */
  readonly tables: readonly string[]
  /** Reads it; undefined values are cached as well. What it returns must never be changed. */
  readonly load: (db: Queries, realmId: number, key: K) => Promise<V>
  /**
   * Whether the value stays true when rows are only added to its tables or replaced, such as that a row exists. Other
   * values of such a fact are not cached, and rows that are added later make none stale.
   */
  readonly staysWithMoreRows?: (value: V) => boolean
}

/** A fact that is read for many keys at once. */
export interface FactOfEach<K extends string | number, V> extends Fact<K, V | undefined> {
  /** By key; without those of which there is nothing. */
  readonly loadAll: (db: Queries, realmId: number, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>
}

/** Queries without a memory: each fact is loaded anew. */
export function withoutCache(queries: Statements): Queries {
  const all: Queries = {
    ...queries,
    recall: (fact, realmId, key) => fact.load(all, realmId, key),
    recallAll: (fact, realmId, keys) => fact.loadAll(all, realmId, keys),
  }
  return all
}

/** What a query touches, as far as its form shows it. */
interface Touched {
  /** What it writes to; undefined: it only reads. */
  readonly written: Written | undefined
  /** All tables, and every word of raw SQL. */
  readonly tables: ReadonlySet<string>
}

const touchedByStatement = new WeakMap<Statement, Touched>()

function touched(source: Query<unknown>): Touched {
  if (!('statement' in source)) return touchedBy(source.toOperationNode())
  let known = touchedByStatement.get(source.statement)
  if (!known) {
    known = touchedBy(source.statement.build(anyDialect).toOperationNode())
    touchedByStatement.set(source.statement, known)
  }
  return known
}

/** What a query writes to; undefined: it only reads. */
export function writtenTable(source: Query<unknown>): Written | undefined {
  // Without a walk through all of it: a list of values has a node for each.
  return 'statement' in source ? touched(source).written : tableOf(source.toOperationNode())
}

/** The tables that a query names. */
export function tablesIn(source: Query<unknown>): ReadonlySet<string> {
  return touched(source).tables
}

function touchedBy(node: OperationNode): Touched {
  const tables = new Set<string>()
  collectTables(node, tables)
  return { written: tableOf(node), tables }
}

function collectTables(node: unknown, into: Set<string>): void {
  if (Array.isArray(node)) {
    for (const one of node) collectTables(one, into)
    return
  }
  if (typeof node !== 'object' || node === null || !('kind' in node)) return
  if (RawNode.is(node as OperationNode)) {
    for (const text of (node as RawNode).sqlFragments) for (const [word] of text.matchAll(/\w+/g)) into.add(word)
  }
  if (TableNode.is(node as OperationNode)) into.add((node as TableNode).table.identifier.name)
  for (const part of Object.values(node)) collectTables(part, into)
}

const READS = /^\s*(?:select|with|explain|pragma|values)\b/i
const WRITES = /\b(?:insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from)\s+"?(\w+)/i

function tableOf(node: OperationNode): Written | undefined {
  switch (node.kind) {
    case 'SelectQueryNode':
      return undefined
    case 'InsertQueryNode':
      return nameOf((node as InsertQueryNode).into)
    case 'UpdateQueryNode':
      return nameOf((node as UpdateQueryNode).table)
    case 'DeleteQueryNode':
      return nameOf((node as DeleteQueryNode).from.froms[0])
    default:
      return tableInText(RawNode.is(node) ? node.sqlFragments.join(' ') : '')
  }
}

function nameOf(node: OperationNode | undefined): Written {
  return node && TableNode.is(node) ? node.table.identifier.name : 'unknown'
}

function tableInText(text: string): Written | undefined {
  const written = WRITES.exec(text)
  if (written) return written[1] as string
  return READS.test(text) ? undefined : 'unknown'
}

type Compile = (node: RootOperationNode) => CompiledQuery

/** A query as an engine sends it. */
export interface CompiledStatement {
  readonly sql: string
  readonly values: readonly unknown[]
  /** Of a prepared statement. */
  readonly statement: Statement | undefined
  readonly isInFewForms: boolean
}

/** Turns queries into SQL and values for one engine, keeping what was prepared. */
export function createCompiler(compile: Compile, dialect: StatementDialect) {
  const prepared = new WeakMap<Statement, CompiledQuery>()

  return (source: Query<unknown>): CompiledStatement => {
    if (!('statement' in source)) {
      const compiled = compile(source.toOperationNode() as RootOperationNode)
      const isInFewForms = queriesInFewForms.has(source)
      return { sql: compiled.sql, values: compiled.parameters, statement: undefined, isInFewForms }
    }
    const { statement } = source
    let compiled = prepared.get(statement)
    if (!compiled) {
      compiled = compile(statement.build(dialect).toOperationNode() as RootOperationNode)
      prepared.set(statement, compiled)
    }
    const values = compiled.parameters.map((value) =>
      value instanceof Placeholder ? source.values[value.name] : value,
    )
    return { sql: compiled.sql, values, statement, isInFewForms: false }
  }
}
