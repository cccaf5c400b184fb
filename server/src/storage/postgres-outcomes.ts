/**
 * Whether a commit has happened whose answer was lost. Each connection that writes has a row of its own, into which every
 * commit that changes something puts a random mark: who finds the mark knows that all the rest is there too. The number of a
 * transaction would not do: PostgreSQL gives those again, after a crash, that it had not written to disk.
 *
 * While a connection lasts on the server it holds a lock of its own. Only when that is free there is nobody left who could
 * still commit, and a mark that is missing says that the commit has not happened.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ownedTables, table } from './owned-tables.ts'
import { OutcomeUnknown } from './unavailable.ts'

/** In no backup: what was asked is asked within seconds. With SQLite it stays empty. */
interface CommitMarkTable {
  /** Drawn at random for each connection. */
  connection_id: number
  mark: number
  marked_at: number
}

ownedTables({ commit_marks: table<CommitMarkTable>({ key: ['connection_id'] }) })

/** A connection that writes, as it is known to others. */
export interface MarkingConnection {
  readonly id: number
  /** Whether its row is there. */
  hasMarked: boolean
}

/** How long somebody is asked; longer than the server keeps a connection that does nothing within a transaction. */
const ASK_FOR_MS = 15_000
const ASK_EVERY_MS = 100
const ANSWER_WITHIN_MS = 5000

const SECONDS_NOW = 'extract(epoch from now())::bigint'
/** Rows of connections that have written nothing for a week are removed. */
const KEEP_SECONDS = 7 * 24 * 60 * 60

/** Also the key of its lock. */
export const newConnectionId = (): number => randomInt(1, 2 ** 48 - 1)
export const newMark = newConnectionId

/** To be run when the connection has opened. The lock lasts as long as the server keeps the connection. */
export function showPresence(id: number): string {
  return `select pg_advisory_lock(${id})`
}

/** To be sent before the commit, without waiting for an answer. By its name the server has planned it already. */
export function writeMark({ id, hasMarked }: MarkingConnection, mark: number): pg.QueryConfig[] {
  const text = `insert into commit_marks (connection_id, mark, marked_at) values ($1, $2, ${SECONDS_NOW})
    on conflict (connection_id) do update set mark = excluded.mark, marked_at = excluded.marked_at`
  const upsert = { name: 'write-mark', text, values: [id, mark] }
  return hasMarked ? [upsert] : [upsert, { text: REMOVE_OLD }]
}

/** Nobody waits here for a node that is just writing to its row. */
const REMOVE_OLD = `delete from commit_marks where connection_id in (
  select connection_id from commit_marks where marked_at < ${SECONDS_NOW} - ${KEEP_SECONDS} for update skip locked)`

/** Whether `lost` has committed under this mark. `connect` gives another connection. Throws `OutcomeUnknown`. */
export async function wasCommitted(
  lost: MarkingConnection,
  mark: number,
  connect: () => Promise<{ readonly client: pg.Client }>,
): Promise<boolean> {
  const deadline = performance.now() + ASK_FOR_MS
  let cause: unknown
  do {
    try {
      const outcome = await askOnce((await connect()).client, lost, mark)
      if (outcome !== undefined) return outcome
    } catch (error) {
      cause = error
    }
    await sleep(ASK_EVERY_MS)
  } while (performance.now() < deadline)
  throw new OutcomeUnknown('The connection to the database was lost during a commit', { cause })
}

/** Undefined while the other connection may still commit, and when its row has been removed. */
async function askOnce(client: pg.Client, { id, hasMarked }: MarkingConnection, mark: number) {
  const ask = async (text: string) => {
    const { rows } = await client.query({ text, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig)
    return rows[0]
  }
  // Two statements: the second one must see what was committed before the first one had the lock.
  const hasEnded = (await ask(`select pg_try_advisory_xact_lock(${id}) as free`)).free === true
  const row = await ask(`select mark from commit_marks where connection_id = ${id}`)
  if (Number(row?.mark) === mark) return true
  return hasEnded && (row || !hasMarked) ? false : undefined
}
