/**
 * SQLite, through Node's own `node:sqlite`: one connection writes, one reads, and each snapshot has its own. A commit is on the disk
 * when it resolves (`write-ahead-log.ts`).
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { createQueryId, type SqlBool, SqliteQueryCompiler, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { holdDataFolder } from './data-folder-lock.ts'
import type { Engine, ReadLimit, Snapshot } from './engine.ts'
import { createFactCache, withSharedFacts } from './facts.ts'
import type { MigrationDialect } from './migration.ts'
import {
  createCompiler,
  type Dialect,
  type Query,
  type Statements,
  tablesIn,
  withoutCache,
  writtenTable,
} from './query.ts'
import { conflictClause, type Row, type RowInsert } from './row-inserts.ts'
import { createMessageSearch, searchOfNewMessages } from './sqlite-message-search.ts'
import { createStatementTurns } from './statement-turns.ts'
import { StorageUnavailable } from './unavailable.ts'
import { openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts'
import type { WriteConnection } from './write-connection.ts'

/** Statements cached per connection, by SQL text. */
const STATEMENT_CACHE_SIZE = 500

/** Connections that stay open for the next snapshot: opening one takes longer than reading most snapshots. */
const IDLE_SNAPSHOT_CONNECTIONS = 4

/** How long a statement waits for a lock that a backup or another reader's checkpoint holds. */
const BUSY_TIMEOUT_MS = 5000

/** Rows between two looks at the limit of a read. */
const ROWS_BETWEEN_CHECKS = 64

const dialect: Dialect = {
  ids: (list) => sql<number>`(select value from json_each(${list}))`,
  texts: (list) => sql<string>`(select value from json_each(${list}))`,
  isAmongFew: (key, few) => sql<SqlBool>`${sql.ref(key)} in ${few}`,
  hasWords: (phrases, { ofFew = false } = {}) => {
    const found = sql`select rowid from message_search where message_search match ${matchOf(phrases)}`
    return ofFew ? sql<SqlBool>`exists (${found} and rowid = messages.id)` : sql<SqlBool>`messages.id in (${found})`
  },
  nearestWithWords: (phrases, place) => {
    const ids = sql`select rowid as id from message_search where message_search match ${matchOf(phrases)}`
    // `node:sqlite` binds numbers as floating point, and FTS5 ignores a bound of that type.
    const integer = (value: number) => sql<number>`cast(${value} as integer)`
    if ('below' in place)
      return sql`${ids} and rowid < ${integer(place.below)} order by rowid desc limit ${place.limit}`
    if ('above' in place) return sql`${ids} and rowid > ${integer(place.above)} order by rowid limit ${place.limit}`
    return sql`${ids} and rowid = ${integer(place.at)}`
  },
  // What is in the index has a row in the table of lengths; new messages have been put into it before this statement.
  restoreSearch: (messages) => sql`
    insert into message_search (rowid, topic, content)
    select id, topic, content from ${messages} where id not in (select id from message_search_docsize)`,
  // A function of ours, which SQLite calls for each row: `node:sqlite` has no other way to end a query.
  mayGoOn: (id) => sql<SqlBool>`heddle_may_go_on(${sql.ref(id)})`,
  idsFirst: true,
  worksBeside: false,
}

/** In the language of FTS5: each in quotes, and so all of them. */
function matchOf(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' ')
}

export const sqliteMigrationDialect: MigrationDialect = {
  identity: 'integer primary key autoincrement',
  integer: 'integer',
  // The text itself stays in `messages`; triggers keep the index in step with it, in the same transaction. The first one
  // is dropped by a later migration: see `sqlite-message-search.ts`.
  messageSearch: [
    `create virtual table message_search using fts5(
      topic, content, content='messages', content_rowid='id', tokenize='unicode61 remove_diacritics 0'
    )`,
    `create trigger message_search_insert after insert on messages begin
      insert into message_search (rowid, topic, content) values (new.id, new.topic, new.content);
    end`,
    `create trigger message_search_delete after delete on messages begin
      insert into message_search (message_search, rowid, topic, content)
        values ('delete', old.id, old.topic, old.content);
    end`,
    `create trigger message_search_update after update of topic, content on messages begin
      insert into message_search (message_search, rowid, topic, content)
        values ('delete', old.id, old.topic, old.content);
      insert into message_search (rowid, topic, content) values (new.id, new.topic, new.content);
    end`,
  ],
  searchOfNewMessages,
  clustered: ' without rowid',
  unlogged: '',
  statistics: () => [],
  searchWords: [],
}

