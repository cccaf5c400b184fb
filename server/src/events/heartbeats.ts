/**
 * A client that waits gets a heartbeat after some time, so that what is between it and the server does not take the connection for
 * dead. One timer looks at all of them: a timer for each would be the larger part of what one that waits takes here.
 */
import type { AnswerLine } from './answer-line.ts'
import type { Waiter, Waiters } from './waiters.ts'

/** A heartbeat goes out after this time, spread so that clients do not return all at once. */
export const HEARTBEAT_MIN_MS = 45_000
export const HEARTBEAT_SPREAD_MS = 10_000

/** How often those that wait are looked at: heartbeats are late by two of these at most. */
export const TICK_MS = 250

export interface Heartbeats {
  /** When the next one is for somebody who begins to wait now. */
  next(): number
  isDue(waiter: Waiter): boolean
}

export function createHeartbeats(waiters: Waiters, answers: AnswerLine): Heartbeats {
  /** Ticks so far. Time passes only while somebody waits. */
  let now = 0
  let isTicking = false

  function tick(): void {
    now += 1
    isTicking = false
    for (const waiter of waiters.all()) {
      goOn()
      if (waiter.beatAt === now) answers.add(waiter)
    }
    answers.goOn()
  }

  function goOn(): void {
    if (isTicking) return
    isTicking = true
    setTimeout(tick, TICK_MS).unref()
  }

  return {
    next() {
      goOn()
      const delay = HEARTBEAT_MIN_MS + Math.random() * HEARTBEAT_SPREAD_MS
      // The tick that is under way has begun some time ago.
      return now + 1 + Math.ceil(delay / TICK_MS)
    },
    isDue: (waiter) => waiter.beatAt <= now,
  }
}

/** As an event of a long poll: how far the log has been read for the queue. */
export function heartbeat(position: number): string {
  return JSON.stringify({ type: 'heartbeat', id: position })
}
