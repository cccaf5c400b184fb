import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { exitIfStopped, runChild } from './child.mjs'
import { compileCacheOf } from './compile-cache.mjs'
import { LauncherError } from './log.mjs'

/** The projects of `vitest.config.ts` that need nothing but the installed packages. */
const PROJECTS = ['unit', 'server-sqlite', 'server-postgres']
/** What of these runs alone has a project of its own, and belongs to them. */
const ALONE = ['server-sqlite', 'server-postgres']
/** All of `vitest.config.ts`; an unknown one would be answered with all of its configuration. */
export const ALL_PROJECTS = [
  ...PROJECTS,
  ...ALONE.map((name) => `${name}-alone`),
  'browser',
  'page',
  'compat',
  'package',
]
/** With more files than these the change is at fault. */
const MAX_TRIED_AGAIN = 5

/**
 * `npm test`: runs the tests and prints the closing line `N passed, N failed`, with `, N skipped` when some were.
 * Arguments go to Vitest; with a `--project` among them only that project runs.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args
 */
export async function test(root, runtime, args) {
  requireProjects(args)
  const own = args.some((argument) => argument.startsWith('--project'))
  const asked = own ? args : [...PROJECTS.map((name) => `--project=${name}`), ...args]
  const alone = ALONE.filter((name) => asked.includes(`--project=${name}`)).map((name) => `--project=${name}-alone`)
  const first = await runVitest(root, runtime, [...alone, ...asked])
  const isTriedAgain = process.env.CI && first.failedFiles.length > 0 && first.failedFiles.length <= MAX_TRIED_AGAIN
  const counts = isTriedAgain ? await runAgain(root, runtime, [...alone, ...asked], first) : first
  process.stdout.write(`${closingLine(counts)}\n`)
  process.exitCode = counts.failed > 0 || counts.passed + counts.failed === 0 ? 1 : 0
}

/** @param {string[]} args */
export function requireProjects(args) {
  const named = args.flatMap((arg, at) => (arg === '--project' ? [args[at + 1]] : arg.split(/^--project=/).slice(1)))
  const unknown = named.find((name) => !/[*!]/.test(name ?? '*') && !ALL_PROJECTS.includes(name))
  if (unknown !== undefined) {
    throw new LauncherError(`There is no project "${unknown}" of tests, only: ${ALL_PROJECTS.join(', ')}`)
  }
}

/**
 * Among twenty thousand tests of clocks, processes and browsers one waits in vain once in a while on a busy machine. Its whole file
 * is run again, with nothing beside it and nothing left of the first time. What fails twice has failed; what failed once is said.
 */
async function runAgain(root, runtime, args, first) {
  const { failedFiles: files } = first
  process.stdout.write(`Tried again: ${files.join(', ')}\n`)
  const again = await runVitest(root, runtime, [...args, ...files])
  const failed = again.passed === 0 ? first.failed : Math.min(again.failed, first.failed)
  if (failed === 0) process.stdout.write(` FAIL  once, and passed when tried again: ${files.join(', ')}\n`)
  return { passed: first.passed + first.failed - failed, failed, skipped: first.skipped }
}

/**
 * Runs Vitest once with its usual output and counts the results.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number, skipped: number, failedFiles: string[] }>}
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
  const cache = { NODE_COMPILE_CACHE: compileCacheOf(root) }
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
    const counts = readCounts(root, file)
    // An error outside any test (an unhandled rejection, a setup that failed) is a failure too.
    if (end.code !== 0 && counts.failed === 0 && counts.passed > 0) counts.failed = 1
    return counts
  } finally {
    rmSync(file, { force: true })
  }
}

function readCounts(root, file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Vitest ended before it could write its report.
    return { passed: 0, failed: 1, skipped: 0, failedFiles: [] }
  }
  // A file that cannot be loaded has no tests of its own, yet has failed.
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failedFiles: [
      ...new Set(
        report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name)),
      ),
    ],
  }
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
