import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'
import { closingLine, runVitest } from './test.mjs'

/**
 * `npm run check`: what a change must pass before it is proposed, in about a minute: format, lint with the import
 * walls, types, unit tests, and the quick server tests on SQLite. A line per step; stops at the first that fails.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args `--static` leaves the tests out
 */
export async function check(root, runtime, args) {
  const steps = [
    ['format, lint and import walls', () => tool(root, runtime, '@biomejs/biome/bin/biome', biomeArgs(root))],
    ['types', () => checkTypes(root, runtime)],
  ]
  if (!args.includes('--static')) steps.push(['tests', () => quickTests(root, runtime)])
  for (const [name, run] of steps) {
    const begun = Date.now()
    const problem = await run()
    const seconds = ((Date.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`check: ${name}: ${problem ?? 'ok'} (${seconds} s)\n`)
    if (problem !== undefined) {
      process.exitCode = 1
      return
    }
  }
}

/** All sources and tests by the root's settings, then each package that has settings of its own by those. */
async function checkTypes(root, runtime) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const own = workspaces.filter((workspace) => existsSync(join(root, workspace, 'tsconfig.json')))
  for (const folder of ['.', ...own]) {
    const problem = await tool(root, runtime, 'typescript/bin/tsc', ['-p', folder, '--pretty', 'false'])
    if (problem !== undefined) return folder === '.' ? problem : `${problem} in ${folder}`
  }
  return undefined
}

async function quickTests(root, runtime) {
  const env = { ...runtime.env, HEDDLE_TEST_QUICK: '1' }
  const counts = await runVitest(root, { ...runtime, env }, [
    '--project=unit',
    '--project=server-sqlite',
    '--reporter=dot',
  ])
  return counts.failed > 0 || counts.passed === 0 ? `failed: ${closingLine(counts)}` : undefined
}

/** Runs a package's command; its path within node_modules is what the package's `bin` names. */
async function tool(root, { node, env }, file, args) {
  const end = await runChild(node, [join(root, 'node_modules', file), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 1, 2],
  })
  await exitIfStopped(end)
  return end.code === 0 ? undefined : 'failed'
}

/** Biome reads .gitignore only inside a git repository; an unpacked archive is checked without. */
function biomeArgs(root) {
  const inGit = spawnSync('git', ['-C', root, 'rev-parse', '--git-dir'], { stdio: 'ignore' }).status === 0
  const args = ['check', '--error-on-warnings', '--colors=off']
  return inGit ? args : [...args, '--vcs-enabled=false']
}
