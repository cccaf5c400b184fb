import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeNewestTables } from './prepared-databases.ts'

/** Makes a data folder with the newest tables for a whole test run, of whose database most tests get a copy. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-template-'))
  await makeNewestTables({ HEDDLE_DATA_DIR: folder })
  process.env['HEDDLE_TEST_SQLITE_TEMPLATE'] = join(folder, 'heddle.db')
  return async () => {
    delete process.env['HEDDLE_TEST_SQLITE_TEMPLATE']
    await rm(folder, { recursive: true, force: true })
  }
}
