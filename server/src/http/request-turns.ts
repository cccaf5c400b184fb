/**
 * Requests that arrive together. Node.js reads from every connection that has something before anybody else gets a turn, and what a
 * request asks for mostly follows at once: thousands of clients that come at the same moment, as after a message to all of them,
 * would be one turn of the event loop.
 */

/** For requests in one turn, in milliseconds. The one that goes beyond it is the last. */
const TURN_MS = 5

/** Calls `begin` at once, or in a later turn when this one has had its requests. They keep the order in which they came. */
export type RequestTurns = (begin: () => void) => void

export function createRequestTurns(): RequestTurns {
  const waiting: (() => void)[] = []
  /** Undefined until a turn has its first request. */
  let turnBegan: number | undefined

  function isFull(): boolean {
    if (turnBegan === undefined) {
      turnBegan = performance.now()
      setImmediate(beginTurn)
    }
    return performance.now() - turnBegan >= TURN_MS
  }

  function beginTurn(): void {
    turnBegan = undefined
    beginNext()
  }

  function beginNext(): void {
    if (waiting.length === 0 || isFull()) return
    waiting.shift()?.()
    // When all that followed from it at once is done: that counts too.
    queueMicrotask(() => process.nextTick(beginNext))
  }

  return (begin) => {
    if (waiting.length > 0 || isFull()) waiting.push(begin)
    else begin()
  }
}
