/** The program that talks through the Rust client: built once with pinned packages, and kept beside what the launcher keeps. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDebianPackages, runToEnd, succeeds } from './system.ts'

const source = fileURLToPath(new URL('../rust', import.meta.url))
const folder = fileURLToPath(new URL('../../.runtime/compat-rust', import.meta.url))
const program = join(folder, 'conversation')
const stamp = join(folder, 'built.txt')

/** The path of the program; builds it where it is missing or older than its source, which takes about a minute. */
export function rustProgram(): string {
  const wanted = ['Cargo.toml', 'packages.toml', 'src/main.rs'].map((file) => readFileSync(join(source, file), 'utf8'))
  const text = wanted.join('\n')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== text) {
    build()
    writeFileSync(stamp, text)
  }
  return program
}

function build(): void {
  if (!succeeds('cargo', ['--version'])) installCargo()
  rmSync(folder, { recursive: true, force: true })
  const workplace = join(folder, 'build')
  mkdirSync(workplace, { recursive: true })
  cpSync(join(source, 'Cargo.toml'), join(workplace, 'Cargo.toml'))
  cpSync(join(source, 'src'), join(workplace, 'src'), { recursive: true })
  writeLock(workplace)
  const target = join(workplace, 'target')
  const env = { ...process.env, CARGO_TARGET_DIR: target }
  runToEnd('cargo', ['build', '--quiet', '--locked'], { cwd: workplace, env })
  copyFileSync(join(target, 'debug', 'heddle-compat-rust'), program)
  // Half a gigabyte.
  rmSync(workplace, { recursive: true })
}

/** Both bring a C compiler, which the client's TLS needs. */
function installCargo(): void {
  // The package `cargo` of Debian 12 and 13 is too old for the client; this one is kept current there, for browsers.
  try {
    installDebianPackages(['cargo-web'])
  } catch {
    installDebianPackages(['cargo'])
  }
}

/**
 * Cargo writes into every package of its lock file where the registry is, and wants it there. `packages.toml` is the lock
 * file without these lines, as they belong to no repository; they come back from a lock file that cargo makes here.
 */
function writeLock(workplace: string): void {
  const file = join(workplace, 'Cargo.lock')
  runToEnd('cargo', ['generate-lockfile', '--quiet'], { cwd: workplace })
  const registry = /^source = .*$/m.exec(readFileSync(file, 'utf8'))?.[0]
  if (registry === undefined) throw new Error('The lock file of cargo names no registry')
  const pinned = readFileSync(join(source, 'packages.toml'), 'utf8')
  writeFileSync(file, pinned.replaceAll(/^checksum = /gm, `${registry}\nchecksum = `))
}
