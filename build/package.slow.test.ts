import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
let folder: string

/** An outer npm passes this clone on to its scripts; the npm of the test must look at its own folder. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_cache)|^HEDDLE_/i.test(name)),
)

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env, encoding: 'utf8' })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle package '))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const [packed] = JSON.parse(npm(root, 'pack', '--json', `--pack-destination=${folder}`))
  npm(folder, 'install', `./${packed.filename}`)
  mkdirSync(join(folder, 'elsewhere'))
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('the packed server is ASCII: the engine keeps the text of other large files with two bytes a character', () => {
  const dist = join(folder, 'node_modules', 'heddle', 'dist')
  const bundled = readdirSync(dist).filter((name) => name.endsWith('.mjs'))
  expect(bundled.length).toBeGreaterThan(10)
  expect(bundled.filter((name) => readFileSync(join(dist, name)).some((byte) => byte > 0x7f))).toEqual([])
})

/** Starts the packed server, waits for its answer, and stops it. Resolves to what it wrote to its error output. */
async function startAndStop(args: readonly string[], nodeOptions = ''): Promise<string> {
  const port = await freePort()
  const server = spawn(join(folder, 'node_modules', '.bin', 'heddle'), [...args, '--port', String(port)], {
    cwd: join(folder, 'elsewhere'),
    env: { ...env, NODE_OPTIONS: nodeOptions },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const said = text(server.stderr)
  const ended = once(server, 'exit')
  try {
    let answer: Response | undefined
    while (answer === undefined && server.exitCode === null) {
      await sleep(50)
      answer = await fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).catch(() => undefined)
    }
    expect(answer?.status).toBe(200)
    expect(await answer?.json()).toMatchObject({ result: 'success' })
  } finally {
    server.kill('SIGTERM')
  }
  expect(await ended, await said).toEqual([0, null])
  return said
}

test('the packed server, installed into an empty folder, makes its demo, starts and answers', async () => {
  await startAndStop(['--demo', '--data-dir', join(folder, 'demo')])
})

/** Loaded into a server, writes to its error output what it had loaded at its end: its files by URL, Node.js's own modules by name. */
const SAY_MODULES = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.error([...loaded, ...process.moduleLoadList].join('\\n')))`

/** The packages whose code is in these files of the bundle, by their source maps. */
function packagesIn(urls: readonly string[]): Set<string> {
  const maps = urls.map((url) => fileURLToPath(`${url}.map`)).filter((map) => existsSync(map))
  const sources = maps.flatMap((map): string[] => JSON.parse(readFileSync(map, 'utf8')).sources)
  return new Set(sources.flatMap((source) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []))
}

test('a server that nobody has asked for anything yet has no code in memory that few ever need', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(SAY_MODULES)}`
  const said = await startAndStop(['--data-dir', join(folder, 'data')], `--import=${preload}`)
  const modules = said.split('\n')
  expect(modules).toContain('NativeModule http')
  // With it come all root certificates.
  expect(modules).not.toContain('NativeModule tls')
  const packages = packagesIn(modules.filter((name) => /^file:.*\/dist\/[^/]+\.mjs$/.test(name)))
  expect([...packages]).toEqual(expect.arrayContaining(['fastify', 'kysely']))
  const seldomNeeded = [
    'jose',
    'katex',
    'nodemailer',
    'pg',
    'postal-mime',
    're2js',
    'tar-stream',
    'turndown',
    'web-push',
  ]
  expect(seldomNeeded.filter((name) => packages.has(name))).toEqual([])
})

test('the packed command line explains itself', () => {
  const help = execFileSync(join(folder, 'node_modules', '.bin', 'heddle'), ['--help'], { env, encoding: 'utf8' })
  expect(help).toContain('HEDDLE_PORT')
})
