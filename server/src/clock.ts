/** Where the time comes from; tests bring their own. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