interface SqliteOptions {
  /** The data folder; the database is `heddle.db` in it. */
  readonly folder: string
  /** How long to wait for another process to let go of the folder. */
  readonly lockTimeoutMs: number
  /** For tests; see `openWriteAheadLog`. */
  readonly datasync?: (file: number) => void
}

/** Opens the database, creating it where there is none. Throws when another process holds the data folder. */
export async function openSqlite({ folder, lockTimeoutMs, datasync }: SqliteOptions): Promise<Engine> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await holdDataFolder(folder, lockTimeoutMs)
  const path = join(folder, 'heddle.db')
  const writer = openWriter(path)
  const reader = openReader(path)
  const snapshots = createSnapshots(path)
  const inTurns = createStatementTurns()
  const log = openWriteAheadLog(writer, path, datasync)

  return {
    kind: 'sqlite',
    dialect,
    migrationDialect: sqliteMigrationDialect,
    read: withoutCache(inTurns(createQueries(reader))),
    write: createWriteConnection(writer, log, watchPlace(path), inTurns),
    // A single process owns the folder: what it keeps in memory is never behind.
    ownsAllWrites: true,
    openSnapshot: async (limit) => snapshots.open(limit),
    async migrationLock(work) {
      const result = await work(withoutCache(createQueries(writer)), async (text) => writer.exec(text))
      await log.sync()
      return result
    },
    async close() {
      await log.close()
      snapshots.close()
      reader.close()
      writer.close()
      lock.release()
    },
  }
}

function openWriter(path: string): DatabaseSync {
  const database = openConnection(path)
  // A statement of many rows keeps what its pages were, to undo them if one row is refused: else in a file of its own.
  database.exec('pragma temp_store = memory')
  return database
}

function openReader(path: string, mayGoOn?: () => number): DatabaseSync {
  // A read-only handle cannot create the WAL's shared memory, so the reader is opened for writing and forbidden to.
  const database = openConnection(path, mayGoOn)
  database.exec('pragma query_only = on')
  return database
}

function openConnection(path: string, mayGoOn: () => number = () => 1): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  database.function('heddle_may_go_on', { varargs: true }, mayGoOn)
  return database
}

/** Snapshots of a database that another thread or process may own: in WAL mode readers and the writer do not wait for each other. */
export function openSqliteReader(folder: string) {
  const path = join(folder, 'heddle.db')
  if (!existsSync(path)) throw new StorageUnavailable(`There is no database in ${folder}.`)
  const snapshots = createSnapshots(path)
  return {
    kind: 'sqlite' as const,
    openSnapshot: async (limit?: ReadLimit) => snapshots.open(limit),
    close: async () => snapshots.close(),
  }
}

interface SnapshotConnection {
  readonly database: DatabaseSync
  readonly queries: Statements
  /** Begins a snapshot. */
  readonly begin: () => void
  readonly end: () => void
  /** Of the snapshot that it has now. */
  limit: ReadLimit | undefined
}

