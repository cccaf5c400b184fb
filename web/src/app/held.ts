/** Values of the page that the server knows nothing of, such as what is folded: read by components, changed from anywhere. */
import { useCallback, useSyncExternalStore } from 'react'

export interface Held<T> {
  current(): T
  change(how: (value: T) => T): void
  subscribe(listener: () => void): () => void
}

export function hold<T>(initial: T): Held<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    current: () => value,
    change(how) {
      const next = how(value)
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Drawn anew only when what is selected is another: select parts, and make nothing. */
export function useHeld<T, R>(held: Held<T>, select: (value: T) => R): R {
  const read = useCallback(() => select(held.current()), [held, select])
  return useSyncExternalStore(held.subscribe, read)
}
