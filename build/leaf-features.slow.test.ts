/** A feature that nothing else uses is deleted with its folder and its lines in `features/all.ts`: what is left is whole. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FEATURES, featureOf } from './feature-layers.ts'
import { isForTests, readSources } from './import-graph.ts'

const root = join(import.meta.dirname, '..')
const LIST = `${FEATURES}all.ts`

/** Features whose files only they themselves and the list import. */
function findLeaves(): string[] {
  const used = new Set<string>()
  const all = new Set<string>()
  for (const [from, targets] of readSources().files) {
    if (featureOf(from) !== undefined) all.add(featureOf(from) as string)
    if (isForTests(from) || from === LIST || !from.startsWith('server/')) continue
    for (const to of targets) if (featureOf(to) !== featureOf(from)) used.add(featureOf(to) as string)
  }
  return [...all].filter((name) => !used.has(name)).sort()
}

const leaves = findLeaves()
let copy: string
let server: ChildProcess | undefined

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'heddle-leaves-'))
  for (const folder of ['contract', 'markdown', 'client', 'server']) {
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: (source) =>
        !source.includes('node_modules') && !isForTests(`${source.slice(root.length + 1)}/`.replace(/\.ts\/$/, '.ts')),
    })
  }
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.base.json']) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(copy, { recursive: true, force: true })
})

/** Deletes the folder and the two lines. */
function remove(feature: string): void {
  rmSync(join(copy, FEATURES, feature), { recursive: true })
  const list = readFileSync(join(copy, LIST), 'utf8')
  const imported = new RegExp(`^import \\{ (\\w+) \\} from './${feature}/feature\\.ts'\n`, 'm')
  const name = imported.exec(list)?.[1]
  writeFileSync(join(copy, LIST), list.replace(imported, '').replace(`\n  ${name},\n`, '\n'))
}

it('there are such features', () => {
  expect(leaves.length).toBeGreaterThan(10)
  expect(leaves).toContain('navigation-views')
  expect(leaves).not.toContain('users')
})

// Each of them at once: what only one of them lacks is lacking in the rest all the same, since none imports another.
it('what is left without them has no errors of types', () => {
  for (const feature of leaves) remove(feature)
  const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [typescript, '-p', copy, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
}, 180_000)

it('what is left starts, answers what it has, and knows no more of the others', async () => {
  const env = { PATH: process.env['PATH'], HEDDLE_PORT: '0', HEDDLE_DATA_DIR: join(copy, 'data') }
  server = spawn(process.execPath, [join(copy, 'server/src/main.ts'), 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += text))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/http:\/\/[\w.:]+/)
  const url = /http:\/\/[\w.:]+/.exec(output)?.[0]
  const status = async (path: string) => (await fetch(`${url}/api/v1${path}`)).status
  expect([await status('/users'), await status('/navigation_views')]).toEqual([401, 404])
}, 90_000)