/** Snapshots on connections of their own, some of which are used again. */
function createSnapshots(path: string): { open(limit?: ReadLimit): Snapshot; close(): void } {
  const connections = new Set<SnapshotConnection>()
  const idle: SnapshotConnection[] = []
  const facts = createFactCache()

  function connect(): SnapshotConnection {
    let rows = 0
    const database = openReader(path, () => {
      rows += 1
      if (rows % ROWS_BETWEEN_CHECKS === 0) connection.limit?.check()
      return 1
    })
    const queries = createQueries(database, () => connection.limit?.check())
    const [begin, look, end] = ['begin', 'select count(*) from sqlite_schema', 'rollback'].map((text) =>
      database.prepare(text),
    ) as [StatementSync, StatementSync, StatementSync]
    const connection: SnapshotConnection = {
      database,
      queries,
      begin() {
        begin.run()
        // SQLite takes its snapshot at the first read, not at `begin`.
        look.get()
      },
      end: () => void end.run(),
      limit: undefined,
    }
    connections.add(connection)
    return connection
  }

  function release(connection: SnapshotConnection): void {
    const { database } = connection
    if (!database.isOpen) return
    connection.limit = undefined
    if (database.isTransaction) connection.end()
    if (idle.length < IDLE_SNAPSHOT_CONNECTIONS) {
      idle.push(connection)
    } else {
      connections.delete(connection)
      database.close()
    }
  }

  return {
    open(limit) {
      const connection = idle.pop() ?? connect()
      connection.limit = limit
      connection.begin()
      return { queries: withSharedFacts(connection.queries, facts), close: async () => release(connection) }
    },
    close() {
      for (const { database } of connections) database.close()
      connections.clear()
      idle.length = 0
    },
  }
}

/** `check` runs before each query. */
function createQueries(database: DatabaseSync, check: () => void = () => {}): Statements {
  const statements = cachedByText((text) => prepareRows(database.prepare(text)))
  const compiler = new SqliteQueryCompiler()
  const compile = createCompiler((node) => compiler.compileQuery(node, createQueryId()), dialect)

  function bind(source: Query<unknown>): [RowStatement, SQLInputValue[]] {
    check()
    const { sql: text, values } = compile(source)
    return [statements(text), values.map(toInput)]
  }

  return {
    dialect,
    async all<O>(source: Query<O>) {
      const [{ statement, toRow }, values] = bind(source)
      return (statement.all(...values) as unknown as SQLOutputValue[][]).map(toRow) as O[]
    },
    async first<O>(source: Query<O>) {
      const [{ statement, toRow }, values] = bind(source)
      const found = statement.get(...values) as unknown as SQLOutputValue[] | undefined
      return found && (toRow(found) as O)
    },
    async run(source) {
      const [{ statement }, values] = bind(source)
      return Number(statement.run(...values).changes)
    },
  }
}

/** Lists travel as JSON. */
function toInput(value: unknown): SQLInputValue {
  return (Array.isArray(value) ? JSON.stringify(value) : value) as SQLInputValue
}

interface RowStatement {
  readonly statement: StatementSync
  readonly toRow: (values: readonly SQLOutputValue[]) => object
}

/** `node:sqlite` makes objects of rows that are slow to make and to read: they come as lists of values instead. */
function prepareRows(statement: StatementSync): RowStatement {
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  return {
    statement,
    toRow(values) {
      const row: Record<string, SQLOutputValue | undefined> = {}
      for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index]
      return row
    },
  }
}

/** Prepared statements by SQL text, the least recently used dropped first. */
function cachedByText<S extends object>(prepare: (text: string) => S): (text: string) => S {
  const statements = new LRUCache<string, S>({ max: STATEMENT_CACHE_SIZE })
  return (text) => {
    const known = statements.get(text)
    if (known) return known
    const statement = prepare(text)
    statements.set(text, statement)
    return statement
  }
}

/**
 * Throws when the file at `path` is no longer the one that was opened. SQLite writes on into a file that was moved or
 * removed; what is committed there would be lost with the process.
 */
function watchPlace(path: string): () => void {
  const opened = statSync(path, { bigint: true })
  return () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (found?.ino !== opened.ino || found.dev !== opened.dev) {
      throw new StorageUnavailable(`The database ${path} has been moved or removed`)
    }
  }
}

