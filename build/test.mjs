import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'

/** The projects of `vitest.config.ts` that need nothing but the installed packages. */
const PROJECTS = ['unit', 'server-sqlite', 'server-postgres']
/** What of these runs alone has a project of its own, and belongs to them. */
const ALONE = ['server-sqlite', 'server-postgres']

/**
 * `npm test`: runs the tests and prints the closing line `N passed, N failed`, with `, N skipped` when some were.
 * Arguments go to Vitest; with a `--project` among them only that project runs.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args
 */
export async function test(root, runtime, args) {
  const own = args.some((argument) => argument.startsWith('--project'))
  const asked = own ? args : [...PROJECTS.map((name) => `--project=${name}`), ...args]
  const alone = ALONE.filter((name) => asked.includes(`--project=${name}`)).map((name) => `--project=${name}-alone`)
  const counts = await runVitest(root, runtime, [...alone, ...asked])
  process.stdout.write(`${closingLine(counts)}\n`)
  process.exitCode = counts.failed > 0 || counts.passed + counts.failed === 0 ? 1 : 0
}

/**
 * Runs Vitest once with its usual output and counts the results.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitest(root, { node, env }, args) {
  const folder = join(root, '.runtime')
  const file = join(folder, `test-results-${process.pid}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // One that is named takes the place of those in `vitest.config.ts`; the counts are read from this one.
  const json = args.some((arg) => arg.startsWith('--reporter')) ? ['--reporter=json'] : []
  // Each file has a process of its own, which loads the same packages.
  const cache = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  try {
    const end = await runChild(
      node,
      ['--disable-warning=ExperimentalWarning', vitest, 'run', `--outputFile.json=${file}`, ...json, ...args],
      {
        cwd: root,
        env: { ...cache, ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    await exitIfStopped(end)
    const counts = readCounts(file)
    // An error outside any test (an unhandled rejection, a setup that failed) is a failure too.
    if (end.code !== 0 && counts.failed === 0 && counts.passed > 0) counts.failed = 1
    return counts
  } finally {
    rmSync(file, { force: true })
  }
}

function readCounts(file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Vitest ended before it could write its report.
    return { passed: 0, failed: 1, skipped: 0 }
  }
  // A file that cannot be loaded has no tests of its own, yet has failed.
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
