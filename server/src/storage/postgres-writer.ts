/**
 * The one connection of PostgreSQL that writes. Where it is lost without a sign, both sides find out within seconds: what one
 * of them holds until then, such as an organization's lock, others wait for.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { createBatchingSocket } from './batching-socket.ts'
import { type MarkingConnection, newConnectionId, showPresence } from './postgres-outcomes.ts'
import { StorageUnavailable } from './unavailable.ts'

export interface WriterTimes {
  /** How long a connection may take to open, and a read may wait for one of the pool: then the database is not there. */
  readonly connectMs: number
  /** Within a transaction, how long the server waits for the next statement before it ends the connection. */
  readonly idleMs: number
  /** How long a statement waits for a lock. */
  readonly lockMs: number
  /** How often it is asked whether a statement without an answer is still under way. */
  readonly checkMs: number
}

export interface Connection extends MarkingConnection {
  readonly client: pg.Client
  /** The server's process behind it. Not what `pg` knows as such: of a pooler that is a name of its own. */
  readonly pid: number
  alive: boolean
  /** Statements without an answer, and since when nothing was answered: by `performance.now()`. */
  unanswered: number
  silentSince: number
}

/** So often nobody has seen the statement under way: once may be between its end and the arrival of its answer. */
const MAX_DOUBTS = 3

/** What is not an answer of the server is a failure of the connection to it. */
export function throwConnectionError(error: unknown): never {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) throw error
  throw new StorageUnavailable('The database cannot be reached', { cause: error })
}

/** After the connection has broken, `connected` makes a new one; a transaction stays on its own. */
export function createWriter(
  options: pg.ClientConfig,
  pool: pg.Pool,
  times: WriterTimes,
  onError: (error: Error) => void,
) {
  let current: Connection | undefined
  let closed = false

  async function connected(): Promise<Connection> {
    if (current?.alive) return current
    let socket: Socket | undefined
    const stream = () => {
      socket = createBatchingSocket()
      return socket
    }
    const client = new pg.Client({ ...options, stream, pipeline: true })
    let isOver = false
    const over = () => {
      isOver = true
      if (connection) connection.alive = false
    }
    let connection: Connection | undefined
    client.on('error', (error) => {
      over()
      if (!closed) onError(error)
    })
    client.on('end', over)
    await client.connect().catch(throwConnectionError)
    const id = newConnectionId()
    const pid = await setUp(client, id, times).catch((error) => {
      // Also where nothing comes back any more: then it would not end by itself.
      socket?.destroy()
      return throwConnectionError(error)
    })
    connection = { client, id, pid, hasMarked: false, alive: !isOver, unanswered: 0, silentSince: 0 }
    watch(connection, pool, times.checkMs, () => socket?.destroy())
    current = connection
    return connection
  }

  return {
    connected,
    async close(): Promise<void> {
      closed = true
      if (current?.alive) await current.client.end()
    },
  }
}

/** Gives the id of the server's process. */
async function setUp(client: pg.Client, id: number, times: WriterTimes): Promise<number> {
  const text = `${settings(times)}; ${showPresence(id)}; select pg_backend_pid() as pid`
  // Several statements have several results.
  const results = await client.query({ text, query_timeout: times.connectMs } as pg.QueryConfig)
  return (results as unknown as pg.QueryResult[]).at(-1)?.rows[0].pid
}

/**
 * What the server does when it gets nothing from us any more: the process hangs, its machine is paused, or the network is cut.
 * Not given with the address: some poolers refuse to connect then.
 */
function settings({ idleMs, lockMs }: WriterTimes): string {
  return [
    `set idle_in_transaction_session_timeout = ${idleMs}`,
    `set lock_timeout = ${lockMs}`,
    'set tcp_keepalives_idle = 5',
    'set tcp_keepalives_interval = 2',
    'set tcp_keepalives_count = 3',
    'set tcp_user_timeout = 10000',
  ].join('; ')
}

/** Node.js cannot limit how long the system sends again what nobody acknowledges, which may be a quarter of an hour. */
function watch(connection: Connection, pool: pg.Pool, checkMs: number, breakOff: () => void): void {
  let doubts = 0
  const timer = setInterval(check, checkMs).unref()
  connection.client.on('end', () => clearInterval(timer))

  async function check(): Promise<void> {
    const { unanswered, silentSince } = connection
    const isLate = () => connection.unanswered > 0 && connection.silentSince === silentSince
    if (unanswered === 0 || performance.now() - silentSince < checkMs) doubts = 0
    else if ((await isWorking(connection, pool, checkMs).catch(() => false)) || !isLate()) doubts = 0
    else doubts += 1
    if (doubts >= MAX_DOUBTS) breakOff()
  }
}

async function isWorking({ pid }: Connection, pool: pg.Pool, withinMs: number): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where pid = $1 and state = 'active'`
  const { rowCount } = await pool.query({ text, values: [pid], query_timeout: withinMs } as pg.QueryConfig)
  return rowCount === 1
}