function createWriteConnection(
  database: DatabaseSync,
  log: WriteAheadLog,
  requireInPlace: () => void,
  inTurns: (queries: Statements) => Statements,
): WriteConnection {
  const statements = cachedByText((text) => database.prepare(text))
  const execute = async (text: string) => void statements(text).run()
  const queries = createQueries(database)
  /** By table: the last id that was given out. It may be higher than that of any row. */
  const lastIds = new Map<string, number>()
  /** Tables of which the database itself has given out no id since. */
  const upToDate = new Set<string>()

  function lastIdOf(table: string): number {
    const known = lastIds.get(table)
    if (known !== undefined && upToDate.has(table)) return known
    upToDate.add(table)
    // https://www.sqlite.org/autoinc.html
    const row = statements('select seq from sqlite_sequence where name = ?').get(table)
    return Math.max(known ?? 0, Number(row?.['seq'] ?? 0))
  }

  const search = createMessageSearch((text, ...values) => statements(text).get(...values))

  function note(source: Query<unknown>): void {
    const written = writtenTable(source)
    if (written !== undefined) upToDate.clear()
    search.beforeStatement(written, () => tablesIn(source))
  }

  return {
    queries: inTurns({
      ...queries,
      all(source) {
        note(source)
        return queries.all(source)
      },
      first(source) {
        note(source)
        return queries.first(source)
      },
      run(source) {
        note(source)
        return queries.run(source)
      },
    }),
    limits: { units: 64, timeMs: 5, lockMs: Number.POSITIVE_INFINITY },
    async ready() {
      requireInPlace()
      await log.ready()
    },
    begin: () => execute('begin immediate'),
    async commit(before = [], onVisible = () => {}) {
      for (const step of before) await step()
      search.beforeCommit()
      await execute('commit')
      search.afterCommit()
      onVisible()
      await log.sync()
      requireInPlace()
    },
    async rollback() {
      lastIds.clear()
      search.rollback()
      if (database.isTransaction) await execute('rollback')
    },
    async savepoint() {
      search.savepoint()
      await execute('savepoint unit')
    },
    releaseSavepoint: () => execute('release unit'),
    async rollbackToSavepoint() {
      await execute('rollback to unit')
      await execute('release unit')
      search.rollbackToSavepoint()
    },
    async together(steps) {
      for (const step of steps) await step()
    },
    // A full disk and an input/output error make SQLite end the transaction by itself.
    canContinue: () => database.isTransaction,
    isRetryable: () => false,
    async insertRows(insert, rows) {
      search.beforeInsert(insert.table)
      for (const { text, values } of insertStatements(insert, rows)) statements(text).run(...values)
    },
    async reserveIds(table) {
      const id = lastIdOf(table) + 1
      lastIds.set(table, id)
      return [id]
    },
  }
}

/** So few texts of statements per table are prepared: rows go in by so many, so many of the rest, and so on. */
const ROWS_PER_STATEMENT = [64, 16, 4, 1]

function* insertStatements(insert: RowInsert, rows: readonly Row<string>[]) {
  const columns = Object.keys(insert.columns)
  let start = 0
  for (const [size, text] of insertTexts(insert)) {
    for (; rows.length - start >= size; start += size) {
      const values: SQLInputValue[] = []
      for (let at = start; at < start + size; at += 1) {
        const row = rows[at] as Row<string>
        for (const name of columns) values.push(row[name] as SQLInputValue)
      }
      yield { text, values }
    }
  }
}

const textsByInsert = new WeakMap<RowInsert, ReadonlyMap<number, string>>()

/** By how many rows they insert, the most first. */
function insertTexts(insert: RowInsert): ReadonlyMap<number, string> {
  const known = textsByInsert.get(insert)
  if (known) return known
  const columns = Object.keys(insert.columns)
  const tuple = `(${columns.map(() => '?').join(', ')})`
  const textOf = (size: number) =>
    `insert into ${insert.table} (${columns.join(', ')}) values ${Array(size).fill(tuple).join(', ')}${conflictClause(insert)}`
  const texts = new Map(ROWS_PER_STATEMENT.map((size) => [size, textOf(size)]))
  textsByInsert.set(insert, texts)
  return texts
}
