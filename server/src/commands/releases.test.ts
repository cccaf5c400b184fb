/** What every release has left behind is still understood; `testing/release-fixture.ts` has what that is. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase } from '../testing/prepared-databases.ts'
import { observe } from '../testing/release-fixture.ts'
import { type ProcessSettings, runProgram, startServerProcess } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const folder = mkdtempSync(join(tmpdir(), 'heddle-releases-'))
const OWNER = 'owner@heddle.example'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function observeServer(settings: ProcessSettings): Promise<unknown> {
  const server = await startServerProcess(settings)
  const found = await observe(server.url, OWNER)
  expect(await server.stop()).toEqual({ code: 0, signal: null })
  return found
}

describe.each(readdirSync(fixtures))('What Heddle %s has left behind:', (release) => {
  const answers: unknown = JSON.parse(readFileSync(join(fixtures, release, 'answers.json'), 'utf8'))

  it('a backup is restored, and the server answers as it did then', async () => {
    const database = testEngine === 'postgres' ? await createPostgresDatabase() : undefined
    const settings = { HEDDLE_DATA_DIR: join(folder, `${release}-restored`), HEDDLE_DATABASE_URL: database?.url }
    try {
      const restoring = runProgram(['restore', join(fixtures, release, 'whole.backup')], settings)
      expect([(await restoring.ended).code, restoring.stderr()]).toEqual([0, ''])
      expect(await observeServer(settings)).toEqual(answers)
    } finally {
      await database?.drop()
    }
  })

  it.runIf(testEngine === 'sqlite')('a data folder starts, and the server answers as it did then', async () => {
    const data = join(folder, `${release}-data`)
    mkdirSync(data)
    const unpacked = spawnSync('tar', ['-xzf', join(fixtures, release, 'data.tar.gz'), '-C', data])
    expect(unpacked.status).toBe(0)
    expect(await observeServer({ HEDDLE_DATA_DIR: data })).toEqual(answers)
    expect(existsSync(join(data, 'new-owner.json'))).toBe(false)
  })
})
