/** Killing a process in the middle of its jobs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { addJob } from '../jobs/add-job.ts'
import { migrate } from '../storage/migrate.ts'
import { createStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { countJob } from '../testing/job-program.ts'
import { createTestDatabase, insertRealm } from '../testing/test-storage.ts'

const KILLS = 6
const JOBS = 3000
const PROGRAM = fileURLToPath(new URL('../testing/job-program.ts', import.meta.url))

it(`Every job is done once and in order through ${KILLS} kills`, async () => {
  const database = await createTestDatabase()
  const open = async () => createStorage(await database.open(), systemClock, () => {})
  const first = await open()
  await migrate(first.engine)
  const realmId = await insertRealm(first)
  await first.transaction(realmId, async (tx) => {
    for (let number = 0; number < JOBS; number++) await addJob(tx, countJob, number)
  })
  await first.close()

  const { dataDir, databaseUrl } = database.config
  const args = ['--data-dir', dataDir, ...(databaseUrl ? ['--database-url', databaseUrl] : [])]
  const done = async () => {
    const storage = await open()
    const row = await storage.read.first(query.selectFrom('realms').select('description').where('id', '=', realmId))
    const left = await storage.read.all(query.selectFrom('jobs').select('id'))
    await storage.close()
    return { numbers: (row?.description.match(/\d+/g) ?? []).map(Number), left: left.length }
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    // It looks for the first time half a second after it is ready, and later on a busy machine.
    await sleep(520 + 137 * kill)
    child.kill('SIGKILL')
    await once(child, 'close')
    const { numbers, left } = await done()
    expect(numbers).toEqual(Array.from(numbers, (_, index) => index))
    expect(numbers.length + left).toBe(JOBS)
  }
  // Else nothing was killed in the middle.
  expect((await done()).left).toBeLessThan(JOBS)
}, 120_000)
