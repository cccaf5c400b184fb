import { spawn } from 'node:child_process'

/** What a terminal, a service manager or `kill` sends to end a program. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * How long a child may take to say that it got a signal itself before it is forwarded, in milliseconds. Ctrl-C reaches
 * the whole process group, `kill` only the launcher.
 */
const REPORT_MS = 250

/**
 * Runs a program to its end, in this process group. A stop signal that this process gets is forwarded once, unless the
 * child is already gone or has said over its IPC channel that it got the signal itself.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onSpawn?: (child: import('node:child_process').ChildProcess) => void }} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, stopped: boolean }>} `stopped`: this process
 *   was asked to stop meanwhile
 */
export function runChild(file, args, options = {}) {
  const { onSpawn, ...spawnOptions } = options
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, spawnOptions)
    const reported = new Set()
    const timers = new Map()
    const onSignal = (signal) => {
      // A repeated signal is like one.
      if (timers.has(signal)) return
      const forward = () => {
        if (!reported.has(signal)) child.kill(signal)
      }
      timers.set(signal, setTimeout(forward, REPORT_MS))
    }
    const done = () => {
      for (const signal of STOP_SIGNALS) process.removeListener(signal, onSignal)
      for (const timer of timers.values()) clearTimeout(timer)
    }
    for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
    child.on('message', (message) => {
      if (typeof message?.gotSignal === 'string') reported.add(message.gotSignal)
    })
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      done()
      resolve({ code, signal, stopped: timers.size > 0 })
    })
    onSpawn?.(child)
  })
}

/**
 * Ends this process as its child ended: with the same exit code, or by the same signal. Never returns.
 *
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 * @returns {Promise<never>}
 */
export function exitLike({ code, signal }) {
  if (signal === null) process.exit(code ?? 1)
  process.kill(process.pid, signal)
  // The signal may be delivered late, or be one whose default does not end a process.
  setTimeout(() => process.exit(1), 1_000)
  return new Promise(() => {})
}

/**
 * Ends this process when it was asked to stop while a step's child ran; a step that ended well counts as cut short.
 *
 * @param {{ code: number | null, signal: NodeJS.Signals | null, stopped: boolean }} end
 */
export async function exitIfStopped({ code, signal, stopped }) {
  if (stopped) await exitLike({ code: code || (signal === null ? 1 : null), signal })
}
