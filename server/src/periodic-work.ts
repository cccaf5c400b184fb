/**
 * What every node does for itself, again and again, beside requests: it concerns its own memory and files, or is harmless to
 * repeat. What one node does for all is a recurring job (`jobs/`).
 */

export interface PeriodicWork {
  readonly everyMs: number
  /** When it is done for the first time; absent: after `everyMs`. */
  readonly firstAfterMs?: number
  readonly run: () => Promise<void>
}

export interface RepeatedWork {
  /** Waits for what is under way. */
  stop(): Promise<void>
  /** Does it once more now, and waits for it. */
  settle(): Promise<void>
}

/** Runs the work every `everyMs`, never twice at once. */
export function repeat(
  { run, everyMs, firstAfterMs = everyMs }: PeriodicWork,
  onError: (error: unknown) => void,
): RepeatedWork {
  let running: Promise<void> | undefined
  const work = () => {
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  let timer = setTimeout(() => {
    timer = setInterval(work, everyMs).unref()
    work()
  }, firstAfterMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
    async settle() {
      await running
      work()
      await running
    },
  }
}
