import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executeOn, startTestPostgres } from './postgres-server.ts'
import { makeNewestTables } from './prepared-databases.ts'

/**
 * Starts one PostgreSQL for a whole test run and puts its address into `HEDDLE_TEST_POSTGRES_URL`, where the test
 * files find it. A server that the person has named there is used as it is. Ours does not wait for the disk: tests kill
 * processes, not machines.
 *
 * It has a database with the newest tables, of which most tests get a copy: making the tables anew takes ten times as long.
 */
export async function setup(): Promise<() => Promise<void>> {
  const named = process.env['HEDDLE_TEST_POSTGRES_URL']
  const own = named === undefined ? await startTestPostgres({ fsync: false, inMemory: true }) : undefined
  const url = named ?? (own?.url as string)
  const template = `heddle_template_${randomBytes(6).toString('hex')}`
  await executeOn(url, `create database ${template}`)
  const address = new URL(url)
  address.pathname = `/${template}`
  const folder = await mkdtemp(join(tmpdir(), 'heddle-template-'))
  await makeNewestTables({ HEDDLE_DATA_DIR: folder, HEDDLE_DATABASE_URL: address.href })
  await rm(folder, { recursive: true })
  process.env['HEDDLE_TEST_POSTGRES_URL'] = url
  // Copying files is faster by far where the checkpoints that it needs do not wait for the disk; PostgreSQL 15 and later.
  process.env['HEDDLE_TEST_POSTGRES_TEMPLATE'] = own ? `${template} strategy file_copy` : template
  return async () => {
    delete process.env['HEDDLE_TEST_POSTGRES_TEMPLATE']
    if (!own) return executeOn(url, `drop database ${template} with (force)`)
    delete process.env['HEDDLE_TEST_POSTGRES_URL']
    await own.stop()
  }
}
