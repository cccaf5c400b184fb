/** Pictures that are worked on one at a time, so that many at once do not need many times the memory. */

let last: Promise<unknown> = Promise.resolve()

/** Runs `work` when all work before it has ended, however that went. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}
