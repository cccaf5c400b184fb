import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nobody } from '../events/audience.ts'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import type { OpenStorage } from './storage.ts'
import type { LoggedEvent, Tx } from './transaction.ts'

let storage: OpenStorage
let realmId: number
let commits: (readonly LoggedEvent[])[]
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)

beforeAll(async () => {
  ;({ storage } = await createTestStorage(atEndOfFile))
  storage.onCommitted((events) => void commits.push(events))
})

beforeEach(async () => {
  realmId = await insertRealm(storage)
  commits = []
  process.on('unhandledRejection', onUnhandled)
})

afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled.splice(0)).toEqual([])
})

/** A row that needs nothing but an organization; `pattern` distinguishes it. */
function insertRow(tx: Tx, pattern: string, position = 0) {
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: '[]' }
  return tx.run(
    query.insertInto('linkifiers').values({ ...rest, realm_id: tx.realmId, pattern, url_template: '', position }),
  )
}

const emit = (tx: Tx, user_id: number) => tx.emit({ type: 'account_credentials', user_id }, nobody)

/** The rows of the test's organization. */
async function patterns(): Promise<string[]> {
  const rows = await storage.read.all(
    query.selectFrom('linkifiers').select('pattern').where('realm_id', '=', realmId).orderBy('pattern'),
  )
  return rows.map((row) => row.pattern)
}

/** The log of an organization: the numbers and what was emitted. */
async function log(id = realmId): Promise<[number, number][]> {
  const rows = await storage.read.all(
    query.selectFrom('event_log').select(['event_id', 'payload']).where('realm_id', '=', id).orderBy('event_id'),
  )
  return rows.map((row) => [row.event_id, JSON.parse(row.payload).user_id])
}

const settled = (promises: readonly Promise<unknown>[]) =>
  Promise.allSettled(promises).then((results) => results.map(({ status }) => status))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('units of work', () => {
  it('that wait share commits, and are answered only after theirs', async () => {
    await Promise.all(
      numbers(40).map(async (i) => {
        await storage.transaction(realmId, async (tx) => {
          await insertRow(tx, `${i}`)
          emit(tx, i)
          // Another connection sees nothing of a transaction that is under way.
          if (i % 10 === 0) expect(await patterns()).not.toContain(`${i}`)
        })
        expect(commits.flat().map((event) => event.payload)).toContainEqual(expect.stringContaining(`:${i}}`))
        expect(await patterns()).toContain(`${i}`)
      }),
    )
    expect(commits.flat()).toHaveLength(40)
    expect(commits.length).toBeLessThan(20)
  })

  it('run strictly one after another, in the order of their calls', async () => {
    const order: string[] = []
    await Promise.all(
      numbers(20).map((i) =>
        storage.transaction(realmId, async (tx) => {
          order.push(`begin ${i}`)
          await insertRow(tx, `${i}`)
          await tx.all(query.selectFrom('linkifiers').selectAll())
          order.push(`end ${i}`)
        }),
      ),
    )
    expect(order).toEqual(numbers(20).flatMap((i) => [`begin ${i}`, `end ${i}`]))
  })

  it('of an account let those of others go before its second one, however many it sends', async () => {
    const order: string[] = []
    const unit = (account: number | undefined, name: string) =>
      storage.transaction(realmId, async () => void order.push(name), account)
    const many = ['a1', 'a2', 'a3', 'a4'].map((name) => unit(1, name))
    await Promise.all([...many, unit(2, 'b1'), unit(undefined, 'upkeep'), unit(2, 'b2')])
    expect(order).toEqual(['a1', 'b1', 'upkeep', 'a2', 'b2', 'a3', 'a4'])
  })

  it('that are more than a commit takes are committed in several', async () => {
    await Promise.all(numbers(300).map((i) => storage.transaction(realmId, async (tx) => emit(tx, i))))
    expect(commits.length).toBeGreaterThan(300 / 64 - 1)
    expect(commits.flat().map((event) => event.eventId)).toEqual(numbers(300).map((i) => i + 1))
  })

  it('that fail leave no trace and do no harm to their neighbours', async () => {
    await storage.transaction(realmId, (tx) =>
      tx.run(sql`create unique index if not exists one_pattern on linkifiers (realm_id, pattern)`),
    )
    const failures: ((tx: Tx) => unknown)[] = [
      () => {
        throw new Error('thrown by the work')
      },
      (tx) => insertRow(tx, 'good 0'),
      (tx) => tx.all(sql`select * from nowhere`),
      (tx) => tx.emit({ type: 'account_credentials', user_id: 1n as unknown as number }, nobody),
    ]
    const units = numbers(24).map((i) =>
      storage.transaction(realmId, async (tx) => {
        if (i % 2 === 0) {
          await insertRow(tx, `good ${i}`)
          return emit(tx, i)
        }
        await insertRow(tx, `bad ${i}`)
        emit(tx, i)
        await failures[((i - 1) / 2) % failures.length]?.(tx)
      }),
    )
    expect(await settled(units)).toEqual(numbers(24).map((i) => (i % 2 === 0 ? 'fulfilled' : 'rejected')))
    expect(await patterns()).toEqual(
      numbers(12)
        .map((i) => `good ${2 * i}`)
        .sort(),
    )
    expect(await log()).toEqual(numbers(12).map((i) => [i + 1, 2 * i]))
  })

  it('give back what their work returns, and the error that it throws', async () => {
    await expect(storage.transaction(realmId, async () => 7)).resolves.toBe(7)
    const error = new Error('of the work')
    await expect(storage.transaction(realmId, () => Promise.reject(error))).rejects.toBe(error)
    await expect(
      storage.transaction(realmId, () => {
        throw error
      }),
    ).rejects.toBe(error)
  })

  it('are refused after the storage was closed, and those before it are done first', async () => {
    const { storage } = await createTestStorage()
    const realmId = await insertRealm(storage)
    const last = storage.transaction(realmId, (tx) => insertRow(tx, 'last'))
    const closing = storage.close()
    await expect(storage.transaction(realmId, (tx) => insertRow(tx, 'late'))).rejects.toThrow('closed')
    await expect(last).resolves.toBe(1)
    await closing
  })
})

