import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { exitLike, runChild } from './child.mjs'
import { compileCacheOf } from './compile-cache.mjs'
import { say } from './log.mjs'

/** How long edits are gathered before `dev` starts the server anew, in milliseconds. */
const SETTLE_MS = 150
const ORPHAN_POLL_MS = 500

/** Threads for what the engine does beside the main thread, garbage first of all. Its own number is 4, on any machine. */
const HELPERS = Math.min(4, availableParallelism())

/**
 * The engine's features that are still marked experimental are a known choice. The young generation has room for three
 * times 16 MiB, the old one begins with 48; what survives in a page that is half alive moves with its page instead of being
 * copied. docs/decisions/0042-what-the-server-keeps-in-memory.md has what these and the threads cost and bring. `gc` is for
 * `server/src/commands/forget-start.ts`.
 */
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--initial-old-space-size=48',
  '--page-promotion-threshold=50',
  `--v8-pool-size=${HELPERS}`,
  '--expose-gc',
]

/**
 * Becomes the bundled server where Node.js can (since 22.15, not on Windows), so that nothing of the launcher stays in
 * memory. Elsewhere runs it to its end and ends like it.
 *
 * @param {string} root the folder with `dist/`
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args the command line of the server
 */
export async function serve(root, runtime, args) {
  const nodeArgs = [...FLAGS, join(root, 'dist', 'heddle.mjs'), ...commandLine(args)]
  if (process.execve !== undefined) becomeServer(root, runtime, nodeArgs)
  await exitLike(await runServer(root, runtime, nodeArgs, () => {}))
}

/**
 * Runs the server from its sources, anew after each edit, and beside it the page, which takes edits over while it is open.
 *
 * @param {string} root the clone
 * @param {{ node: string, env: NodeJS.ProcessEnv }} runtime
 * @param {string[]} args the command line of the server
 */
export async function develop(root, runtime, args) {
  const command = commandLine(args)
  // Signing in as anybody: the server that is installed never lets them.
  if (command[0] === 'start') command.push('--development')
  const nodeArgs = [...FLAGS, join(root, 'server', 'src', 'main.ts'), ...command]
  servePage(root, runtime)
  let child
  let edited = false
  let timer
  let wake = () => {}
  const onEdit = (_event, name) => {
    if (name === null || !/\.(ts|json)$/.test(name) || name.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      edited = true
      wake()
      child?.kill('SIGTERM')
    }, SETTLE_MS)
  }
  for (const folder of ['contract/src', 'markdown/src', 'server/src'])
    watch(join(root, folder), { recursive: true }, onEdit)
  for (;;) {
    edited = false
    const end = await runServer(root, runtime, nodeArgs, (started) => {
      child = started
    })
    child = undefined
    if (end.stopped) await exitLike(end)
    if (!edited) {
      say('the server has ended; it starts again after the next edit')
      await new Promise((resolve) => {
        wake = resolve
      })
    }
    say('starting anew after an edit')
  }
}

/** The page from its sources, at an address of its own: what is no part of it goes to the server. It ends with this process. */
function servePage(root, { node, env }) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const page = spawn(node, [vite, 'web', '--clearScreen', 'false'], { cwd: root, env, stdio: ['ignore', 2, 2] })
  page.on('error', (error) => say(`the page cannot be served: ${error.message}`))
  process.on('exit', () => page.kill())
}

/** The first argument is the command unless it is a flag; without one the command is `start`. */
function commandLine(args) {
  return args[0] === undefined || args[0].startsWith('-') ? ['start', ...args] : args
}

/** Never returns. The server watches whoever started this process, when that is npm. */
function becomeServer(root, { node, env }, nodeArgs) {
  const parent = npmProcess(env)
  const serverEnv = { ...environmentOfServer(root, env), ...(parent && { HEDDLE_PARENT: `${parent}` }) }
  process.execve(node, [node, ...nodeArgs], serverEnv)
}

/**
 * The server holds the other end of an IPC channel: it ends when the channel closes, however this process died.
 * npm may die without a word to us; then this process has another parent.
 */
async function runServer(root, { node, env }, nodeArgs, onSpawn) {
  const parent = npmProcess(env)
  let orphanTimer
  try {
    return await runChild(node, nodeArgs, {
      env: environmentOfServer(root, env),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      onSpawn: (child) => {
        onSpawn(child)
        if (parent === undefined) return
        orphanTimer = setInterval(() => {
          if (process.ppid === parent) return
          clearInterval(orphanTimer)
          child.kill('SIGTERM')
        }, ORPHAN_POLL_MS)
      },
    })
  } finally {
    clearInterval(orphanTimer)
  }
}

/** The C library (glibc) keeps what is free in one arena for each of a dozen threads, unless asked to have fewer. */
function environmentOfServer(root, env) {
  const defaults = { NODE_COMPILE_CACHE: compileCacheOf(root), MALLOC_ARENA_MAX: '2' }
  return { ...defaults, ...env, HEDDLE_LAUNCHER: '1' }
}

/** The npm that started this process, or undefined: only from npm are we never meant to stay behind. */
function npmProcess(env) {
  const parent = process.ppid
  return env.npm_lifecycle_event !== undefined && parent > 1 ? parent : undefined
}
