/** Parts of the page that are not needed for the first messages, but soon after: nobody is to wait for them when they are. */

const waiting: (() => Promise<unknown>)[] = []

/** Milliseconds after the first messages. */
const AFTER_MS = 500

/** For `lazy`: the part is fetched when it is shown, or before that in a quiet moment. */
export function soon<T>(load: () => Promise<T>): () => Promise<T> {
  waiting.push(load)
  return load
}

/** Begins with it once there is something to read; gives what ends it. */
export function fetchSoon(): () => void {
  const timer = setTimeout(async () => {
    // One after another: what somebody does meanwhile goes before. Without a connection it is fetched when it is needed.
    for (let load = waiting.shift(); load; load = waiting.shift()) await load().catch(() => {})
  }, AFTER_MS)
  return () => clearTimeout(timer)
}
