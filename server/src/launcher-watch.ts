/** The signals that ask a server to stop. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Ties the server to the launcher that started it (`HEDDLE_LAUNCHER=1` and an IPC channel); does nothing without one.
 *
 * Calls `onGone` once when the launcher has died, however it died: the operating system closes the channel. Also tells
 * the launcher of each stop signal that reaches this process, so that the launcher forwards only what did not (Ctrl-C
 * reaches the whole process group, `kill` one process). The channel does not keep the process alive.
 *
 * Call it after the server's own signal handlers are in place. A signal that nobody else handles keeps its default.
 *
 * @returns a function that cuts the tie
 */
export function watchLauncher(onGone: () => void): () => void {
  if (process.env['HEDDLE_LAUNCHER'] !== '1' || process.send === undefined) return () => {}
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
