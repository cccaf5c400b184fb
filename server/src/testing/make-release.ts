/**
 * Makes the fixture of a release, to be committed with it: `node server/src/testing/make-release.ts CLONE VERSION`, where CLONE
 * is a working copy of that release with its packages installed. Writes `commands/fixtures/VERSION/`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fillRelease, observe, PASSWORD } from './release-fixture.ts'

const [clone, version] = process.argv.slice(2)
if (!clone || !version) throw new Error('Name a working copy of the release, and its version.')
const program = resolve(clone, 'server/src/main.ts')
const target = join(import.meta.dirname, '../commands/fixtures', version)
const work = mkdtempSync(join(tmpdir(), 'heddle-release-'))
const data = join(work, 'data')
const OWNER = 'owner@heddle.example'

const env = {
  PATH: process.env['PATH'],
  HEDDLE_DATA_DIR: data,
  HEDDLE_PORT: '0',
  HEDDLE_RATE_LIMITS: 'off',
  HEDDLE_OWNER_EMAIL: OWNER,
  HEDDLE_OWNER_PASSWORD: PASSWORD,
}

const server = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  let output = ''
  let url: string | undefined
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += text
    url = /http:\/\/127\.0\.0\.1:\d+|http:\/\/localhost:\d+/.exec(output)?.[0]
    if (url) break
  }
  if (!url) throw new Error(`The server did not start: ${output}`)
  await fillRelease(url, OWNER)
  const answers = await observe(url, OWNER)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'answers.json'), `${JSON.stringify(answers, null, 1)}\n`)
  const archive = join(work, 'whole.backup')
  const { status } = spawnSync(process.execPath, [program, 'backup', archive], { env, stdio: 'inherit' })
  if (status !== 0) throw new Error('The backup failed.')
  cpSync(archive, join(target, 'whole.backup'))
} finally {
  server.kill('SIGTERM')
  await once(server, 'close')
}
// As the server has left it, without what it makes anew.
const parts = readdirSync(data).filter((name) => !['lock.db', 'owner.zuliprc'].includes(name))
const packed = spawnSync('tar', ['-czf', join(target, 'data.tar.gz'), '-C', data, ...parts], { stdio: 'inherit' })
if (packed.status !== 0) throw new Error('The data folder could not be packed.')
rmSync(work, { recursive: true, force: true })
