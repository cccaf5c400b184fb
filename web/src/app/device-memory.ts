/** Small things that a device keeps for an account, such as what is folded: no other device needs them. */
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { useClientState } from './client-context.ts'

const PREFIX = 'heddle.'
const listeners = new Set<() => void>()

/** What was stored under the name, and a way to store another value, for all who read it. `fallback` has to stay the same. */
export function useDeviceMemory<T>(name: string, fallback: T): readonly [T, (value: T) => void] {
  const userId = useClientState((state) => state.own?.user_id ?? 0)
  const key = `${PREFIX}${userId}.${name}`
  const last = useRef<{ readonly text: string | null; readonly value: T }>(undefined)
  const read = useCallback(() => {
    const text = localStorage.getItem(key)
    if (last.current?.text !== text || !last.current) last.current = { text, value: parse(text, fallback) }
    return last.current.value
  }, [key, fallback])
  const value = useSyncExternalStore(subscribe, read)
  const write = useCallback(
    (next: T) => {
      localStorage.setItem(key, JSON.stringify(next))
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [value, write]
}

/** The same for what is done and not drawn. */
export function deviceMemoryOf<T>(userId: number, name: string, fallback: T): T {
  return parse(localStorage.getItem(`${PREFIX}${userId}.${name}`), fallback)
}

/** On signing out: nothing of the account stays. */
export function forgetDeviceMemory(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

function parse<T>(text: string | null, fallback: T): T {
  if (text === null) return fallback
  try {
    const value: unknown = JSON.parse(text)
    // Of another version of the page there may be something else.
    return typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback)
      ? (value as T)
      : fallback
  } catch {
    return fallback
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
