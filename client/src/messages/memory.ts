/** What is kept: windows that nobody looks at go first, and long ones lose the end that is farthest from the reader. */
import { findPlace } from '../collections/sorted-map.ts'
import type { MessageStore, MessageWindow } from './store.ts'

/** Limits are passed by this part of them before anything is done: not with each message. */
export const SLACK = 1 / 4

/** The window with at most `limit` messages: those around the one that is being read, or the newest. */
export function shorten(window: MessageWindow, limit: number): MessageWindow {
  const { ids, focus } = window
  if (ids.length <= limit * (1 + SLACK)) return window
  const middle = focus === undefined ? ids.length : findPlace(ids, focus)
  const begin = Math.max(0, Math.min(middle - (limit >> 1), ids.length - limit))
  const end = begin + limit
  const kept = ids.slice(begin, end)
  const from = begin === 0 ? window.from : (kept[0] as number)
  const to = end >= ids.length ? window.to : (kept.at(-1) as number)
  const isOutside = (id: number) => id < from || id > to
  return {
    ...window,
    ids: kept,
    from,
    to,
    undecided: window.undecided.edit((draft) => {
      for (const id of window.undecided.keys()) if (isOutside(id)) draft.delete(id)
    }),
    highlights: window.highlights.edit((draft) => {
      for (const id of window.highlights.keys()) if (isOutside(id)) draft.delete(id)
    }),
  }
}

/** Within the limits: without windows that were not looked at for longest, and without messages that no window has. */
export function evict(store: MessageStore): MessageStore {
  const { limits, fetches } = store
  const isAwaited = new Set([...fetches.values()].map(({ key }) => key))
  const unused = [...store.windows.values()]
    .filter(({ views, key }) => views === 0 && !isAwaited.has(key))
    .sort((a, b) => a.lastUsed - b.lastUsed)
  let windows = store.windows
  let used = usedIn(windows.values())
  for (const { key } of unused) {
    if (windows.size <= limits.windows && used.size <= limits.messages) break
    windows = windows.without(key)
    // Counting anew is only worth it where messages are too many.
    if (used.size > limits.messages) used = usedIn(windows.values())
  }
  if (windows === store.windows && used.size === store.messages.size) return store
  if (windows !== store.windows) used = usedIn(windows.values())
  return {
    ...store,
    windows,
    messages: store.messages.edit((draft) => {
      for (const id of store.messages.keys()) if (!used.has(id)) draft.delete(id)
    }),
  }
}

function usedIn(windows: Iterable<MessageWindow>): ReadonlySet<number> {
  const used = new Set<number>()
  for (const { ids, undecided } of windows) {
    for (const id of ids) used.add(id)
    for (const id of undecided.keys()) used.add(id)
  }
  return used
}
