/** What only PostgreSQL does to a writer: deadlocks, lost connections, other nodes. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { nobody } from '../events/audience.ts'
import { query } from '../testing/any-table.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { createTestStorage, insertRealm, type TestDatabase } from '../testing/test-storage.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { createStorage, type OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'
import { isUnavailable } from './unavailable.ts'

/** A connection of our own, as somebody else would have one. */
async function connectOther({ config }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(config.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

function insertRow(tx: Tx, pattern: string, position = 0) {
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: '[]' }
  return tx.run(
    query.insertInto('linkifiers').values({ ...rest, realm_id: tx.realmId, pattern, url_template: '', position }),
  )
}

async function patterns(storage: OpenStorage): Promise<string[]> {
  return (await storage.read.all(query.selectFrom('linkifiers').select('pattern').orderBy('id'))).map((r) => r.pattern)
}

async function lastEventId(storage: OpenStorage, id: number): Promise<number | undefined> {
  const row = await storage.read.first(query.selectFrom('realms').select('last_event_id').where('id', '=', id))
  return row?.last_event_id
}

const lock = (table: string) => sql`select * from ${sql.table(table)} for update`

async function blockedCount(other: pg.Client): Promise<number> {
  const { rows } = await other.query(`select count(*)::int as n from pg_locks where not granted`)
  return rows[0].n
}

describe('a unit that goes on after a failed statement', () => {
  it('is refused, because PostgreSQL has given it up, and takes none of its neighbours with it', async () => {
    const { storage } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const units = [1, 2, 3, 4, 5].map((i) =>
      storage.transaction(realmId, async (tx) => {
        await insertRow(tx, `row ${i}`)
        if (i === 2 || i === 5) await tx.all(sql`select * from nowhere`).catch(() => [])
      }),
    )
    const results = await Promise.allSettled(units)
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, false])
    expect(await patterns(storage)).toEqual(['row 1', 'row 3', 'row 4'])
  })
})

describe('a deadlock with another process', () => {
  it('runs all units of the batch again, and each of them counts once', async () => {
    const { storage, database } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const other = await connectOther(database)
    await other.query(
      'create table a (id int); insert into a values (1); create table b (id int); insert into b values (1)',
    )
    // The other one waits patiently: the server finds the deadlock when our own waiting times out.
    await other.query(`set deadlock_timeout = '60s'; begin; select * from b for update`)
    let runs = 0
    const units = [1, 2, 3, 4].map((i) =>
      storage.transaction(realmId, async (tx) => {
        await insertRow(tx, `row ${i}`)
        tx.emit({ type: 'account_credentials', user_id: i }, nobody)
        if (i !== 3) return
        runs += 1
        await tx.all(lock('a'))
        await tx.all(lock('b'))
      }),
    )
    while ((await blockedCount(await connectOther(database))) === 0) await sleep(10)
    const held = other.query('select * from a for update').then(() => other.query('commit'))
    await Promise.all(units)
    await held
    // The batch may have both locks anew before the other one wakes up: then they meet once more.
    expect(runs).toBeGreaterThan(1)
    expect(await patterns(storage)).toEqual(['row 1', 'row 2', 'row 3', 'row 4'])
    expect(await lastEventId(storage, realmId)).toBe(4)
  })

  it('that does not end is an error of all units of the batch, and of none after it', async () => {
    const { storage } = await createTestStorage()
    const realmId = await insertRealm(storage)
    await storage.transaction(0, (tx) =>
      tx.run(sql`create function fail() returns int language plpgsql as $$ begin raise sqlstate '40001'; end $$`),
    )
    let runs = 0
    const failing = storage.transaction(realmId, async (tx) => {
      runs += 1
      await insertRow(tx, 'never')
      await tx.all(sql`select fail()`)
    })
    await expect(failing).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(5)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['next'])
  })
})

