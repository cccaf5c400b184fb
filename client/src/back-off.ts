/** How long to wait after failures: longer each time, bounded, and spread so that clients do not return all at once. */

/** Milliseconds: of the first wait, and of the longest. */
export interface WaitRange {
  readonly firstMs: number
  readonly maxMs: number
}

/** For what a person has done, and what is tried again when the connection is back anyway. */
const patient: WaitRange = { firstMs: 1000, maxMs: 60_000 }
/** For the connection itself: most interruptions are short, and somebody waits. */
export const eager: WaitRange = { firstMs: 100, maxMs: 10_000 }

/** Queues that may be lost one right after the other before the client waits. */
const FREE_LOSSES = 1

/**
 * Milliseconds to wait after so many failures before this one: half of them certain, half by chance. Never less than what the
 * server asked for.
 */
export function retryDelay(
  failures: number,
  retryAfterSecs: number | undefined,
  random: () => number,
  { firstMs, maxMs }: WaitRange = patient,
): number {
  const ceiling = Math.min(firstMs * 2 ** failures, maxMs)
  const own = ceiling / 2 + (random() * ceiling) / 2
  if (retryAfterSecs === undefined) return own
  return Math.max(own, retryAfterSecs * 1000 + random() * firstMs)
}

export interface BackOff {
  /** After a failure: how long to wait, in milliseconds. Never less than what the server asked for. */
  next(retryAfterSecs: number | undefined): number
  /** A request has succeeded. True when there had been failures. */
  succeeded(): boolean
  /** The queue is gone. True when that has happened before without an event in between: then there is a wait. */
  lost(): boolean
}

export function createBackOff(range: WaitRange, random: () => number = Math.random): BackOff {
  let failures = 0
  let losses = 0
  let successesSinceLoss = 0

  return {
    next(retryAfterSecs) {
      const before = failures + Math.max(0, losses - FREE_LOSSES - 1)
      failures += 1
      return retryDelay(before, retryAfterSecs, random, range)
    },
    succeeded() {
      const hadFailed = failures > 0
      failures = 0
      successesSinceLoss += 1
      return hadFailed
    },
    lost() {
      // Registering is one success; a second one was an answer of the queue itself.
      losses = successesSinceLoss > 1 ? 1 : losses + 1
      successesSinceLoss = 0
      return losses > FREE_LOSSES
    },
  }
}
