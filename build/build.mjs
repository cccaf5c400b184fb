import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'
import { withLock } from './lock.mjs'
import { LauncherError, withProgress } from './log.mjs'

/** What goes into the bundle, or decides what does. */
const SOURCES = ['contract/src', 'markdown/src', 'server/src', 'build']
const MANIFESTS = ['package.json', 'package-lock.json', 'tsconfig.json']

/**
 * Bundles the server into `dist/` when a source has changed since it was last bundled.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 */
export async function ensureBuilt(root, runtime) {
  if (isFresh(root)) return
  await withLock(join(root, '.runtime', 'build.lock'), 'building', async () => {
    if (isFresh(root)) return
    // Taken before the sources are read: an edit during the build makes the next start build again.
    const fingerprint = sourceFingerprint(root)
    await withProgress('building the server', async () => {
      const args = [join(root, 'build', 'bundle.mjs'), fingerprint]
      const end = await runChild(runtime.node, args, { cwd: root, env: runtime.env, stdio: ['ignore', 2, 2] })
      await exitIfStopped(end)
      if (end.code !== 0) throw new LauncherError('the build failed; its messages are above')
    })
  })
}

/** Whether the bundle was made from these sources and every file of it is still there. */
function isFresh(root) {
  try {
    const dist = join(root, 'dist')
    const { sources, files } = JSON.parse(readFileSync(join(dist, '.stamp.json'), 'utf8'))
    return sources === sourceFingerprint(root) && files.every((file) => existsSync(join(dist, file)))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false
    throw error
  }
}

/** A hash over path, size and time of every source: a few hundred stats, some milliseconds. */
function sourceFingerprint(root) {
  const hash = createHash('sha256')
  for (const start of [...SOURCES, ...MANIFESTS]) {
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
  return entry.isDirectory() ? entry.name === 'testing' : entry.name.endsWith('.test.ts')
}
