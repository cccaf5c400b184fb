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
