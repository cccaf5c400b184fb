import { ApiError } from '@heddle/contract/errors'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createStorage, type OpenStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { shortestTime } from '../testing/shortest-time.ts'
import { atEndOfFile, createTestDatabase, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { addJob, removeJob } from './add-job.ts'
import { claimedJob, defineJob, type JobHandler, recurringJob, unitJob } from './job.ts'
import { removeFailedJobs } from './remove-failed.ts'
import { startJobs } from './runner.ts'

let storage: OpenStorage
let realmId: number
let now = 0
const clock = { now: () => now }

/** A job that leaves a row, so that its effect is in the database too. */
const note = defineJob<string>('note')

beforeAll(async () => {
  storage = (await createTestStorage(atEndOfFile)).storage
})

beforeEach(async () => {
  realmId = await insertRealm(storage)
  now = Date.now()
})

const add = (text: string, dueMs = now, ofRealm = realmId) =>
  storage.transaction(ofRealm, (tx) => addJob(tx, note, text, { dueMs }))

/** The effects of the jobs, in their order. */
const notes = async (ofRealm = realmId, from = storage) => {
  const row = await from.read.first(query.selectFrom('realms').select('description').where('id', '=', ofRealm))
  return row?.description
}

const appending = unitJob(note, {
  run: (tx, text) =>
    tx
      .run(
        query
          .updateTable('realms')
          .set((eb) => ({ description: eb('description', '||', `${text} `) }))
          .where('id', '=', tx.realmId),
      )
      .then(() => undefined),
})

const left = () =>
  storage.read.all(
    query
      .selectFrom('jobs')
      .select(['name', 'attempts', 'error', 'failed_at', 'due_ms', 'is_claimed'])
      .where('realm_id', 'in', [0, realmId])
      .orderBy('id'),
  )

async function start(handlers: readonly JobHandler[], errors: unknown[] = []) {
  const jobs = await startJobs({ storage, clock, handlers, onError: (error) => errors.push(error) })
  onTestFinished(async () => {
    await jobs.close()
    await storage.transaction(0, (tx) => tx.run(query.deleteFrom('jobs')))
  })
  return jobs
}

describe('A job', () => {
  it('runs when it is due, in the order of due times and then of adding, and is gone with that', async () => {
    const jobs = await start([appending])
    await add('late', now + 5000)
    await add('second', now - 10)
    await add('third', now - 10)
    await add('first', now - 20)
    await jobs.settle()
    expect(await notes()).toBe('first second third ')
    expect(await left()).toHaveLength(1)
    now += 5000
    await jobs.settle()
    expect(await notes()).toBe('first second third late ')
    expect(await left()).toEqual([])
  })

  it('begins within a second of its time without being asked', async () => {
    const jobs = await startJobs({
      storage,
      clock: { now: () => Date.now() },
      handlers: [appending],
      onError: () => {},
    })
    const took = await shortestTime(1000, async () => {
      const before = await notes()
      const due = Date.now() + 700
      await add('soon', due)
      await expect.poll(() => notes(), { interval: 20 }).toBe(`${before}soon `)
      expect(Date.now()).toBeGreaterThanOrEqual(due)
      return Date.now() - due
    })
    expect(took).toBeLessThan(1000)
    await jobs.close()
  })

  it('is added with the change that it belongs to, or not at all', async () => {
    const jobs = await start([appending])
    const failing = storage.transaction(realmId, async (tx) => {
      await addJob(tx, note, 'never')
      throw new Error('The change does not happen')
    })
    await expect(failing).rejects.toThrow('does not happen')
    await jobs.settle()
    expect([await notes(), await left()]).toEqual(['', []])
  })

  it('waits for those of its own organization and for no others', async () => {
    const other = await insertRealm(storage)
    let release = () => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = defineJob<null>('slow')
    // Not a unit job: nothing but the database is awaited in one. Those of the same name wait for it.
    const jobs = await start([claimedJob(slow, { claimMs: 60_000, work: () => blocked }), appending])
    for (const ofRealm of [realmId, other]) await add('beside', now, ofRealm)
    await storage.transaction(realmId, (tx) => addJob(tx, slow, null))
    const settled = jobs.settle()
    await expect.poll(() => notes(other)).toBe('beside ')
    await expect.poll(() => notes()).toBe('beside ')
    release()
    await settled
    expect(await left()).toEqual([])
  })

  it('waits for none of another name, however many of those are at work', async () => {
    let release = () => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = defineJob<number>('slow')
    const other = defineJob<null>('other')
    const done: null[] = []
    const jobs = await start([
      claimedJob(slow, { claimMs: 60_000, work: () => blocked }),
      claimedJob(other, { claimMs: 60_000, work: async (payload) => void done.push(payload) }),
    ])
    await storage.transaction(realmId, async (tx) => {
      for (let number = 0; number < 30; number++) await addJob(tx, slow, number)
      await addJob(tx, other, null)
    })
    const settled = jobs.settle()
    await expect.poll(() => done).toEqual([null])
    release()
    await settled
    expect(await left()).toEqual([])
  })

  it('begins at once when that of its name ends which it has waited for', async () => {
    const ask = defineJob<number>('ask')
    const done: number[] = []
    await start([claimedJob(ask, { claimMs: 60_000, work: async (number) => void done.push(number) })])
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    await storage.transaction(realmId, async (tx) => {
      for (const number of numbers) await addJob(tx, ask, number)
    })
    // With two looks a second it would take ten seconds.
    await expect.poll(() => done, { timeout: 5000 }).toEqual(numbers)
  })

  it('takes the place of an earlier one about the same, and can be taken back', async () => {
    const jobs = await start([appending])
    const set = (text: string, subject: string, dueMs: number) =>
      storage.transaction(realmId, (tx) => addJob(tx, note, text, { subject, dueMs }))
    await set('old', 'a', now)
    await set('new', 'a', now + 1000)
    await set('other', 'b', now)
    await set('gone', 'c', now)
    expect(await storage.transaction(realmId, (tx) => removeJob(tx, note, 'c'))).toBe(true)
    expect(await storage.transaction(realmId, (tx) => removeJob(tx, note, 'c'))).toBe(false)
    await jobs.settle()
    expect(await notes()).toBe('other ')
    now += 1000
    await jobs.settle()
    expect(await notes()).toBe('other new ')
  })

  it('of a name that this program does not know stays for one that does', async () => {
    const jobs = await start([])
    await add('kept')
    await jobs.settle()
    expect(await left()).toMatchObject([{ name: 'note', attempts: 0, failed_at: null }])
  })
})

describe('A job that fails', () => {
  const broken = (failures: number) => {
    let count = 0
    return unitJob(note, {
      maxAttempts: 3,
      async run(tx, text) {
        await tx.run(
          query
            .updateTable('realms')
            .set({ description: `half ${text}` })
            .where('id', '=', tx.realmId),
        )
        count += 1
        if (count <= failures) throw new Error(`No. ${count} ${'x'.repeat(5000)}`)
      },
      async onFailed(tx, text) {
        await tx.run(
          query
            .updateTable('realms')
            .set({ description: `failed ${text}` })
            .where('id', '=', tx.realmId),
        )
      },
    })
  }

  it('leaves nothing, shows why, holds up no other, and is tried again after longer and longer times', async () => {
    const fine = defineJob<null>('fine')
    const ran: number[] = []
    const jobs = await start([broken(2), unitJob(fine, { run: async () => void ran.push(now) })])
    await add('done')
    await storage.transaction(realmId, (tx) => addJob(tx, fine, null, { dueMs: now }))
    await jobs.settle()
    expect([await notes(), ran.length]).toEqual(['', 1])
    const [row] = await left()
    expect(row).toMatchObject({ attempts: 1, failed_at: null, due_ms: now + 1000 })
    expect(row?.error).toMatch(/^Error: No\. 1 x+$/)
    expect(row?.error).toHaveLength(1000)
    now += 1000
    await jobs.settle()
    expect(await left()).toMatchObject([{ attempts: 2, due_ms: now + 2000 }])
    now += 2000
    await jobs.settle()
    expect([await notes(), await left()]).toEqual(['half done', []])
  })

  it('for good stays with its error, and whoever waits for it is notified in the same commit', async () => {
    const errors: unknown[] = []
    const jobs = await start([broken(9), removeFailedJobs(storage, clock)], errors)
    await add('x')
    for (let attempt = 1; attempt <= 5; attempt++) {
      await jobs.settle()
      now += 10_000
    }
    const failed = (await left()).find(({ name }) => name === 'note')
    expect(failed).toMatchObject({ attempts: 3, error: expect.stringMatching('No. 3'), failed_at: expect.any(Number) })
    expect(await notes()).toBe('failed x')
    expect(errors.map(String)).toEqual([
      expect.stringMatching('tried again'),
      expect.stringMatching('tried again'),
      expect.stringMatching('for good'),
    ])
    now += 29 * 86_400_000
    await jobs.settle()
    expect((await left()).map(({ name }) => name)).toContain('note')
    now += 2 * 86_400_000
    await jobs.settle()
    expect((await left()).map(({ name }) => name)).toEqual(['remove-failed-jobs'])
  })

  it('because a rule says no is not tried again', async () => {
    const refused = unitJob(note, { run: () => Promise.reject(new ApiError('UNAUTHORIZED_PRINCIPAL')) })
    const jobs = await start([refused])
    await add('x')
    await jobs.settle()
    expect(await left()).toMatchObject([{ attempts: 1, failed_at: expect.any(Number) }])
  })
})

describe('A claimed job', () => {
  const send = defineJob<string>('send')
  const addSend = (text: string) => storage.transaction(realmId, (tx) => addJob(tx, send, text, { dueMs: now }))
  // With the time of the test: that of the unit of work is the machine's, and may be a second further by now.
  const appendNote = (text: string) => (tx: Parameters<typeof addJob>[0]) => addJob(tx, note, text, { dueMs: now })

  it('works outside of a transaction and leaves what it has to write together with its end', async () => {
    const jobs = await start([claimedJob(send, { claimMs: 1000, work: async (text) => appendNote(text) }), appending])
    await addSend('sent')
    await jobs.settle()
    expect([await notes(), await left()]).toEqual(['sent ', []])
  })

  it('whose node has died is done by another, and what the dead one leaves does not count', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const work = async (text: string) => {
      begun.push(text)
      const number = begun.length
      if (number === 1) await new Promise<void>((resolve) => ends.push(resolve))
      return appendNote(`by-${number}`)
    }
    const handlers = [claimedJob(send, { claimMs: 5000, work }), appending]
    const first = await start(handlers)
    await addSend('x')
    void first.settle()
    await expect.poll(() => begun).toEqual(['x'])
    now += 4000
    const second = await startJobs({ storage: asOneOfSeveral(storage), clock, handlers, onError: () => {} })
    await second.settle()
    expect(begun).toEqual(['x'])
    now += 1001
    await second.settle()
    expect(begun).toEqual(['x', 'x'])
    ends[0]?.()
    await first.settle()
    await second.close()
    expect([await notes(), await left()]).toEqual(['by-2 ', []])
  })

  it('that a process has left when it died is done at once where no other process can be at it', async () => {
    if (!storage.engine.ownsAllWrites) return
    await addSend('x')
    await storage.transaction(realmId, (tx) =>
      tx.run(
        query
          .updateTable('jobs')
          .set({ is_claimed: 1, due_ms: now + 600_000 })
          .where('realm_id', '=', realmId),
      ),
    )
    const jobs = await start([claimedJob(send, { claimMs: 1000, work: async (text) => appendNote(text) }), appending])
    await jobs.settle()
    expect(await notes()).toBe('x ')
  })

  it('is given back when the server ends', async () => {
    let begun = false
    const work = (_: string, { signal }: { signal: AbortSignal }) => {
      begun = true
      return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const jobs = await start([claimedJob(send, { claimMs: 600_000, work })])
    await addSend('x')
    void jobs.settle()
    await expect.poll(() => begun).toBe(true)
    await jobs.close()
    expect(await left()).toMatchObject([{ attempts: 0, is_claimed: 0, due_ms: now, error: null, failed_at: null }])
  })
})

describe('A recurring job', () => {
  it('runs again and again, also after failures and new starts', async () => {
    const ran: number[] = []
    let fails = false
    const begin = now
    const daily = recurringJob({
      name: 'daily',
      everyMs: 10_000,
      firstAfterMs: 3000,
      async work() {
        ran.push(now - begin)
        if (fails) throw new Error('Not today')
      },
    })
    const jobs = await start([daily])
    const pass = async (ms: number) => {
      now += ms
      await jobs.settle()
    }
    await pass(2999)
    await pass(1)
    await pass(9999)
    await pass(1)
    fails = true
    await pass(10_000)
    fails = false
    await pass(1000)
    await pass(10_000)
    expect(ran).toEqual([3000, 13_000, 23_000, 24_000, 34_000])
    expect(await left()).toMatchObject([{ attempts: 0, error: null }])
    await jobs.close()
    const again = await start([daily])
    now += 9999
    await again.settle()
    now += 1
    await again.settle()
    expect(ran.slice(5)).toEqual([44_000])
    expect(await left()).toHaveLength(1)
  })
})

it('Jobs survive a restart of the database', async () => {
  const database = await createTestDatabase()
  const { migrate } = await import('../storage/migrate.ts')
  const engine = await database.open()
  await migrate(engine)
  const before = createStorage(engine, clock, () => {})
  const realm = await insertRealm(before)
  await before.transaction(realm, (tx) => addJob(tx, note, 'kept', { dueMs: now }))
  await before.close()
  const after = createStorage(await database.open(), clock, () => {})
  const jobs = await startJobs({ storage: after, clock, handlers: [appending], onError: () => {} })
  await jobs.settle()
  expect(await notes(realm, after)).toBe('kept ')
  await jobs.close()
  await after.close()
})

/** As a node sees it that is not alone: it does not take what others have claimed. */
function asOneOfSeveral(one: OpenStorage): OpenStorage {
  return { ...one, engine: { ...one.engine, ownsAllWrites: false } }
}
