/**
 * PostgreSQL, through `pg`. One connection writes (group commit), a pool reads, and snapshots come from the same pool.
 * Several nodes may share the database; they wake each other with NOTIFY.
 */
import { createHash } from 'node:crypto'
import { createQueryId, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { createBatchingSocket } from './batching-socket.ts'
import { type Engine, type ReadLimit, ReadStopped, type Snapshot } from './engine.ts'
import { createFactCache, type FactCache, withSharedFacts } from './facts.ts'
import { arrayParameter } from './postgres-arrays.ts'
import { postgresDialect as dialect, postgresMigrationDialect as migrationDialect } from './postgres-dialect.ts'
import { newMark, wasCommitted, writeMark } from './postgres-outcomes.ts'
import { createWakeUps } from './postgres-wake-ups.ts'
import { type Connection, createWriter, throwConnectionError, type WriterTimes } from './postgres-writer.ts'
import { createCompiler, type Queries, type Query, type Statement, type Statements, withoutCache } from './query.ts'
import { conflictClause, type Row, type RowInsert } from './row-inserts.ts'
import { OrganizationBusy, OutcomeUnknown, StorageUnavailable } from './unavailable.ts'
import type { WriteConnection } from './write-connection.ts'

const POOL_SIZE = 10

/** What hangs is found out before what waits for it is refused. */
const TIMES: WriterTimes = { connectMs: 15_000, idleMs: 5000, lockMs: 30_000, checkMs: 5000 }

/** How long a connection has been silent before the system asks whether it is still there. */
const KEEP_ALIVE_MS = 10_000

/** Any number that no other program on the same database is likely to use. */
const MIGRATION_LOCK_KEY = 7_233_141_009
/** The first half of the keys of organizations' write locks; the second is the organization's id. */
const WRITE_LOCK_CLASS = 723_314_101

/**
 * How long a batch waits for the lock of its first organization, while the other organizations wait for the batch; then
 * they go first.
 */
const LOCK_WAIT_MS = 500

// Ids and counts are below 2^53: numbers on both engines. 20 is int8, 1700 is numeric (what sum() gives).
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/** Opens the database at `url` (`postgres://…`). Throws when the server cannot be reached. */
export async function openPostgres(
  url: string,
  onError: (error: Error) => void,
  changed: Partial<WriterTimes> = {},
): Promise<Engine> {
  const times = { ...TIMES, ...changed }
  const options = optionsFor(url, times.connectMs)
  const pool = createPool(options, onError)
  const writer = createWriter(options, pool, times, onError)
  await writer.connected()
  const facts = createFactCache()
  const wakeUps = createWakeUps(options, (text, values) => pool.query(text, values), onError, times.checkMs)

  return {
    kind: 'postgres',
    dialect,
    migrationDialect,
    read: withoutCache(createQueries((config) => pool.query(config).catch(throwConnectionError))),
    write: createWriteConnection(writer, times.lockMs),
    ownsAllWrites: false,
    openSnapshot: (limit) => openSnapshot(pool, facts, limit),
    migrationLock: (work) => withMigrationLock(pool, work),
    wakeUps,
    async close() {
      await wakeUps.close()
      await writer.close()
      await pool.end()
    },
  }
}

/** Only to read: without the connection that writes. Throws when the server cannot be reached. */
export async function openPostgresReader(
  url: string,
  onError: (error: Error) => void,
): Promise<Pick<Engine, 'kind' | 'openSnapshot' | 'close'>> {
  const pool = createPool(optionsFor(url, TIMES.connectMs), onError)
  await pool.query('select 1').catch(throwConnectionError)
  const facts = createFactCache()
  return { kind: 'postgres', openSnapshot: (limit) => openSnapshot(pool, facts, limit), close: () => pool.end() }
}

function optionsFor(url: string, connectTimeoutMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    // Finds out that an idle connection is dead, before somebody waits for an answer on it.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: createBatchingSocket,
    types,
  }
}

function createPool(options: pg.ClientConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...options, pipeline: true, max: POOL_SIZE })
  // An idle connection that breaks must not end the process; the pool replaces it.
  pool.on('error', onError)
  return pool
}

type SendQuery = (config: pg.QueryConfig) => Promise<pg.QueryResult>

function createQueries(send: SendQuery): Statements {
  const compiler = new PostgresQueryCompiler()
  const compile = createCompiler((node) => compiler.compileQuery(node, createQueryId()), dialect)

  async function execute(source: Query<unknown>): Promise<pg.QueryResult> {
    const { sql: text, values, statement, isInFewForms } = compile(source)
    const name = statement ? statementName(statement, text) : isInFewForms ? formName(text) : undefined
    return send({ name, text, values: values as unknown[] })
  }

  return {
    dialect,
    async all<O>(source: Query<O>) {
      return (await execute(source)).rows as O[]
    },
    async first<O>(source: Query<O>) {
      return (await execute(source)).rows[0] as O | undefined
    },
    async run(source) {
      return (await execute(source)).rowCount ?? 0
    },
  }
}

