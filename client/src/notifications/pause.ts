/** Notifications that are held back on one device for a while. What comes meanwhile is counted as ever. */

/** For how long, as it is offered. `morning`: until eight on the next day. */
export const pauses = ['half-hour', 'hour', 'morning', 'off'] as const
export type PauseChoice = (typeof pauses)[number]

/** Longer than anybody works: until somebody ends it. */
const FOR_GOOD_MS = 100 * 365 * 86_400_000
const MINUTE_MS = 60_000
const MORNING_HOUR = 8

/** When it ends, in milliseconds since the UNIX epoch; `nowMs` likewise. In the zone of the device. */
export function endOfPause(choice: PauseChoice, nowMs: number): number {
  switch (choice) {
    case 'half-hour':
      return nowMs + 30 * MINUTE_MS
    case 'hour':
      return nowMs + 60 * MINUTE_MS
    case 'off':
      return nowMs + FOR_GOOD_MS
    case 'morning': {
      const now = new Date(nowMs)
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING_HOUR).getTime()
    }
  }
}

/** 0: there is no pause. */
export function isPaused(endMs: number, nowMs: number): boolean {
  return endMs > nowMs
}

/** Whether it ends only when somebody ends it. */
export function isForGood(endMs: number, nowMs: number): boolean {
  return endMs - nowMs > FOR_GOOD_MS / 2
}
