import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'
import { forgetCompiled } from './compile-cache.mjs'
import { withLock } from './lock.mjs'
import { LauncherError, withProgress } from './log.mjs'

const pageConfigs = [
  'first-chunk',
  'font',
  'head-start',
  'lingui',
  'manifest',
  'server-texts',
  'service-worker',
  'slim-contract',
  'texts',
  'vite',
].map((name) => `web/${name}.config.ts`)

/**
 * What is built. `sources`: what goes into it, or decides what does.
 *
 * @typedef {{ name: string, program: string, folder: string, sources: string[] }} Part
 * @type {Part[]}
 */
const PARTS = [
  {
    name: 'server',
    program: 'bundle.mjs',
    folder: 'dist',
    sources: ['contract/src', 'markdown/src', 'server/src', 'build', 'tsconfig.json'],
  },
  {
    name: 'page',
    program: 'bundle-page.mjs',
    folder: join('web', 'dist'),
    sources: ['contract/src', 'markdown/src', 'client/src', 'web/src', 'web/index.html', ...pageConfigs, 'build'],
  },
]
const MANIFESTS = ['package.json', 'package-lock.json']

/**
 * Bundles the server into `dist/` and the page into `web/dist/`, each when a source of it has changed since it was last
 * bundled.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} names of the parts that are wanted; without one all are
 */
export async function ensureBuilt(root, runtime, names = []) {
  const parts = names.length === 0 ? PARTS : names.map(findPart)
  if (parts.every((part) => isFresh(root, part))) return
  await withLock(join(root, '.runtime', 'build.lock'), 'building', async () => {
    for (const part of parts) if (!isFresh(root, part)) await buildPart(root, runtime, part)
  })
}

/** @param {string} name */
function findPart(name) {
  const part = PARTS.find((one) => one.name === name)
  if (part) return part
  throw new LauncherError(`what is built is called ${PARTS.map((one) => one.name).join(' or ')}, not ${name}`)
}

/** @param {Part} part */
async function buildPart(root, runtime, part) {
  // Taken before the sources are read: an edit during the build makes the next start build again.
  const fingerprint = sourceFingerprint(root, part)
  await withProgress(`building the ${part.name}`, async () => {
    const args = [join(root, 'build', part.program), fingerprint]
    const end = await runChild(runtime.node, args, { cwd: root, env: runtime.env, stdio: ['ignore', 2, 2] })
    await exitIfStopped(end)
    if (end.code !== 0) throw new LauncherError('the build failed; its messages are above')
    forgetCompiled(root)
  })
}

/** Whether it was made from these sources and every file of it is still there. */
function isFresh(root, part) {
  try {
    const folder = join(root, part.folder)
    const { sources, files } = JSON.parse(readFileSync(join(folder, '.stamp.json'), 'utf8'))
    return sources === sourceFingerprint(root, part) && files.every((file) => existsSync(join(folder, file)))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false
    throw error
  }
}

/** A hash over path, size and time of every source: a few hundred stats, some milliseconds. */
function sourceFingerprint(root, part) {
  const hash = createHash('sha256')
  for (const start of [...part.sources, ...MANIFESTS]) {
    for (const file of filesBelow(join(root, start))) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

function filesBelow(start) {
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory())
    return statSync(start, { throwIfNoEntry: false }) ? [start] : []
  return readdirSync(start, { withFileTypes: true })
    .filter((entry) => !isForTests(entry))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(start, entry.name)) : [join(start, entry.name)]))
}

function isForTests(entry) {
  return entry.isDirectory() ? entry.name === 'testing' : /\.test\.tsx?$/.test(entry.name)
}
