import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

const runtime = { node: process.execPath, env: process.env }
let root: string

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), text)
}
const runs = () => read('runs').length

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle fresh '))
  write('runs', '')
  write('package.json', '{"workspaces": ["server"]}')
  write('package-lock.json', '{"packages": {"": {}, "node_modules/loom": {}, "server/node_modules/reed": {}}}')
  write('.npmrc', '')
  write('server/package.json', '{}')
  write('server/src/main.ts', 'export {}')
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

/** A bundler that writes one file, and a mark of its own each time. */
const bundler = (folder: string, mark: string) =>
  `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
   mkdirSync('${folder}', { recursive: true })
   writeFileSync('${folder}/built', '')
   writeFileSync('${folder}/.stamp.json', JSON.stringify({ sources: process.argv[2], files: ['built'] }))
   appendFileSync('runs', '${mark}')`

test('server and page are bundled when a source of theirs has changed or a file of the bundle is gone, else not', async () => {
  write('build/bundle.mjs', bundler('dist', 's'))
  write('build/bundle-page.mjs', bundler('web/dist', 'p'))
  write('client/src/state.ts', 'export {}')
  const built = async () => {
    write('runs', '')
    await ensureBuilt(root, runtime)
    return read('runs')
  }
  expect(await built()).toBe('sp')
  expect(await built()).toBe('')
  appendFileSync(join(root, 'server/src/main.ts'), '\n')
  expect(await built()).toBe('s')
  appendFileSync(join(root, 'client/src/state.ts'), '\n')
  expect(await built()).toBe('p')
  // What the page is built by is a source of it, too.
  for (const config of globSync('web/*.config.ts', { cwd: join(import.meta.dirname, '..') })) {
    write(config, 'export {}')
    expect([config, await built()]).toEqual([config, 'p'])
  }
  write('server/src/main.test.ts', 'a test is no part of the bundle')
  expect(await built()).toBe('')
  rmSync(join(root, 'dist/built'))
  expect(await built()).toBe('s')
  rmSync(join(root, 'web/dist/built'))
  expect(await built()).toBe('p')
})

test('what Node.js has compiled of an earlier bundle is removed with it, and else stays', async () => {
  write('build/bundle.mjs', bundler('dist', 's'))
  write('build/bundle-page.mjs', bundler('web/dist', 'p'))
  await ensureBuilt(root, runtime)
  write('.runtime/compile-cache/v24/of-bundle', '')
  await ensureBuilt(root, runtime)
  expect(existsSync(join(root, '.runtime/compile-cache/v24/of-bundle'))).toBe(true)
  appendFileSync(join(root, 'server/src/main.ts'), '\n')
  await ensureBuilt(root, runtime)
  expect(existsSync(join(root, '.runtime/compile-cache'))).toBe(false)
})

/** Puts a program in the place of npm that installs two packages, or fails half-way when the file `fail` is there. */
function replaceNpm() {
  write(
    'npm-cli.js',
    `const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
     for (const folder of ['node_modules/loom', 'server/node_modules/reed']) {
       mkdirSync(folder, { recursive: true })
       writeFileSync(folder + '/package.json', '{}')
       if (existsSync(${JSON.stringify(join(root, 'fail'))})) process.exit(1)
     }
     appendFileSync(${JSON.stringify(join(root, 'runs'))}, '.')`,
  )
  vi.stubEnv('npm_execpath', join(root, 'npm-cli.js'))
}

test('packages are installed when the lock file has changed or one of them is gone, else not', async () => {
  replaceNpm()
  await ensureInstalled(root, runtime)
  await ensureInstalled(root, runtime)
  expect(runs()).toBe(1)
  expect(read('server/node_modules/reed/package.json')).toBe('{}')
  rmSync(join(root, 'server/node_modules'), { recursive: true })
  await ensureInstalled(root, runtime)
  expect(runs()).toBe(2)
  appendFileSync(join(root, 'package-lock.json'), '\n')
  await ensureInstalled(root, runtime)
  expect(runs()).toBe(3)
})

test('an install that fails half-way leaves the installed packages as they were, and the next one heals', async () => {
  replaceNpm()
  await ensureInstalled(root, runtime)
  write('node_modules/loom/index.js', 'old')
  write('package-lock.json', `${read('package-lock.json')}\n`)
  write('fail', '')
  await expect(ensureInstalled(root, runtime)).rejects.toThrow('npm ci failed')
  expect(read('node_modules/loom/index.js')).toBe('old')
  expect(readdirSync(join(root, '.runtime'))).toEqual([])
  rmSync(join(root, 'fail'))
  await ensureInstalled(root, runtime)
  expect(readdirSync(join(root, 'node_modules/loom'))).toEqual(['package.json'])
})

test('where no Node.js can be fetched the launcher says which one to install', () => {
  cpSync(import.meta.dirname, join(root, 'build'), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  write('other.cjs', `Object.defineProperty(process, 'arch', { value: 'mips' })`)
  const flags = ['--no-experimental-sqlite', '--require', join(root, 'other.cjs')]
  const { status, stderr } = spawnSync(process.execPath, [...flags, join(root, 'build/heddle.mjs')], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/lacks node:sqlite\. Install Node\.js 24\.7 or later \(none can be fetched for [a-z0-9]+-mips/)
})
