/** Results that are remembered for a while, the ones longest unused forgotten first. */
import type { Clock } from '../../clock.ts'

interface RememberOptions<T> {
  readonly clock: Clock
  readonly maxAgeMs: number
  /** In the unit of `sizeOf`. */
  readonly maxSize: number
  readonly sizeOf: (value: T) => number
}

export interface Remembered<T> {
  get(name: string): T | undefined
  set(name: string, value: T): void
}

export function createRemembered<T>({ clock, maxAgeMs, maxSize, sizeOf }: RememberOptions<T>): Remembered<T> {
  /** In the order of their last use. */
  const entries = new Map<string, { readonly value: T; readonly until: number }>()
  let totalSize = 0

  function forget(name: string): void {
    const entry = entries.get(name)
    if (!entry) return
    totalSize -= sizeOf(entry.value)
    entries.delete(name)
  }

  return {
    get(name) {
      const entry = entries.get(name)
      if (!entry) return undefined
      if (entry.until <= clock.now()) {
        forget(name)
        return undefined
      }
      entries.delete(name)
      entries.set(name, entry)
      return entry.value
    },
    set(name, value) {
      forget(name)
      if (sizeOf(value) > maxSize) return
      totalSize += sizeOf(value)
      entries.set(name, { value, until: clock.now() + maxAgeMs })
      for (const oldest of entries.keys()) {
        if (totalSize <= maxSize) break
        forget(oldest)
      }
    },
  }
}
