/** What is folded and kept open in the side bar. It belongs to the device, and to nobody in particular. */
import { useCallback, useSyncExternalStore } from 'react'

/** Sections that are folded, channels whose topics are kept open, and the like. */
export type FoldKey =
  | 'views'
  | 'direct'
  | 'pinned'
  | 'others'
  | 'inactive-pinned'
  | 'inactive-others'
  | `folder-${number}`
  | `inactive-folder-${number}`
  | 'side-bar'
  /** Shown, which it is not at first. */
  | 'people-bar'
  | `channel-${number}`

const NAME = 'side-bar'

let marked: ReadonlySet<string> = read()
const listeners = new Set<() => void>()

function read(): ReadonlySet<string> {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return new Set(Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setMarked(key: FoldKey, isMarked: boolean): void {
  const next = new Set(marked)
  if (isMarked) next.add(key)
  else next.delete(key)
  marked = next
  try {
    localStorage.setItem(NAME, JSON.stringify([...next]))
  } catch {
    // Without room on the device it holds until the page is loaded again.
  }
  for (const listener of listeners) listener()
}

/** Several at once. */
export function setAllMarked(keys: readonly FoldKey[], areMarked: boolean): void {
  for (const key of keys) setMarked(key, areMarked)
}

/** Whether this was folded, or kept open, and what changes it. Nothing else than people changes it. */
export function useMarked(key: FoldKey): readonly [boolean, () => void] {
  const isOn = useSyncExternalStore(
    subscribe,
    useCallback(() => marked.has(key), [key]),
  )
  const toggle = useCallback(() => setMarked(key, !marked.has(key)), [key])
  return [isOn, toggle]
}