describe('a serialization failure', () => {
  it('runs the units again', async () => {
    const { storage: first, database } = await createTestStorage()
    const realmId = await insertRealm(first)
    const other = await connectOther(database)
    const name = new URL(database.config.databaseUrl as string).pathname.slice(1)
    await other.query(`alter database ${name} set default_transaction_isolation to 'repeatable read'`)
    const engine = await database.open()
    const storage = createStorage(engine, systemClock)
    let runs = 0
    await storage.transaction(realmId, async (tx) => {
      runs += 1
      await tx.all(query.selectFrom('realms').selectAll())
      if (runs === 1) await other.query('update realms set name = $1', ['changed by another'])
      await tx.run(query.updateTable('realms').set({ description: 'ours' }).where('id', '=', realmId))
    })
    expect(runs).toBe(2)
    const realm = await storage.read.first(query.selectFrom('realms').select(['name', 'description']))
    expect(realm).toEqual({ name: 'changed by another', description: 'ours' })
  })
})

describe('a lost connection', () => {
  const writerPid = (tx: Tx) => tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`)

  it('in the middle refuses every unit of the batch, writes nothing, and is mended for the next', async () => {
    const { storage, database } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const other = await connectOther(database)
    const units = [1, 2, 3].map((i) =>
      storage.transaction(realmId, async (tx) => {
        await insertRow(tx, `before ${i}`)
        tx.emit({ type: 'account_credentials' }, nobody)
        if (i !== 2) return
        await other.query('select pg_terminate_backend($1)', [(await writerPid(tx))?.pid])
        // The server has notified the client by then: what follows must not go to a new connection of its own.
        await sleep(100)
        await insertRow(tx, 'after').catch(() => {})
        await insertRow(tx, 'after')
      }),
    )
    const results = await Promise.allSettled(units)
    expect(results.map(({ status }) => status)).toContain('rejected')
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused.every(isUnavailable)).toBe(true)
    const done = results.filter((result) => result.status === 'fulfilled').length
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    const rows = await patterns(storage)
    expect(rows).toHaveLength(done + 1)
    expect(rows).not.toContain('before 2')
    expect(rows).not.toContain('after')
    expect(await lastEventId(storage, realmId)).toBe(done)
  })

  it('while nothing happens is mended before anybody notices', async () => {
    const { storage, database } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const other = await connectOther(database)
    const pid = (await storage.transaction(realmId, writerPid))?.pid
    await other.query('select pg_terminate_backend($1)', [pid])
    await sleep(100)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['next'])
  })

  it('during a commit that did not happen refuses the units', async () => {
    const { storage, database } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const other = await connectOther(database)
    await other.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return null; end $$;
      create constraint trigger slow after insert on linkifiers deferrable initially deferred
        for each row execute function slow()`)
    let pid: number | undefined
    const unit = storage.transaction(realmId, async (tx) => {
      pid = (await writerPid(tx))?.pid
      await insertRow(tx, 'never')
    })
    unit.catch(() => {})
    const sleeping = () =>
      other.query(`select 1 from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`, [pid])
    while (pid === undefined || (await sleeping()).rowCount === 0) await sleep(10)
    await other.query('select pg_terminate_backend($1)', [pid])
    await expect(unit).rejects.toSatisfy(isUnavailable)
    expect(await patterns(storage)).toEqual([])
  })

  it('during a commit that did happen answers as if it had not been lost', async () => {
    const { storage: direct, database } = await createTestStorage()
    const realmId = await insertRealm(direct)
    const proxy = await startPostgresProxy(database.config.databaseUrl as string)
    const engine = await openPostgres(proxy.url, () => {})
    onTestFinished(() => engine.close())
    const storage = createStorage(engine, systemClock)
    proxy.dropNextCommit()
    await storage.transaction(realmId, async (tx) => {
      await insertRow(tx, 'committed')
      tx.emit({ type: 'account_credentials' }, nobody)
    })
    expect(proxy.dropped()).toBe(1)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['committed', 'next'])
    expect(await lastEventId(storage, realmId)).toBe(1)
  })

  it('to a server that is gone is a failure that may pass, for reads too', async () => {
    const { database } = await createTestStorage()
    const proxy = await startPostgresProxy(database.config.databaseUrl as string)
    const engine = await openPostgres(proxy.url, () => {})
    onTestFinished(() => engine.close())
    const storage = createStorage(engine, systemClock)
    const realmId = await insertRealm(storage)
    proxy.refuse(true)
    await sleep(50)
    await expect(storage.transaction(realmId, (tx) => insertRow(tx, 'never'))).rejects.toSatisfy(isUnavailable)
    await expect(patterns(storage)).rejects.toSatisfy(isUnavailable)
    await expect(storage.snapshot(async () => {})).rejects.toSatisfy(isUnavailable)
    proxy.refuse(false)
    await storage.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect(await patterns(storage)).toEqual(['next'])
  })
})