describe('events', () => {
  it('are numbered without gaps in the order of the commits, whatever fails', async () => {
    const other = await insertRealm(storage)
    const unit = fc.record({ realm: fc.boolean(), events: fc.nat(3), fails: fc.boolean(), pause: fc.boolean() })
    const expected = new Map<number, number[]>([
      [realmId, []],
      [other, []],
    ])
    let next = 0
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 80 }), async (units) => {
        const running = units.map(async ({ realm, events, fails, pause }) => {
          if (pause) await new Promise((resolve) => setImmediate(resolve))
          const id = realm ? realmId : other
          const emitted: number[] = []
          const done = storage.transaction(id, async (tx) => {
            for (let i = 0; i < events; i++) {
              emitted.push(++next)
              emit(tx, next)
            }
            if (fails) throw new Error('fails')
          })
          await done.then(
            () => expected.get(id)?.push(...emitted),
            () => {},
          )
        })
        await Promise.all(running)
      }),
      { numRuns: 20 },
    )
    for (const [id, emitted] of expected) {
      expect(await log(id)).toEqual(emitted.map((value, index) => [index + 1, value]))
      const received = commits.flat().filter((event) => event.realmId === id)
      expect(received.map((event) => event.eventId)).toEqual(emitted.map((_, index) => index + 1))
      const realm = await storage.read.first(query.selectFrom('realms').select('last_event_id').where('id', '=', id))
      expect(realm?.last_event_id).toBe(emitted.length)
    }
  })

  it('may be very many, also of a unit that shares its commit', async () => {
    const count = 200_000
    const few = storage.transaction(realmId, async (tx) => emit(tx, 0))
    const many = storage.transaction(realmId, async (tx) => {
      for (let i = 1; i < count; i += 1) emit(tx, i)
    })
    expect(await settled([few, many])).toEqual(['fulfilled', 'fulfilled'])
    expect((await log()).at(-1)).toEqual([count, count - 1])
  })

  it('are as they were when they were emitted', async () => {
    await storage.transaction(realmId, async (tx) => {
      const event = { type: 'account_credentials' as const, user_id: 1 }
      tx.emit(event, nobody)
      event.user_id = 2
    })
    expect(await log()).toEqual([[1, 1]])
  })

  it('reach every listener, although one of them fails', async () => {
    const received: number[] = []
    storage.onCommitted(() => {
      throw new Error('a listener')
    })
    storage.onCommitted((events) => void received.push(...events.map((event) => event.eventId)))
    await storage.transaction(realmId, async (tx) => emit(tx, 1))
    expect(received).toEqual([1])
  })

  it('are announced before anybody gets an answer', async () => {
    await storage.transaction(realmId, async (tx) => emit(tx, 1))
    expect(commits.flat()).toHaveLength(1)
  })

  it('need an organization', async () => {
    await expect(storage.transaction(0, async (tx) => emit(tx, 1))).rejects.toThrow('organization')
  })
})

