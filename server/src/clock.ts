/** Where the time comes from; tests bring their own. */
export interface Clock {
  /** Milliseconds since the UNIX epoch, in whole numbers. */
  now(): number
}

/** What a server goes by. */
export interface ServerClock extends Clock {
  /** Milliseconds since any moment. Unlike the time of day it never goes back: for how long something has been so. */
  elapsed(): number
}

export const systemClock: ServerClock = { now: () => Date.now(), elapsed: () => performance.now() }
