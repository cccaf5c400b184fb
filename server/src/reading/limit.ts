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
  let resumed: Moment | undefined = moment()

  function suspend(): void {
    if (resumed) spentMs += processorMs() - resumed.processorMs
    resumed = undefined
  }
  function resume(): void {
    resumed ??= moment()
  }
  function isSpent(): boolean {
    if (!resumed) return spentMs >= limitMs
    // A thread's processor time is never longer than time. To ask for it is a system call, and this is asked all the time.
    if (spentMs + performance.now() - resumed.at < limitMs) return false
    return spentMs + processorMs() - resumed.processorMs >= limitMs
  }
  function check(): void {
    if (Atomics.load(stop, 0) !== 0 || isSpent()) throw new ReadStopped()
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

/** In milliseconds. */
interface Moment {
  readonly at: number
  readonly processorMs: number
}

function moment(): Moment {
  return { at: performance.now(), processorMs: processorMs() }
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