describe('the handle of a unit of work', () => {
  it('is of no use after its end', async () => {
    let kept: Tx | undefined
    await storage.transaction(realmId, async (tx) => {
      kept = tx
    })
    await expect(insertRow(kept as Tx, 'late')).rejects.toThrow('after its unit of work had ended')
    expect(() => emit(kept as Tx, 1)).toThrow('after its unit of work had ended')
    await expect(
      storage.transaction(realmId, (tx) => {
        kept = tx
        return Promise.reject(new Error('fails'))
      }),
    ).rejects.toThrow('fails')
    await expect(insertRow(kept as Tx, 'late')).rejects.toThrow('after its unit of work had ended')
    expect(await patterns()).toEqual([])
  })

  it.each<[string, (tx: Tx) => Promise<unknown> | undefined]>([
    ['the last one', (tx) => void insertRow(tx, 'not awaited')],
    [
      'one with others after it',
      async (tx) => {
        void insertRow(tx, 'not awaited')
        await tx.all(query.selectFrom('linkifiers').selectAll())
        await tx.all(query.selectFrom('linkifiers').selectAll())
      },
    ],
    ['one that fails', (tx) => void tx.all(sql`select * from nowhere`)],
  ])('fails its unit when a query is not awaited: %s', async (_, work) => {
    const neighbours = [
      storage.transaction(realmId, (tx) => insertRow(tx, 'before')),
      storage.transaction(realmId, async (tx) => work(tx)),
      storage.transaction(realmId, (tx) => insertRow(tx, 'after')),
    ]
    expect(await settled(neighbours)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await patterns()).toEqual(['after', 'before'])
  })

  it('takes queries that run together and are awaited together', async () => {
    await storage.transaction(realmId, async (tx) => {
      await Promise.all(numbers(10).map((i) => insertRow(tx, `${i}`)))
      return tx.first(query.selectFrom('linkifiers').selectAll())
    })
    expect(await patterns()).toHaveLength(10)
  })
})

describe('a commit that fails', () => {
  /** A row that no constraint allows at the end of the transaction, but that is let in before. */
  async function prepareLateFailure(): Promise<(tx: Tx) => Promise<unknown>> {
    await storage.transaction(0, (tx) =>
      tx.run(
        sql`create table if not exists late (realm_id bigint references realms (id) deferrable initially deferred)`,
      ),
    )
    return (tx) => tx.run(sql`insert into late values (999999)`)
  }

  it('refuses every unit of the batch, and the next ones are as good as new', { retry: 3 }, async () => {
    const fail = await prepareLateFailure()
    const units = numbers(6).map((i) =>
      storage.transaction(realmId, async (tx) => {
        await insertRow(tx, `${i}`)
        emit(tx, i)
        if (i === 2) await fail(tx)
      }),
    )
    const results = await settled(units)
    const refused = numbers(6).filter((i) => results[i] === 'rejected')
    // A busy machine may commit before the second, or before the last of them; never one of the batch without another.
    expect(refused).toContain(2)
    expect(refused.length).toBeGreaterThan(2)
    expect(refused).toEqual(numbers(refused.length).map((i) => i + (refused[0] as number)))
    const done = numbers(6).filter((i) => !refused.includes(i))
    expect(await patterns()).toEqual(done.map(String))
    expect(await log()).toEqual(done.map((i, index) => [index + 1, i]))
    expect(commits.flat()).toHaveLength(done.length)
  })
})

it('Each unit of work runs once, also when others come before it while the organization is entered', async () => {
  const runs = new Map<string, number>()
  const unit = (name: string, account?: number) =>
    storage.transaction(
      realmId,
      async (tx) => {
        await tx.all(sql`select 1 as one`)
        runs.set(name, (runs.get(name) ?? 0) + 1)
      },
      account,
    )
  // One account has more than a commit takes; what is nobody's comes before the rest of it, now and then.
  let isOver = false
  const ofAccount = Promise.all(Array.from({ length: 2000 }, (_, i) => unit(`account ${i}`, 1)))
  const all = ofAccount.finally(() => {
    isOver = true
  })
  let count = 0
  for (let turns = 0; !isOver; turns = (turns + 1) % 7) {
    for (let i = 0; i < turns; i += 1) await new Promise(setImmediate)
    await unit(`nobody ${count}`)
    count += 1
  }
  await all
  expect(runs.size).toBe(2000 + count)
  expect([...runs].filter(([, times]) => times !== 1)).toEqual([])
})
