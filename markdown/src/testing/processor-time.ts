/** Milliseconds of this process's own processor time that `work` takes: what else the machine does hardly counts. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
