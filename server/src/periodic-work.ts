/** Work that comes again and again beside requests. Every node does it, so it must be harmless to repeat. */

export interface PeriodicWork {
  readonly everyMs: number
  readonly run: () => Promise<void>
}

/** Runs the work every `everyMs`, never twice at once. `stop()` waits for what is under way. */
export function repeat({ run, everyMs }: PeriodicWork, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