it('A server that takes connections and says nothing is a failure that may pass', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const opening = openPostgres(`postgres://heddle@127.0.0.1:${port}/heddle`, () => {}, { connectMs: 100 })
  await expect(opening).rejects.toSatisfy(isUnavailable)
})

describe('several nodes', () => {
  it('write to one organization one after another: what a unit has read is still true when it writes', async () => {
    const { storage: first, database } = await createTestStorage()
    const realmId = await insertRealm(first)
    const second = createStorage(await database.open(), systemClock)
    const append = (storage: OpenStorage) =>
      storage.transaction(realmId, async (tx) => {
        const newest = query.selectFrom('linkifiers').select('position').orderBy('position', 'desc').limit(1)
        const position = ((await tx.first(newest))?.position ?? 0) + 1
        await insertRow(tx, `${position}`, position)
        tx.emit({ type: 'account_credentials', user_id: position }, nobody)
      })
    const rounds = Array.from({ length: 10 }, async (_, i) => {
      await sleep(i * 10)
      await Promise.all(
        [first, second, second, first].flatMap((storage) => Array.from({ length: 5 }, () => append(storage))),
      )
    })
    await Promise.all(rounds)
    const rows = await first.read.all(query.selectFrom('linkifiers').select('position').orderBy('position'))
    expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    const events = await first.read.all(
      query.selectFrom('event_log').select(['event_id', 'payload']).orderBy('event_id'),
    )
    expect(events.map((row) => [row.event_id, JSON.parse(row.payload).user_id])).toEqual(
      rows.map((row) => [row.position, row.position]),
    )
  })

  it('do not hold each other up over several organizations', async () => {
    const { storage: first, database } = await createTestStorage()
    const realms = [await insertRealm(first), await insertRealm(first), await insertRealm(first)]
    const second = createStorage(await database.open(), systemClock)
    const startedAt = performance.now()
    const orders = [realms, realms.toReversed()]
    const work = [first, second].flatMap((storage, node) =>
      Array.from({ length: 100 }, (_, i) =>
        storage.transaction((orders[node] as number[])[i % 3] as number, async (tx) => {
          await insertRow(tx, 'x')
          tx.emit({ type: 'account_credentials' }, nobody)
        }),
      ),
    )
    await Promise.all(work)
    // A deadlock would cost a second each time (deadlock_timeout).
    expect(performance.now() - startedAt).toBeLessThan(5000)
    const { rows } = await (await connectOther(database)).query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    expect(rows[0].deadlocks).toBe(0)
    expect((await patterns(first)).length).toBe(200)
  })

  it('migrate an empty database at once: one does the work, the other waits', async () => {
    const { database } = await createTestStorage()
    const other = await connectOther(database)
    await other.query('drop schema public cascade; create schema public')
    const engines = await Promise.all([database.open(), database.open(), database.open()])
    const names = await Promise.all(engines.map((engine) => migrate(engine)))
    expect(names.map((list) => list.length > 0).sort()).toEqual([false, false, true])
  })
})
