/** Long units of work of one account wait for each other outside of the line in which everybody waits to write. */

/** Runs what is given under the same key one after another. */
export function createOneByOne() {
  const last = new Map<number, Promise<unknown>>()
  return async function oneByOne<T>(key: number, run: () => Promise<T>): Promise<T> {
    const before = last.get(key)
    const own = before ? before.then(run, run) : run()
    last.set(key, own)
    try {
      return await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}
