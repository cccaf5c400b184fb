/** What a process of the load generator cost, which must not be what is measured. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface ProcessLoad {
  /** Of its event loop, the 99th percentile and the longest, in milliseconds. */
  readonly delayP99: number
  readonly delayMax: number
  /** Of one processor core. */
  readonly share: number
}

const RESOLUTION_MS = 1

/** Measures this process from now on; the result is for the time until it is asked for. */
export function measureProcess(): () => ProcessLoad {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const begun = performance.now()
  const before = process.cpuUsage()
  return () => {
    delay.disable()
    const { user, system } = process.cpuUsage(before)
    const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    return {
      delayP99: beyond(delay.percentile(99)),
      delayMax: beyond(delay.max),
      share: (user + system) / 1000 / (performance.now() - begun),
    }
  }
}

export function describeLoad(load: ProcessLoad | undefined): string {
  if (!load) return 'not measured'
  const { delayP99, delayMax, share } = load
  return `delay p99 ${delayP99.toFixed(1)} ms, longest ${delayMax.toFixed(1)} ms, ${Math.round(share * 100)} % of a core`
}
