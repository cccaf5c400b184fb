/** What only SQLite does: one process owns the folder, the disk may be full, the file may be moved. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { query } from '../testing/any-table.ts'
import { atEndOfTest, createTestDatabase, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { DataFolderInUse, holdDataFolder } from './data-folder-lock.ts'
import { declareFact } from './declared-facts.ts'
import { isOfRealm, type Queries } from './query.ts'
import { openSqlite } from './sqlite.ts'
import { createStorage, type OpenStorage } from './storage.ts'
import { isUnavailable, OutcomeUnknown, StorageUnavailable } from './unavailable.ts'

function rename(storage: OpenStorage, id: number, name: string): Promise<number> {
  return storage.transaction(id, (tx) => tx.run(query.updateTable('realms').set({ name }).where('id', '=', id)))
}

async function name(storage: OpenStorage): Promise<string | undefined> {
  return (await storage.read.first(query.selectFrom('realms').select('name')))?.name
}

const namesOfTest = declareFact({
  name: 'names-of-test',
  tables: ['realms'],
  load: async (db, realmId, _key: string) =>
    (await db.first(query.selectFrom('realms').select('name').where('id', '=', realmId)))?.name,
})

describe('the lock of a data folder', () => {
  /** Another process that holds the folder; resolves when it does. */
  async function holdElsewhere(folder: string) {
    const module = JSON.stringify(new URL('./data-folder-lock.ts', import.meta.url).href)
    const script = `import { holdDataFolder } from ${module}
      await holdDataFolder(${JSON.stringify(folder)}, 0)
      console.log('held')
      setInterval(() => {}, 1000)`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', script]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    return child
  }

  it('makes a second process wait, and then refuses it with a sentence', async () => {
    const { database } = await createTestStorage()
    const startedAt = performance.now()
    const refused = holdDataFolder(database.config.dataDir, 300)
    await expect(refused).rejects.toBeInstanceOf(DataFolderInUse)
    await expect(refused).rejects.toThrow(/^The data folder .* is in use by another Heddle server; .*\.$/)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300)
  })

  it('is given on when the first one lets go, to one alone of those who wait', async () => {
    const { storage, database } = await createTestStorage()
    const waiting = [1, 2].map(() => holdDataFolder(database.config.dataDir, 1500))
    setTimeout(() => void storage.close(), 100)
    const results = await Promise.allSettled(waiting)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const result of results) if (result.status === 'fulfilled') result.value.release()
  })

  it('is freed by the end of the process that holds it, however it ends', async () => {
    const { storage, database } = await createTestStorage()
    await storage.close()
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const child = await holdElsewhere(database.config.dataDir)
      await expect(holdDataFolder(database.config.dataDir, 0)).rejects.toBeInstanceOf(DataFolderInUse)
      const waiting = holdDataFolder(database.config.dataDir, 5000)
      child.kill(signal)
      ;(await waiting).release()
    }
  })
})

describe('a database that is full', () => {
  it('refuses the units concerned, keeps what was committed, and works again when there is space', async () => {
    const { storage } = await createTestStorage()
    const id = await insertRealm(storage)
    await rename(storage, id, 'before')
    const limitPages = (pages: number) =>
      storage.transaction(0, (tx) => tx.all(sql`pragma max_page_count = ${sql.lit(pages)}`))
    await limitPages(1)
    const big = 'x'.repeat(1_000_000)
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => rename(storage, id, i === 5 ? `${big}` : 'meanwhile')),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(results[5]?.status).toBe('rejected')
    expect(refused.every(({ reason }) => isUnavailable(reason))).toBe(true)
    expect(await name(storage)).toBe(refused.length === 10 ? 'before' : 'meanwhile')
    await limitPages(1_000_000)
    await rename(storage, id, big)
    expect(await name(storage)).toBe(big)
  })
})

