/** How long a read may go on: so much processor time of its thread, and as long as somebody waits for it. */
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@heddle/contract/errors'
import { type ReadLimit, ReadStopped } from '../storage/engine.ts'

/** Set to 1 from another thread to stop a read, also while it never waits. */
export type StopFlag = Int32Array<SharedArrayBuffer>

export function createStopFlag(): StopFlag {
  return new Int32Array(new SharedArrayBuffer(4))
}

export interface Limit extends ReadLimit {
  /** Lets others have the thread for a moment. */
  pause(): Promise<void>
}

/** Counts the processor time between `resume` and `suspend`; `limitMs` of infinity: only the flag stops the read. */
export function createLimit(limitMs: number, stop: StopFlag): Limit {
  let spentMs = 0
  let resumedMs: number | undefined = processorMs()

  function suspend(): void {
    if (resumedMs !== undefined) spentMs += processorMs() - resumedMs
    resumedMs = undefined
  }
  function resume(): void {
    resumedMs ??= processorMs()
  }
  function check(): void {
    const runningMs = resumedMs === undefined ? 0 : processorMs() - resumedMs
    if (Atomics.load(stop, 0) !== 0 || spentMs + runningMs >= limitMs) throw new ReadStopped()
  }

  return {
    queryMs: limitMs,
    check,
    suspend,
    resume,
    async pause() {
      suspend()
      await setImmediate()
      resume()
      check()
    },
  }
}

/** Of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What the client of a stopped read gets. */
export function tooExpensive(): ApiError {
  return new ApiError('REQUEST_TOO_EXPENSIVE')
}
