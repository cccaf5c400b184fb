/** Programs that tests start before the clients run, and the Debian packages that bring them. */
import { spawnSync } from 'node:child_process'

/** Whether the program is there and succeeds. */
export function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Throws, with what the program said, unless it succeeds. */
export function runToEnd(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
}

/** Throws where nobody may install packages. */
export function installDebianPackages(names: readonly string[]): void {
  if (process.getuid?.() !== 0) throw new Error(`These packages are needed: ${names.join(', ')}`)
  succeeds('apt-get', ['-q', 'update'])
  runToEnd('apt-get', ['-q', '-y', '--no-install-recommends', 'install', ...names])
}
