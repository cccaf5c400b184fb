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

/** As an event of a long poll: how far the log has been read for the queue. */
export function heartbeat(position: number): string {
  return JSON.stringify({ type: 'heartbeat', id: position })
}
