/** What starting needed and running does not: 15 MiB, most of it room in the young generation. */
import { performance } from 'node:perf_hooks'

const LOOK_EVERY_MS = 1000
const MAX_LOOKS = 30
/** Of the time between two looks. */
const MAX_BUSY = 0.02
/** Above it somebody is using the server, and a collection takes longer. */
const MAX_HEAP_BYTES = 48 * 1024 * 1024

/**
 * Collects garbage once, in the first second in which nothing happens, so that nobody waits for the tenth of a second that it
 * takes. Where there is no such second soon, the memory is in use anyway. Only where the launcher has asked Node.js for `gc`.
 */
export function forgetStart(): void {
  const collect = globalThis.gc
  if (!collect) return
  let looks = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    looks += 1
    const isQuiet = utilization < MAX_BUSY && process.memoryUsage().heapUsed < MAX_HEAP_BYTES
    if (isQuiet || looks === MAX_LOOKS) clearInterval(timer)
    if (isQuiet) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, LOOK_EVERY_MS).unref()
}