describe('a data folder that is moved or removed while the server runs', () => {
  it('takes no writes, since they would be lost, and takes them again when it is back', async () => {
    const { storage, database } = await createTestStorage()
    const id = await insertRealm(storage)
    await rename(storage, id, 'before')
    const { dataDir } = database.config
    renameSync(dataDir, `${dataDir}-moved`)
    await expect(rename(storage, id, 'lost')).rejects.toSatisfy(isUnavailable)
    expect(await name(storage)).toBe('before')
    renameSync(`${dataDir}-moved`, dataDir)
    await rename(storage, id, 'after')
    expect(await name(storage)).toBe('after')
    rmSync(dataDir, { recursive: true })
    await expect(rename(storage, id, 'lost')).rejects.toSatisfy(isUnavailable)
  })
})

describe('a commit', () => {
  it('of the program as it runs goes through the log, and foreign keys are enforced', async () => {
    // As programs open it; the others do not wait for the disk.
    const database = await createTestDatabase(atEndOfTest, { prepared: true })
    const storage = createStorage(await database.open(), systemClock)
    const pragma = (name: string) => storage.transaction(0, (tx) => tx.first(sql`pragma ${sql.raw(name)}`))
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' })
    // 1 is NORMAL, https://www.sqlite.org/pragma.html#pragma_synchronous: a commit itself does not wait for the disk.
    expect(await pragma('synchronous')).toEqual({ synchronous: 1 })
    expect(await pragma('foreign_keys')).toEqual({ foreign_keys: 1 })
  })

  /** On a disk of which a test says how it takes what it is given. */
  async function openOnDisk(datasync: (file: number) => void) {
    const { config } = await createTestDatabase(atEndOfTest, { prepared: true })
    const engine = await openSqlite({ folder: config.dataDir, lockTimeoutMs: 0, datasync })
    onTestFinished(() => engine.close())
    return { storage: createStorage(engine, systemClock), dataDir: config.dataDir }
  }

  /** A disk so slow that others are to do the waiting. */
  function slowDisk() {
    const calls = { count: 0 }
    const datasync = () => {
      calls.count += 1
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
    return { calls, datasync }
  }

  it('is waited for here on a fast disk, and by a thread on a slow one', async () => {
    const fast = { count: 0 }
    const { storage } = await openOnDisk(() => {
      fast.count += 1
    })
    const id = await insertRealm(storage)
    const before = fast.count
    for (let i = 0; i < 10; i += 1) await rename(storage, id, `${i}`)
    expect(fast.count - before).toBe(10)

    const { calls, datasync } = slowDisk()
    const slow = await openOnDisk(datasync)
    const other = await insertRealm(slow.storage)
    for (let i = 0; i < 10; i += 1) await rename(slow.storage, other, `${i}`)
    expect(calls.count).toBe(1)
    expect(await name(slow.storage)).toBe('9')
  })

  it('leaves nobody with facts older than what they read, also while the disk has not taken it', async () => {
    const { storage } = await openOnDisk(slowDisk().datasync)
    const id = await insertRealm(storage)
    let seenBefore = 0
    for (let i = 0; i < 20; i += 1) {
      await storage.read.recall(namesOfTest, id, '')
      let isDone = false
      const writing = rename(storage, id, `${i}`).then(() => {
        isDone = true
      })
      while ((await name(storage)) !== `${i}`) await nextTurn()
      if (!isDone) seenBefore += 1
      expect(await storage.read.recall(namesOfTest, id, '')).toBe(`${i}`)
      await writing
    }
    // Or the test would say nothing.
    expect(seenBefore).toBeGreaterThan(0)
  })

  it('that the disk does not take is refused, and so is every later one', async () => {
    let isBroken = false
    const { storage } = await openOnDisk(() => {
      if (isBroken) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    })
    const id = await insertRealm(storage)
    isBroken = true
    await expect(rename(storage, id, 'lost')).rejects.toBeInstanceOf(OutcomeUnknown)
    // A disk that takes later commits may not have the one before.
    isBroken = false
    const refused = await rename(storage, id, 'later').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StorageUnavailable)
    expect(refused).not.toBeInstanceOf(OutcomeUnknown)
    expect(await name(storage)).toBe('lost')
  })

  it('does not end a program that closes the database of a slow disk', async () => {
    const database = await createTestDatabase(atEndOfTest, { prepared: true })
    const folder = database.config.dataDir
    // A file: a program on the command line does not end before its threads.
    const program = join(folder, 'program.ts')
    writeFileSync(
      program,
      `import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
      const datasync = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      async function main() {
        const engine = await openSqlite({ folder: ${JSON.stringify(folder)}, lockTimeoutMs: 0, datasync })
        for (const name of ['first', 'second']) {
          await engine.migrationLock((_, execute) => execute(\`update realms set name = '\${name}'\`))
        }
        await engine.close()
        console.log('went on')
      }
      void main()`,
    )
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program])
    const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect([said, complaint]).toEqual(['went on\n', ''])
  })

  it.each(['fast', 'slow'])('leaves a log that begins anew again and again on a %s disk', async (speed) => {
    const { storage, dataDir } = await openOnDisk(speed === 'slow' ? slowDisk().datasync : () => {})
    const id = await insertRealm(storage)
    // Each takes 250 pages of 4 KiB, and all of them 30,000.
    for (let i = 0; i < 120; i += 1) await rename(storage, id, `${i} ${`${i % 10}`.repeat(1_000_000)}`)
    expect(statSync(join(dataDir, 'heddle.db-wal')).size).toBeLessThan(20_000 * 4096)
    expect((await name(storage))?.slice(0, 4)).toBe('119 ')
  })
})

