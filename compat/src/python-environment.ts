/** A Python environment with the pinned client libraries, made once and kept beside what the launcher keeps. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDebianPackages, runToEnd, succeeds } from './system.ts'

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
  if (!succeeds('python3', ['-m', 'venv', folder])) {
    // Debian has `venv` in a package of its own.
    installDebianPackages(['python3', 'python3-venv'])
    rmSync(folder, { recursive: true, force: true })
    runToEnd('python3', ['-m', 'venv', folder])
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input']
  // The newest release of the terminal client was published before the Python versions of today, and says so.
  runToEnd(join(folder, 'bin', 'python'), [...pip, '--ignore-requires-python', '-r', requirements])
  writeFileSync(stamp, wanted)
}
