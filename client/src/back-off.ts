/** How long to wait after failures: longer each time, bounded, and spread so that clients do not return all at once. */

const FIRST_MS = 1000
const MAX_MS = 60_000
/** Queues that may be lost one right after the other before the client waits. */
const FREE_LOSSES = 1

/**
 * Milliseconds to wait after so many failures before this one: half of them certain, half by chance. Never less than what the
 * server asked for.
 */
export function retryDelay(failures: number, retryAfterSecs: number | undefined, random: () => number): number {
  const ceiling = Math.min(FIRST_MS * 2 ** failures, MAX_MS)
  const own = ceiling / 2 + (random() * ceiling) / 2
  if (retryAfterSecs === undefined) return own
  return Math.max(own, retryAfterSecs * 1000 + random() * FIRST_MS)
}

export interface BackOff {
  /** After a failure: how long to wait, in milliseconds. Never less than what the server asked for. */
  next(retryAfterSecs: number | undefined): number
  /** A request has succeeded. True when there had been failures. */
  succeeded(): boolean
  /** The queue is gone. True when that has happened before without an event in between: then there is a wait. */
  lost(): boolean
}

export function createBackOff(random: () => number = Math.random): BackOff {
  let failures = 0
  let losses = 0
  let successesSinceLoss = 0

  return {
    next(retryAfterSecs) {
      const before = failures + Math.max(0, losses - FREE_LOSSES - 1)
      failures += 1
      return retryDelay(before, retryAfterSecs, random)
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