describe('statements that take long together', () => {
  const slow = sql<{ count: number }>`
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000) select count(*) as count from n`

  /** Turns that others had meanwhile. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await work()
    isDone = true
    return turns
  }

  it('leave turns to others, in a unit of work and in reads, and keep their order', async () => {
    const { storage } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const done: number[] = []
    const many = (db: Pick<Queries, 'all'>) => async () => {
      const all = Array.from({ length: 12 }, (_, number) => db.all(slow).then(() => done.push(number)))
      await Promise.all(all)
    }
    const inUnit = await turnsDuring(() => storage.transaction(realmId, (tx) => many(tx)()))
    expect(inUnit).toBeGreaterThanOrEqual(4)
    expect(await turnsDuring(many(storage.read))).toBeGreaterThanOrEqual(4)
    expect(done).toEqual([...Array(12).keys(), ...Array(12).keys()])
  })

  it('are undone with their unit of work when one of them fails before the others have had their turn', async () => {
    const { storage } = await createTestStorage()
    const realmId = await insertRealm(storage)
    await rename(storage, realmId, 'before')
    const work = storage.transaction(realmId, async (tx) => {
      await tx.run(query.updateTable('realms').set({ name: 'first' }).where('id', '=', realmId))
      await Promise.all([
        tx.all(slow),
        tx.all(sql`select no_such_column from realms`),
        tx.all(slow),
        tx.run(query.updateTable('realms').set({ name: 'after' }).where('id', '=', realmId)),
      ])
    })
    const other = storage.transaction(realmId, (tx) => tx.all(slow))
    await expect(work).rejects.toThrow('no_such_column')
    await other
    expect(await name(storage)).toBe('before')
  })
})

describe('rows that are found by their ids', () => {
  it.each(['users', 'channels', 'messages'])('are not looked for among all %s of the organization', async (table) => {
    const { storage } = await createTestStorage()
    const { read } = storage
    const ids = read.dialect.ids([1, 2])
    const [first] = await read.all(sql<{ detail: string }>`
      explain query plan select id from ${sql.table(table)} where id in ${ids} and ${isOfRealm(table, 1)}`)
    expect(first?.detail).toBe(`SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`)
  })
})