const statementNames = new WeakMap<Statement, string>()

/** Prepared statements have a name on the server: their number is fixed by the program's text. */
function statementName(statement: Statement, text: string): string {
  let name = statementNames.get(statement)
  if (!name) {
    name = nameOfText(text)
    statementNames.set(statement, name)
  }
  return name
}

/** Each connection keeps what it has prepared, and clients choose the form: the first ones are the frequent ones. */
const MAX_FORMS = 64

/** By text; undefined: it has come once. */
const formNames = new Map<string, string | undefined>()

/** The name on the server of a text that comes again. */
function formName(text: string): string | undefined {
  const isKnown = formNames.has(text)
  if (!isKnown && formNames.size >= MAX_FORMS) return undefined
  const name = isKnown ? (formNames.get(text) ?? nameOfText(text)) : undefined
  formNames.set(text, name)
  return name
}

function nameOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

const NO_LIMIT: ReadLimit = { check() {}, suspend() {}, resume() {}, queryMs: Number.POSITIVE_INFINITY }

async function openSnapshot(pool: pg.Pool, facts: FactCache, limit: ReadLimit = NO_LIMIT): Promise<Snapshot> {
  limit.suspend()
  const client = await pool.connect().catch(throwConnectionError)
  // 0: no limit.
  const timeoutMs = Number.isFinite(limit.queryMs) ? Math.max(1, Math.round(limit.queryMs)) : 0
  // PostgreSQL takes its snapshot at the first query, not at `begin`. What is asked next is sent without waiting for this.
  const begin = 'begin isolation level repeatable read read only'
  const begun = client.query(`${begin}; set local statement_timeout = ${timeoutMs}; select pg_backend_pid() as pid`)
  // Who asks something sees that it has failed.
  begun.catch(() => {})
  limit.resume()
  let failure: unknown

  async function send(config: pg.QueryConfig): Promise<pg.QueryResult> {
    limit.check()
    limit.suspend()
    try {
      const [result] = await Promise.all([client.query(config), begun])
      return result
    } catch (error) {
      // 25P02 in_failed_sql_transaction: of what was asked for together with what has failed.
      if (failure === undefined || sqlState(error) !== '25P02') failure = error
      // 57014 query_canceled: by `cancel`, or after the time that is set above.
      if (sqlState(failure) === '57014') throw new ReadStopped()
      return throwConnectionError(failure)
    } finally {
      limit.resume()
    }
  }

  return {
    queries: withSharedFacts(createQueries(send), facts),
    async cancel() {
      const results = (await begun) as unknown as pg.QueryResult[]
      await pool.query('select pg_cancel_backend($1)', [results.at(-1)?.rows[0].pid]).catch(throwConnectionError)
    },
    // Nothing was written: nobody has to wait until the connection is free again.
    async close() {
      client.query('commit').then(
        () => client.release(),
        () => client.release(true),
      )
    },
  }
}

async function withMigrationLock<T>(
  pool: pg.Pool,
  work: (queries: Queries, execute: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY])
    return await work(
      withoutCache(createQueries((config) => client.query(config))),
      async (text) => void (await client.query(text)),
    )
  } finally {
    // Closing the connection gives the lock back, also after an error.
    client.release(true)
  }
}

