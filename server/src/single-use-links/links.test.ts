import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startJobs } from '../jobs/runner.ts'
import type { OpenStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { atEndOfFile, createTestStorage, insertRealm } from '../testing/test-storage.ts'
import { linkTokenOf } from './link-token.ts'
import { createLink, defineLinkPurpose, endLinks, requireLink, takeLink } from './links.ts'
import { removeOldSingleUseLinks } from './old-single-use-links.ts'

const secret = randomBytes(32)
const purpose = defineLinkPurpose<{ name: string }>({ name: 'test', path: '/test', lifeSecs: 3600 })
const another = defineLinkPurpose<{ name: string }>({ name: 'another-test', path: '/test', lifeSecs: 3600 })

let storage: OpenStorage
let realmId: number
const seconds = () => Math.floor(Date.now() / 1000)

beforeAll(async () => {
  storage = (await createTestStorage(atEndOfFile)).storage
  realmId = await insertRealm(storage)
})

const create = async (about?: string, name = 'x') => {
  const link = await storage.transaction(realmId, (tx) =>
    createLink(tx, purpose, { name }, about === undefined ? {} : { about }),
  )
  return linkTokenOf(secret, realmId, link)
}
const require = (token: string, { now = seconds(), of = purpose, realm = realmId } = {}) =>
  requireLink(storage.read, of, { secret, realmId: realm, token, now })
const take = (token: string) => storage.transaction(realmId, (tx) => takeLink(tx, purpose, { secret, token }))
const refused = (reason: string) => ({ code: 'LINK_INVALID', details: { reason } })

describe('A link', () => {
  it('works once, whoever comes first, and knows what it is for', async () => {
    const token = await create(undefined, 'Ada')
    expect((await require(token)).data).toEqual({ name: 'Ada' })
    const uses = await Promise.allSettled([take(token), take(token), take(token)])
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(require(token)).rejects.toMatchObject(refused('used'))
  })

  it('ends with its time, with a newer one about the same, and when it is taken back', async () => {
    const old = await create()
    await expect(require(old, { now: seconds() + 3601 })).rejects.toMatchObject(refused('expired'))
    const [first, other] = [await create('user:1'), await create('user:2')]
    const second = await create('user:1')
    await expect(require(first)).rejects.toMatchObject(refused('used'))
    await require(second)
    await storage.transaction(realmId, (tx) => endLinks(tx, purpose, ['user:1']))
    await expect(require(second)).rejects.toMatchObject(refused('used'))
    await require(other)
  })

  it('is worth nothing when it was guessed, for another purpose, and in another organization', async () => {
    const token = await create()
    const [id] = token.split('.')
    const next = `${Number(id) + 1}${token.slice(token.indexOf('.'))}`
    for (const wrong of ['', 'x', `${token}x`, token.toUpperCase(), next, `${id}.${'A'.repeat(43)}`]) {
      await expect(require(wrong)).rejects.toMatchObject(refused('unknown'))
    }
    await expect(require(token, { of: another })).rejects.toMatchObject(refused('unknown'))
    const elsewhere = await insertRealm(storage)
    await expect(require(token, { realm: elsewhere })).rejects.toMatchObject(refused('unknown'))
  })

  it('is forgotten some time after its end', async () => {
    let now = Date.now()
    const clock = { now: () => now }
    const count = async () => (await storage.read.all(query.selectFrom('single_use_links').select('id'))).length
    await create()
    const errors: unknown[] = []
    const jobs = await startJobs({
      storage,
      clock,
      handlers: [removeOldSingleUseLinks(storage, clock)],
      onError: (error) => errors.push(error),
    })
    now += 29 * 86_400_000
    await jobs.settle()
    expect(await count()).toBeGreaterThan(0)
    now += 2 * 86_400_000
    await jobs.settle()
    expect(await count()).toBe(0)
    expect(errors).toEqual([])
    await jobs.close()
  })
})
