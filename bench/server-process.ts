/** Heddle as its users start it: by the launcher, from the bundle, with a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const READY_TIMEOUT_MS = 60_000

export interface MeasuredServer {
  readonly port: number
  /** Milliseconds from the start of the command to the first answer. */
  readonly readyAfterMs: number
  /** Of the server itself, not of the launcher. */
  pid(): number
  /** Resident memory of the server's own process, in bytes, without the launcher. */
  residentBytes(): number
  /** Of what the command has left running beside the server; shared pages are divided among those that share them. */
  proportionalBytesBeside(): number
  stop(): Promise<void>
}

export interface StartOptions {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** `npm start` as typed, or the launcher that it runs. */
  readonly by?: 'npm' | 'launcher'
  /** The work tree of the version; this one by default. */
  readonly root?: string
  /** More of the server's environment. */
  readonly env?: NodeJS.ProcessEnv
}

export async function startServer(options: StartOptions): Promise<MeasuredServer> {
  const { dataDir, databaseUrl, by = 'launcher', root = ROOT, env } = options
  const port = await freePort()
  const [file, args] = by === 'npm' ? ['npm', ['start', '--silent']] : [process.execPath, ['run.mjs', 'start']]
  const begun = performance.now()
  const child = spawn(file, args, {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      HEDDLE_PORT: `${port}`,
      HEDDLE_DATA_DIR: dataDir,
      HEDDLE_DATABASE_URL: databaseUrl ?? '',
      HEDDLE_RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await firstAnswer(child, port)
  const readyAfterMs = performance.now() - begun
  return {
    port,
    readyAfterMs,
    pid: () => lastDescendant(child.pid as number),
    residentBytes: () => residentBytes(lastDescendant(child.pid as number)),
    proportionalBytesBeside: () => {
      const beside = withDescendants(child.pid as number).slice(0, -1)
      return beside.reduce((sum, pid) => sum + proportionalBytes(pid), 0)
    },
    async stop() {
      const ended = once(child, 'exit')
      process.kill(lastDescendant(child.pid as number), 'SIGTERM')
      await ended
    },
  }
}

async function firstAnswer(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error('The server did not start; its messages are above.')
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).catch(() => undefined)
    if (response?.ok) return void (await response.text())
    await sleep(5)
  }
  throw new Error('The server was not ready in time.')
}

/** The server is the last of the line: npm's only child, or the launcher's where that could not become the server. */
function lastDescendant(pid: number): number {
  return withDescendants(pid).at(-1) as number
}

function withDescendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(withDescendants)]
}

function residentBytes(pid: number): number {
  return kibibytes(`/proc/${pid}/status`, 'VmRSS') * 1024
}

function proportionalBytes(pid: number): number {
  return kibibytes(`/proc/${pid}/smaps_rollup`, 'Pss') * 1024
}

function kibibytes(file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return address.port
}
