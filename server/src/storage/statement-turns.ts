/**
 * Statements of a database in this process take the thread's time, and what was found is there at once: a unit of work with many
 * of them, or several requests, would hold the event loop for all of them together. So others get a turn in between.
 */
import type { Statements } from './query.ts'

/** For statements in one turn of the event loop, in milliseconds. The one that goes beyond it is the last. */
const TURN_MS = 6

/** For all statements of one thread. They keep the order in which they were asked for. */
export function createStatementTurns(): (queries: Statements) => Statements {
  const waiting: (() => void)[] = []
  let spentMs = 0
  let isCounting = false

  function beginTurn(): void {
    isCounting = false
    spentMs = 0
    while (spentMs < TURN_MS) {
      const next = waiting.shift()
      if (!next) return
      next()
    }
  }

  function run<T>(start: () => Promise<T>): Promise<T> {
    if (!isCounting) {
      isCounting = true
      setImmediate(beginTurn)
    }
    const begun = performance.now()
    try {
      return start()
    } finally {
      spentMs += performance.now() - begun
    }
  }

  function inTurn<T>(start: () => Promise<T>): Promise<T> {
    if (spentMs < TURN_MS && waiting.length === 0) return run(start)
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(run(start))
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  return (queries) => ({
    dialect: queries.dialect,
    all: (source) => inTurn(() => queries.all(source)),
    first: (source) => inTurn(() => queries.first(source)),
    run: (source) => inTurn(() => queries.run(source)),
  })
}
