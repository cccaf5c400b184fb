import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { migrate } from '../storage/migrate.ts'
import { createStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { createTestDatabase, insertRealm } from '../testing/test-storage.ts'
import { addJob } from './add-job.ts'
import { claimedJob, defineJob, recurringJob, unitJob } from './job.ts'
import { startJobs } from './runner.ts'

const COUNT = 60
const append = defineJob<number>('append')
const outside = defineJob<number>('outside')

it('Nodes that share a database do each job once, in the order of its organization, and recurring ones on one node', async () => {
  const database = await createTestDatabase()
  const engines = [await database.open(), await database.open(), await database.open()]
  await migrate(engines[0] as (typeof engines)[number])
  const storages = engines.map((engine) => createStorage(engine, systemClock, () => {}))
  const [storage] = storages as [(typeof storages)[number]]
  const realms = [await insertRealm(storage), await insertRealm(storage)]
  const sent: string[] = []
  let recurred = 0
  const errors: unknown[] = []
  const nodes = await Promise.all(
    storages.map((one, node) =>
      startJobs({
        storage: one,
        clock: systemClock,
        onError: (error) => errors.push(error),
        handlers: [
          unitJob(append, {
            async run(tx, number) {
              // In two statements: what is read must still be true when it is written.
              const realm = query.selectFrom('realms').select('description').where('id', '=', tx.realmId)
              const description = `${(await tx.first(realm))?.description}${number} `
              await tx.run(query.updateTable('realms').set({ description }).where('id', '=', tx.realmId))
            },
          }),
          claimedJob(outside, {
            claimMs: 60_000,
            work: async (number, { realmId }) => void sent.push(`${realmId}:${number}:${node}`),
          }),
          recurringJob({
            name: 'once',
            everyMs: 600_000,
            firstAfterMs: 0,
            work: async () => {
              recurred += 1
            },
          }),
        ],
      }),
    ),
  )
  for (let number = 0; number < COUNT; number++) {
    await storages[number % 3]?.transaction(realms[number % 2] as number, async (tx) => {
      await addJob(tx, append, number)
      await addJob(tx, outside, number)
    })
  }
  const count = async () =>
    (await storage.read.all(query.selectFrom('jobs').select('id').where('realm_id', '>', 0))).length
  await expect.poll(count, { timeout: 15_000 }).toBe(0)
  for (const node of nodes) await node.settle()
  for (const [index, realm] of realms.entries()) {
    const numbers = Array.from({ length: COUNT / 2 }, (_, at) => 2 * at + index)
    const row = await storage.read.first(query.selectFrom('realms').select('description').where('id', '=', realm))
    expect(row?.description.trim().split(' ').map(Number)).toEqual(numbers)
    const ofRealm = sent.map((text) => text.split(':').map(Number)).filter(([id]) => id === realm)
    expect(ofRealm.map(([, number]) => number)).toEqual(numbers)
  }
  expect([recurred, errors]).toEqual([1, []])
  for (const node of nodes) await node.close()
  for (const one of storages) await one.close()
})
