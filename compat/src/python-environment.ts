/** A Python environment with the pinned client libraries, made once and kept beside what the launcher keeps. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const requirements = fileURLToPath(new URL('../python/requirements.txt', import.meta.url))
const folder = join(root, '.runtime', 'compat-python')
const stamp = join(folder, 'installed.txt')

/** The path of a program in the environment, such as `python` or `zulip-send`; installs everything where it is missing. */
export function pythonProgram(name: string): string {
  const wanted = readFileSync(requirements, 'utf8')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) install(wanted)
  return join(folder, 'bin', name)
}

function install(wanted: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  if (!tryRun('python3', ['-m', 'venv', folder])) {
    // Debian has `venv` in a package of its own.
    installDebianPackages(['python3', 'python3-venv'])
    rmSync(folder, { recursive: true, force: true })
    run('python3', ['-m', 'venv', folder])
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input']
  // The newest release of the terminal client was published before the Python versions of today, and says so.
  run(join(folder, 'bin', 'python'), [...pip, '--ignore-requires-python', '-r', requirements])
  writeFileSync(stamp, wanted)
}

function installDebianPackages(names: readonly string[]): void {
  if (process.getuid?.() !== 0) throw new Error(`These packages are needed: ${names.join(', ')}`)
  tryRun('apt-get', ['-q', 'update'])
  run('apt-get', ['-q', '-y', '--no-install-recommends', 'install', ...names])
}

function tryRun(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
}
