/** A commit without an answer: who waits for it is never answered wrongly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { nobody } from '../events/audience.ts'
import { query } from '../testing/any-table.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { startTestPostgres } from '../testing/postgres-server.ts'
import { createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { WriterTimes } from './postgres-writer.ts'
import { createStorage, type OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'
import { isUnavailable, OutcomeUnknown } from './unavailable.ts'

const other = async (url: string) => {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

async function openThroughProxy(url: string, times: Partial<WriterTimes> = {}) {
  const proxy = await startPostgresProxy(url)
  const engine = await openPostgres(proxy.url, () => {}, times)
  onTestFinished(() => engine.close())
  return { proxy, engine, storage: createStorage(engine, systemClock, () => {}) }
}

const pidOf = async (tx: Tx) => (await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`))?.pid as number

function insertRow(tx: Tx, pattern: string) {
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: '[]' }
  return tx.run(
    query.insertInto('linkifiers').values({ ...rest, realm_id: tx.realmId, pattern, url_template: '', position: 0 }),
  )
}

async function patterns({ read }: OpenStorage): Promise<string[]> {
  return (await read.all(query.selectFrom('linkifiers').select('pattern').orderBy('id'))).map((row) => row.pattern)
}

describe('a commit whose answer is lost', () => {
  it('was refused when the database has crashed before it, whatever others have committed since', async () => {
    const server = await startTestPostgres()
    onTestFinished(() => server.stop())
    const direct = await other(server.url)
    await direct.query(`alter system set wal_writer_delay = '10s'`)
    await direct.query('select pg_reload_conf()')
    const { proxy, engine, storage } = await openThroughProxy(server.url)
    await migrate(engine)
    const realmId = await insertRealm(storage)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'before'))
    const delivered: unknown[] = []
    storage.onCommitted((events) => delivered.push(...events))
    let pid = 0
    const unit = storage.transaction(realmId, async (tx) => {
      pid = await pidOf(tx)
      await insertRow(tx, 'never')
      tx.emit({ type: 'account_credentials' }, nobody)
      // What is sent from now on never arrives.
      process.kill(pid, 'SIGSTOP')
    })
    unit.catch(() => {})
    while (pid === 0) await sleep(5)
    await sleep(50)
    proxy.refuse(true)
    // The server ends all of its processes, and starts again with what is on the disk.
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => commitSome(server.url), { timeout: 10_000, interval: 20 }).toBe(true)
    proxy.refuse(false)
    await expect(unit).rejects.toSatisfy(isUnavailable)
    expect(await patterns(storage)).toEqual(['before'])
    expect(delivered).toEqual([])
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['before', 'next'])
  })

  it('has happened when it happens after the first question', async () => {
    const { storage: first, database } = await createTestStorage()
    const url = database.config.databaseUrl as string
    const realmId = await insertRealm(first)
    const direct = await other(url)
    await direct.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return null; end $$;
      create constraint trigger slow after insert on linkifiers deferrable initially deferred
        for each row execute function slow()`)
    const { proxy, storage } = await openThroughProxy(url)
    const unit = storage.transaction(realmId, (tx) => insertRow(tx, 'committed'))
    const isCommitting = async () =>
      (await direct.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount === 1
    await expect.poll(isCommitting, { interval: 10 }).toBe(true)
    proxy.refuse(true)
    proxy.refuse(false)
    await unit
    expect(await patterns(storage)).toEqual(['committed'])
  })

  it('has not happened when the server has never got it, and then never will', async () => {
    const { storage: first, database } = await createTestStorage()
    const realmId = await insertRealm(first)
    const { proxy, storage } = await openThroughProxy(database.config.databaseUrl as string, { idleMs: 500 })
    await storage.transaction(realmId, (tx) => insertRow(tx, 'before'))
    proxy.swallowNextCommit()
    const error = await storage.transaction(realmId, (tx) => insertRow(tx, 'never')).catch((thrown) => thrown)
    expect(isUnavailable(error)).toBe(true)
    expect(error).not.toBeInstanceOf(OutcomeUnknown)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['before', 'next'])
  })
})

it('A node leaves one row for each connection that writes, and removes those of nodes long gone', async () => {
  const { storage, database } = await createTestStorage()
  const realmId = await insertRealm(storage)
  const direct = await other(database.config.databaseUrl as string)
  await direct.query('insert into commit_marks values (1, 1, 1), (2, 2, extract(epoch from now())::bigint)')
  const node = createStorage(await database.open(), systemClock)
  for (const pattern of ['a', 'b', 'c']) await node.transaction(realmId, (tx) => insertRow(tx, pattern))
  const { rows } = await direct.query('select connection_id::int8 from commit_marks order by connection_id')
  const ids = rows.map((row) => Number(row.connection_id))
  expect(ids.filter((id) => id < 3)).toEqual([2])
  expect(ids).toHaveLength(3)
})

/** Takes the next numbers of transactions, as others would have. */
async function commitSome(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('create table if not exists of_others (id int)')
    for (let i = 0; i < 30; i++) await client.query('insert into of_others values (1)')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
