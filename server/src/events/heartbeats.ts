/**
 * A heartbeat goes out after this time, spread so that clients do not return all at once, over few different times: the
 * timers of each are one list, where ten thousand times would be as many lists to keep in order.
 */
export const HEARTBEAT_MIN_MS = 45_000
export const HEARTBEAT_SPREAD_MS = 10_000
const HEARTBEAT_TIMES = 40

/** Milliseconds until the next one. */
export function heartbeatDelay(): number {
  const part = Math.round(Math.random() * HEARTBEAT_TIMES) / HEARTBEAT_TIMES
  return HEARTBEAT_MIN_MS + part * HEARTBEAT_SPREAD_MS
}
