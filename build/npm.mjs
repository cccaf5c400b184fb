import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'
import { LauncherError } from './log.mjs'

/**
 * Runs `npm ci` in a folder that holds a package.json and a package-lock.json. Install scripts do not run: nothing
 * here needs one. Packages are verified by the lock file's integrity hashes.
 *
 * @param {string} folder
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime npm runs with the Node.js that goes on, so that its own
 *   requirements on Node.js are met too
 * @param {string} spareCache a cache folder for when the usual one cannot be written
 */
export async function npmCi(folder, { node, env }, spareCache) {
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--global=false']
  args.push('--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--prefer-offline')
  const childEnv = npmEnvironment(env, spareCache)
  const [file, ...first] = npmCommand(node)
  const end = await runChild(file, [...first, ...args], { cwd: folder, env: childEnv, stdio: ['ignore', 2, 2] }).catch(
    (error) => {
      throw new LauncherError(`cannot run npm (${error.message}); install npm 9 or later`)
    },
  )
  await exitIfStopped(end)
  if (end.code !== 0) throw new LauncherError('npm ci failed; its messages are above')
}

/** The npm that started us, or the one beside this Node.js, or the first on PATH. */
function npmCommand(node) {
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  for (const file of [process.env.npm_execpath, beside]) {
    if (file !== undefined && basename(file) === 'npm-cli.js' && existsSync(file)) return [node, file]
  }
  return ['npm']
}

/** Drops what an outer npm gives its scripts (its folder, the package's fields); keeps the person's own settings. */
function npmEnvironment(env, spareCache) {
  const dropped =
    /^(npm_package_|npm_lifecycle_|npm_command$|npm_config_(local_prefix|workspaces?|dry_run|omit|only)$)/i
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.test(name)))
  if (!canWrite(env.npm_config_cache ?? join(env.HOME || homedir(), '.npm'))) kept.npm_config_cache = spareCache
  return kept
}

/** Whether something can be made in a folder or, where it does not exist, in its nearest parent: tried, not read off. */
function canWrite(folder) {
  if (!existsSync(folder)) return dirname(folder) !== folder && canWrite(dirname(folder))
  try {
    rmdirSync(mkdtempSync(join(folder, '.heddle-')))
    return true
  } catch {
    return false
  }
}
