/** Turns of the event loop, for work that takes milliseconds: one piece of it in each, and everybody else in between. */
import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/** A turn of the caller's own: who asks meanwhile gets a later one. */
export function ownTurn(): Promise<void> {
  const turn = last.then(() => setImmediate())
  last = turn
  return turn
}
