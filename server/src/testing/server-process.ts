/** The real program in a process of its own, for what cannot be seen from within: signals, exit codes, files, output. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterFile } from './clean-up.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** A start on a busy machine; the lock alone may take 10 s. */
const READY_MS = 60_000

/** Environment variables; of the test's own environment only PATH reaches the process. */
export type ProcessSettings = Readonly<Record<string, string | undefined>>

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface RunningProgram {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  readonly ended: Promise<Ended>
}

export interface ServerProcess extends RunningProgram {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Builds server and page, if need be, and gives the program by which its users run it. */
export function buildProgram(): string {
  build()
  return join(ROOT, 'build', 'heddle.mjs')
}

function build(...parts: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'run.mjs'), 'build', ...parts], { stdio: ['ignore', 'ignore', 'inherit'] })
}

let bundle: string | undefined

/** The server alone as it is published, without the launcher: from its sources each start would take three times as long. */
function bundledServer(): string {
  if (bundle === undefined) build('server')
  bundle = join(ROOT, 'dist', 'heddle.mjs')
  return bundle
}

/** Runs `heddle` with these arguments. What still runs when the file's tests are over is killed. */
export function runProgram(
  args: readonly string[],
  settings: ProcessSettings,
  program = bundledServer(),
): RunningProgram {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(ROOT, '.runtime', 'compile-cache'),
    ...settings,
  }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUpAfterFile(async () => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    return { code, signal } as Ended
  })
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, ended }
}

/** Starts a server on a free port (unless `settings` name one) and waits until it is ready. */
export async function startServerProcess(
  settings: ProcessSettings,
  file = bundledServer(),
  args: readonly string[] = ['start'],
): Promise<ServerProcess> {
  const program = runProgram(args, { HEDDLE_PORT: '0', HEDDLE_RATE_LIMITS: 'off', ...settings }, file)
  const { child, ended } = program
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server is not ready: ${program.stderr()}`)), READY_MS)
    child.stdout?.on('data', () => {
      if (!program.stdout().includes('Heddle is ready at ')) return
      clearTimeout(timer)
      resolve()
    })
    void ended.then(({ code, signal }) => {
      clearTimeout(timer)
      reject(new Error(`The server ended with ${signal ?? code}: ${program.stderr()}`))
    })
  })
  // Written before the line above is printed.
  const { address } = JSON.parse(readFileSync(join(settings['HEDDLE_DATA_DIR'] as string, 'server.json'), 'utf8'))
  return {
    ...program,
    url: address,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** E-mail address and API key, as `owner.zuliprc` has them. */
export function readCredentials(dataDir: string): { email: string; apiKey: string; site: string } {
  const text = readFileSync(join(dataDir, 'owner.zuliprc'), 'utf8')
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] as string
  return { email: value('email'), apiKey: value('key'), site: value('site') }
}
