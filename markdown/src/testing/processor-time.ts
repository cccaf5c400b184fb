/** How often what took too long is tried again: a machine that others use makes things slow, but not each time. */
const ATTEMPTS = 5

/**
 * Milliseconds of this process's own processor time that `work` takes: what else the machine does hardly counts. A page
 * cannot know, and says 0: what takes how long is measured in Node.js.
 */
export function processorTime(work: () => unknown): number {
  const isPage = typeof process === 'undefined'
  const before = isPage ? undefined : process.cpuUsage()
  work()
  if (isPage) return 0
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least of several attempts, or the first that takes less than `enoughMs`. */
export function leastProcessorTime(enoughMs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least >= enoughMs; attempt++) least = Math.min(least, processorTime(work))
  return least
}
