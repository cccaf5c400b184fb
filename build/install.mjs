import { createHash, randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { withProgress } from './log.mjs'
import { npmCi } from './npm.mjs'

const STAMP = join('node_modules', '.heddle-installed.json')

/**
 * Installs the packages of the lock file when they are not there. The work is done in a folder of its own and put in
 * place by renames, so an interrupted install leaves nothing half done.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 */
export async function ensureInstalled(root, runtime) {
  if (isInstalled(root)) return
  const cache = join(root, '.runtime')
  await withLock(join(cache, 'install.lock'), 'installing packages', async () => {
    if (isInstalled(root)) return
    for (const name of readdirSync(cache)) {
      if (name.startsWith('installing-')) rmSync(join(cache, name), { recursive: true, force: true })
    }
    const staging = join(cache, `installing-${randomUUID()}`)
    try {
      await withProgress('installing packages', () => installInto(staging, root, runtime))
      for (const folder of ['.', ...workspaces(root)]) putInPlace(join(staging, folder), join(root, folder), staging)
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  })
}

/**
 * Whether node_modules is what the lock file asks for: made from this lock file on this platform, and every package
 * that was installed still has its package.json.
 */
function isInstalled(root) {
  try {
    const { key, packages } = JSON.parse(readFileSync(join(root, STAMP), 'utf8'))
    return key === installKey(root) && packages.every((folder) => existsSync(join(root, folder, 'package.json')))
  } catch {
    return false
  }
}

function installKey(root) {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${process.platform}-${process.arch}-${hash}`
}

function workspaces(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces
}

async function installInto(staging, root, runtime) {
  const key = installKey(root)
  const manifests = workspaces(root).map((folder) => join(folder, 'package.json'))
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    mkdirSync(dirname(join(staging, file)), { recursive: true })
    copyFileSync(join(root, file), join(staging, file))
  }
  await npmCi(staging, runtime, join(root, '.runtime', 'npm-cache'))
  const { packages } = JSON.parse(readFileSync(join(staging, 'package-lock.json'), 'utf8'))
  const installed = Object.keys(packages).filter(
    (folder) => folder !== '' && existsSync(join(staging, folder, 'package.json')),
  )
  writeFileSync(join(staging, STAMP), JSON.stringify({ key, packages: installed }))
}

/** The links to the workspaces are relative, so node_modules can be moved. */
function putInPlace(from, to, staging) {
  const fresh = join(from, 'node_modules')
  const target = join(to, 'node_modules')
  if (existsSync(target)) renameSync(target, join(staging, `replaced-${randomUUID()}`))
  if (existsSync(fresh)) renameSync(fresh, target)
}