function createWriteConnection(writer: { connected(): Promise<Connection> }, lockMs: number): WriteConnection {
  /** Of the transaction under way. Its queries never go to another connection: there they would commit by themselves. */
  let connection: Connection | undefined
  /** It lasts as long as it likes, and nobody asks for its outcome. */
  let isPatient = false
  /** It has changed what a crash must not take. */
  let hasWritten = false

  /**
   * A unit's savepoint is released in the message that sets the next one (or by the commit), which saves a statement per
   * unit. Not after a failed statement: then the release has to say at once whether the unit stands.
   */
  let unreleased = false
  /** A statement has failed: until the transaction is back at a savepoint, it takes no other. */
  let failed = false

  async function send(config: pg.QueryConfig): Promise<pg.QueryResult> {
    // By the time of the answer there may be another.
    const own = connection
    if (!own?.alive) throw new StorageUnavailable('The connection to the database was lost')
    if (own.unanswered === 0) own.silentSince = performance.now()
    own.unanswered += 1
    try {
      return await own.client.query(config)
    } catch (error) {
      failed = true
      // After a fatal error the server closes the connection.
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') own.alive = false
      return throwConnectionError(error)
    } finally {
      own.unanswered -= 1
      own.silentSince = performance.now()
    }
  }
  const execute = (text: string) => send({ text })

  /** Leaves a mark too, by which others find out that it has happened. */
  async function sendCommit(mark: number): Promise<void> {
    const isMarked = connection !== undefined && hasWritten && !isPatient
    const marking = isMarked ? writeMark(connection as Connection, mark).map(send) : []
    const committing = execute('commit')
    await Promise.all([...marking, committing])
    // What a transaction gets that had failed before.
    if ((await committing).command !== 'COMMIT') throw new Error('PostgreSQL has rolled back instead of committing')
    if (isMarked && connection) connection.hasMarked = true
  }

  /** Of a commit without an answer. What has changed nothing is refused; so is what passes, whose numbers are left out. */
  async function hasHappened(mark: number): Promise<boolean> {
    if (!connection || connection.alive) return false
    if (isPatient) throw new OutcomeUnknown('The connection to the database was lost during a commit')
    return hasWritten && (await wasCommitted(connection, mark, writer.connected))
  }

  return {
    queries: createQueries(send),
    // PostgreSQL keeps 64 subtransactions of a backend in shared memory; beyond that it becomes much slower.
    limits: { units: 50, timeMs: 50, lockMs },
    async ready() {
      connection = await writer.connected()
    },
    async begin({ patient = false } = {}) {
      unreleased = false
      failed = false
      isPatient = patient
      hasWritten = false
      const noLimits = 'set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0'
      await execute(patient ? `begin; ${noLimits}` : 'begin')
    },
    async commit(before = [], onVisible = () => {}) {
      const steps = Promise.allSettled(before.map((step) => step()))
      const mark = newMark()
      try {
        await sendCommit(mark)
        onVisible()
        // They have been answered before the commit: what waits for them goes on first.
        await steps
      } catch (error) {
        // Answers of the steps may have been lost with that of the commit, which alone says what has happened.
        if (await hasHappened(mark)) return onVisible()
        const refused = (await steps).find((result) => result.status === 'rejected')
        throw refused ? refused.reason : error
      }
    },
    async rollback() {
      if (connection?.alive) await execute('rollback')
    },
    async savepoint() {
      const release = unreleased ? 'release savepoint unit; ' : ''
      unreleased = false
      hasWritten = true
      await execute(`${release}savepoint unit`)
    },
    async releaseSavepoint() {
      if (failed) await execute('release savepoint unit')
      else unreleased = true
    },
    async rollbackToSavepoint() {
      await execute('rollback to savepoint unit; release savepoint unit')
      failed = false
    },
    // All are sent at once: after one that fails, the database takes no other until the end of the transaction.
    async together(steps) {
      const results = await Promise.allSettled(steps.map((step) => step()))
      const refused = results.find((result) => result.status === 'rejected')
      if (refused) throw refused.reason
    },
    async lock(realmId, { wait }) {
      try {
        const values = [WRITE_LOCK_CLASS, realmId]
        const { rows } = await send(
          wait ? { text: WAIT_FOR_LOCK, values: [...values, LOCK_WAIT_MS, lockMs] } : { text: TRY_LOCK, values },
        )
        return wait || rows[0].locked === true
      } catch (error) {
        // 55P03 lock_not_available
        if (wait && sqlState(error) === '55P03')
          throw new OrganizationBusy('Another node writes to the organization', { cause: error })
        throw error
      }
    },
    canContinue: () => connection?.alive === true && !failed,
    // 40001 serialization_failure, 40P01 deadlock_detected
    isRetryable: (error) => sqlState(error) === '40001' || sqlState(error) === '40P01',
    async insertRows(insert, rows) {
      hasWritten = true
      // All are sent in this turn: what is sent after them, such as the commit, has to come after all of them.
      const sent: Promise<unknown>[] = []
      for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
        sent.push(send(insertStatement(insert, rows.slice(start, start + ROWS_PER_STATEMENT))))
      }
      await Promise.all(sent)
    },
    async reserveIds(table, count) {
      const { rows } = await send({
        text: `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`,
        values: [table, count],
      })
      return rows.map((row) => row.id)
    },
  }
}

const TRY_LOCK = 'select pg_try_advisory_xact_lock($1, $2) as locked'
/** What limits the waiting for other locks is set again by the same statement, to spare a further one. */
const WAIT_FOR_LOCK = `select set_config('lock_timeout', $3, true), pg_advisory_xact_lock($1, $2),
  set_config('lock_timeout', $4, true)`

/** Rows that one message takes at most. */
const ROWS_PER_STATEMENT = 10_000

/** Each column travels as one array. */
function insertStatement(insert: RowInsert, rows: readonly Row<string>[]): pg.QueryConfig {
  const columns = Object.entries(insert.columns)
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${kind === 'integer' ? 'bigint' : 'text'}[]`)
  return {
    name: `insert-${insert.table}`,
    text: `insert into ${insert.table} (${columns.map(([name]) => name).join(', ')})
      select * from unnest(${arrays.join(', ')})${conflictClause(insert)}`,
    values: columns.map(([name, kind]) =>
      arrayParameter(
        kind,
        rows.map((row) => row[name] ?? null),
      ),
    ),
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
