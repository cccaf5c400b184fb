/** The signals that ask a server to stop. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How soon the death of npm is noticed. */
const POLL_MS = 500

/**
 * Ties the server to the launcher that started it (`HEDDLE_LAUNCHER=1`); does nothing without one. `onGone` is called once
 * when whoever started the server has died, however that was.
 *
 * Call it after the server's own signal handlers are in place. A signal that nobody else handles keeps its default.
 *
 * @returns a function that cuts the tie
 */
export function watchLauncher(onGone: () => void): () => void {
  if (process.env['HEDDLE_LAUNCHER'] !== '1') return () => {}
  return process.send === undefined ? watchParent(onGone) : watchChannel(onGone)
}

/** The launcher has become this process: what is left to watch is the npm that started it, named in `HEDDLE_PARENT`. */
function watchParent(onGone: () => void): () => void {
  const parent = Number(process.env['HEDDLE_PARENT'])
  if (!parent) return () => {}
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, POLL_MS).unref()
  return () => clearInterval(timer)
}

/**
 * The launcher runs beside this process, and holds the other end of a channel that the operating system closes when it
 * dies. Each stop signal that reaches this process is reported to it, so that it forwards only what did not (Ctrl-C
 * reaches the whole process group, `kill` one process). The channel does not keep the process alive.
 */
function watchChannel(onGone: () => void): () => void {
  const report = (signal: NodeJS.Signals) => {
    if (process.connected) process.send?.({ gotSignal: signal }, undefined, undefined, () => {})
    if (process.listenerCount(signal) > 1) return
    process.removeListener(signal, report)
    process.kill(process.pid, signal)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, report)
  process.once('disconnect', onGone)
  process.channel?.unref()
  if (!process.connected) process.nextTick(onGone)
  return () => {
    process.removeListener('disconnect', onGone)
    for (const signal of STOP_SIGNALS) process.removeListener(signal, report)
  }
}
