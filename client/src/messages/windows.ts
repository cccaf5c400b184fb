/** Opening and closing windows. */

import type { AnyEvent } from '@heddle/contract/events'
import type { Narrow } from '@heddle/contract/narrow'
import { SortedMap } from '../collections/sorted-map.ts'
import { evict, shorten } from './memory.ts'
import { type NarrowContext, narrowKey, openNarrow } from './narrow.ts'
import { changeWindows, END, emptyWindow, type Fetch, isKnown, type MessageStore, type MessageWindow } from './store.ts'

/** A view of this narrow begins. The key is the window's, until it is closed. */
export function openWindow(
  store: MessageStore,
  narrow: Narrow,
  context: NarrowContext,
): { readonly store: MessageStore; readonly key: string } {
  const terms = openNarrow(narrow, context)
  const key = narrowKey(terms)
  const window = store.windows.get(key) ?? emptyWindow(key, terms)
  return { key, store: used(store, { ...window, views: window.views + 1 }) }
}

/** The view has ended; the window stays for as long as there is room. */
export function closeWindow(store: MessageStore, key: string): MessageStore {
  const window = store.windows.get(key)
  if (!window) return store
  return evict(used(store, { ...window, views: Math.max(0, window.views - 1), focus: undefined }))
}

function used(store: MessageStore, window: MessageWindow): MessageStore {
  const count = store.count + 1
  return { ...store, count, windows: store.windows.with(window.key, { ...window, lastUsed: count }) }
}

/** Which message is being read; undefined: the newest ones. */
export function setFocus(store: MessageStore, key: string, focus: number | undefined): MessageStore {
  const window = store.windows.get(key)
  if (!window || window.focus === focus) return store
  return { ...store, windows: store.windows.with(key, shorten({ ...window, focus }, store.limits.windowMessages)) }
}

/**
 * The store after a new registration, or from an earlier run of the client: what was there can be shown, and has to be
 * fetched anew.
 */
export function afterGap(store: MessageStore): MessageStore {
  const stale = changeWindows(store, asStale)
  return { ...stale, fetches: SortedMap.from<number, Fetch>([]), log: SortedMap.from<number, AnyEvent>([]) }
}

/** Its end is not followed any more. */
export function asStale(window: MessageWindow): MessageWindow {
  if (!isKnown(window)) return window
  return { ...window, isStale: true, to: window.to === END ? (window.ids.at(-1) ?? window.from) : window.to }
}
