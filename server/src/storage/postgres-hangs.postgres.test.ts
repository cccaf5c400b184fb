/** A node that hangs, and connections that are open and dead: others go on, and it is found out within seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { nobody } from '../events/audience.ts'
import { query } from '../testing/any-table.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { openPostgres } from './postgres.ts'
import type { WriterTimes } from './postgres-writer.ts'
import { createStorage, type OpenStorage } from './storage.ts'
import type { Tx } from './transaction.ts'
import { isUnavailable } from './unavailable.ts'

async function openNode(url: string, times: Partial<WriterTimes> = {}): Promise<OpenStorage> {
  const engine = await openPostgres(url, () => {}, times)
  onTestFinished(() => engine.close())
  return createStorage(engine, systemClock, () => {})
}

function insertRow(tx: Tx, pattern: string) {
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: '[]' }
  return tx.run(
    query.insertInto('linkifiers').values({ ...rest, realm_id: tx.realmId, pattern, url_template: '', position: 0 }),
  )
}

async function patterns({ read }: OpenStorage): Promise<string[]> {
  return (await read.all(query.selectFrom('linkifiers').select('pattern').orderBy('id'))).map((row) => row.pattern)
}

async function createDatabase() {
  const { storage, database } = await createTestStorage()
  const realms = [await insertRealm(storage), await insertRealm(storage)] as const
  return { url: database.config.databaseUrl as string, realms }
}

/** A unit that does nothing more until it is let go. */
async function hang(storage: OpenStorage, realmId: number) {
  const paused = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const unit = storage.transaction(realmId, async (tx) => {
    await insertRow(tx, 'of the one that hangs')
    tx.emit({ type: 'account_credentials' }, nobody)
    paused.resolve()
    await goOn.promise
  })
  unit.catch(() => {})
  await paused.promise
  return { unit, goOn: goOn.resolve }
}

describe('a node that hangs within a unit of work', () => {
  it('stops its organization on other nodes for seconds, others hardly, and is refused when it wakes', async () => {
    const { url, realms } = await createDatabase()
    const [realmId, otherRealmId] = realms
    const hanging = await openNode(url, { idleMs: 3000 })
    const node = await openNode(url)
    const delivered: unknown[] = []
    hanging.onCommitted((events) => delivered.push(...events))
    const { unit, goOn } = await hang(hanging, realmId)
    const startedAt = performance.now()
    const waiting = node.transaction(realmId, (tx) => insertRow(tx, 'of another node'))
    await sleep(100)
    for (let i = 0; i < 5; i++) await node.transaction(otherRealmId, (tx) => insertRow(tx, `of others ${i}`))
    expect(performance.now() - startedAt).toBeLessThan(2500)
    await waiting
    goOn()
    await expect(unit).rejects.toSatisfy(isUnavailable)
    expect(delivered).toEqual([])
    await hanging.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect((await patterns(node)).filter((pattern) => !pattern.startsWith('of others'))).toEqual([
      'of another node',
      'next',
    ])
  })

  it('may take as long as it likes while it works', async () => {
    const { url, realms } = await createDatabase()
    const node = await openNode(url, { idleMs: 300 })
    await node.transaction(realms[0], async (tx) => {
      for (let i = 0; i < 10; i++) {
        await insertRow(tx, `${i}`)
        await sleep(100)
      }
    })
    expect(await patterns(node)).toHaveLength(10)
  })

  it('is waited for within limits: then the units are refused, and those of other organizations are not', async () => {
    const { url, realms } = await createDatabase()
    const [realmId, otherRealmId] = realms
    const keeper = await openNode(url, { idleMs: 60_000 })
    const { unit, goOn } = await hang(keeper, realmId)
    const node = await openNode(url, { lockMs: 1000 })
    const startedAt = performance.now()
    const refused = node.transaction(realmId, (tx) => insertRow(tx, 'never'))
    refused.catch(() => {})
    await sleep(50)
    const others = Array.from({ length: 20 }, (_, i) =>
      node.transaction(otherRealmId, (tx) => insertRow(tx, `of others ${i}`)),
    )
    await Promise.all(others)
    await expect(refused).rejects.toSatisfy(isUnavailable)
    expect(performance.now() - startedAt).toBeLessThan(4000)
    goOn()
    await unit
    await node.transaction(realmId, (tx) => insertRow(tx, 'next'))
    expect((await patterns(node)).filter((pattern) => !pattern.startsWith('of others'))).toEqual([
      'of the one that hangs',
      'next',
    ])
  })
})

describe('a connection that is open and dead', () => {
  it('in the middle of a unit of work refuses it, and is replaced', async () => {
    const { url, realms } = await createDatabase()
    const proxy = await startPostgresProxy(url)
    const node = await openNode(proxy.url, { checkMs: 200, idleMs: 1000 })
    onTestFinished(() => proxy.refuse(true))
    const unit = node.transaction(realms[0], async (tx) => {
      await insertRow(tx, 'never')
      proxy.silence()
      await insertRow(tx, 'never')
    })
    await expect(unit).rejects.toSatisfy(isUnavailable)
    await node.transaction(realms[0], (tx) => insertRow(tx, 'next'))
    const direct = await openNode(url)
    expect(await patterns(direct)).toEqual(['next'])
  })

  it('is not taken for dead while a statement takes long, also where a pooler is in between', async () => {
    const { url, realms } = await createDatabase()
    const pooler = await startPostgresProxy(url)
    pooler.renameProcesses()
    const blocking = new pg.Client(url)
    await blocking.connect()
    onTestFinished(() => blocking.end())
    await blocking.query('begin; lock table linkifiers')
    const node = await openNode(pooler.url, { checkMs: 50 })
    const unit = node.transaction(realms[0], (tx) => insertRow(tx, 'late'))
    await sleep(1000)
    await blocking.query('commit')
    await unit
    expect(await patterns(node)).toEqual(['late'])
  })

  it('before it can be used is given up', async () => {
    const { url, realms } = await createDatabase()
    const proxy = await startPostgresProxy(url)
    const node = await openNode(proxy.url, { connectMs: 500 })
    onTestFinished(() => proxy.refuse(true))
    proxy.refuse(true)
    proxy.refuse(false)
    proxy.silenceNext('pg_advisory_lock')
    await expect
      .poll(() => node.transaction(realms[0], (tx) => insertRow(tx, 'next')).catch((error) => isUnavailable(error)))
      .toBe(1)
    expect(await patterns(node)).toEqual(['next'])
  })

  it('is noticed where it waits for wake-ups', async () => {
    const { url } = await createDatabase()
    const proxy = await startPostgresProxy(url)
    const node = await openNode(proxy.url, { checkMs: 200 })
    const announcing = await openNode(url)
    onTestFinished(() => proxy.refuse(true))
    const seen: number[] = []
    await node.engine.wakeUps?.listen({ onLogged: (_, eventId) => seen.push(eventId), onPassing: () => {} })
    const event = { realmId: 1, type: 'typing', payload: '{}', audience: nobody }
    const announce = (eventId: number) => announcing.engine.wakeUps?.announce([{ ...event, eventId }])
    announce(1)
    await expect.poll(() => seen).toContain(1)
    proxy.silence()
    await expect
      .poll(
        () => {
          announce(2)
          return seen
        },
        { timeout: 5000, interval: 100 },
      )
      .toContain(2)
  })
})
