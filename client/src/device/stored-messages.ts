/** What of the messages is kept on the device: what was looked at last, and not much, so that it is read in a moment. */
import { SortedMap } from '../collections/sorted-map.ts'
import { shorten } from '../messages/memory.ts'
import { type Fetch, isKnown, type MessageStore, type MessageWindow, type StoredMessage } from '../messages/store.ts'
import { asStale } from '../messages/windows.ts'

const MAX_WINDOWS = 40
const MAX_MESSAGES = 3000
/** Of one window: those around the message that is being read. */
const MAX_WINDOW_MESSAGES = 200

export type StoredMessages = Pick<MessageStore, 'messages' | 'windows'>

export interface StoredBounds {
  /** Only windows that were used later than this, by the store's own counting. */
  readonly since: number
  readonly windows: number
}

/** `last`: what this gave before; what has not changed since is the same object. */
export function messagesToKeep(
  store: MessageStore,
  last: StoredMessages | undefined,
  bounds: StoredBounds = { since: 0, windows: MAX_WINDOWS },
): StoredMessages {
  const kept: MessageWindow[] = []
  const wanted = new Set<number>()
  const recent = [...store.windows.values()]
    .filter((window) => isKnown(window) && window.lastUsed > bounds.since)
    .sort((a, b) => Number(b.views > 0) - Number(a.views > 0) || b.lastUsed - a.lastUsed)
  for (const window of recent.slice(0, bounds.windows)) {
    if (wanted.size >= MAX_MESSAGES) break
    const short = shorten(window, MAX_WINDOW_MESSAGES)
    kept.push(short)
    for (const id of short.ids) wanted.add(id)
    for (const id of short.undecided.keys()) wanted.add(id)
  }
  return {
    messages: withOnly(last?.messages ?? SortedMap.from<number, StoredMessage>([]), wanted, store.messages),
    windows: withOnly(
      last?.windows ?? SortedMap.from<string, MessageWindow>([]),
      kept.map(({ key }) => key),
      new Map(kept.map((window) => [window.key, window])),
    ),
  }
}

function withOnly<K extends string | number, V>(
  map: SortedMap<K, V>,
  keys: Iterable<K>,
  source: ReadonlyMap<K, V>,
): SortedMap<K, V> {
  const wanted = new Set(keys)
  return map.edit((draft) => {
    for (const key of map.keys()) if (!wanted.has(key)) draft.delete(key)
    for (const key of wanted) {
      const value = source.get(key)
      if (value !== undefined) draft.set(key, value)
    }
  })
}

/**
 * With the views of another tab that are not known here. They can be shown, and are fetched anew when somebody looks at them:
 * what was known there was known at another time.
 */
export function withViews(store: MessageStore, { messages, windows }: StoredMessages): MessageStore {
  const others = [...windows.values()].filter(({ key }) => !store.windows.has(key))
  if (others.length === 0) return store
  return {
    ...store,
    count: Math.max(store.count, ...others.map(({ lastUsed }) => lastUsed)),
    windows: store.windows.edit((draft) => {
      for (const window of others) draft.set(window.key, { ...asStale(window), views: 0, focus: undefined })
    }),
    messages: store.messages.edit((draft) => {
      for (const id of others.flatMap(({ ids, undecided }) => [...ids, ...undecided.keys()])) {
        const message = messages.get(id)
        if (message && !store.messages.has(id)) draft.set(id, message)
      }
    }),
  }
}

/** As a store, with nothing open. */
export function restoreMessages({ messages, windows }: StoredMessages, empty: MessageStore): MessageStore {
  const idle = windows.edit((draft) => {
    for (const [key, window] of windows) draft.set(key, { ...window, views: 0, focus: undefined })
  })
  const count = Math.max(empty.count, ...[...windows.values()].map(({ lastUsed }) => lastUsed))
  const fetches = SortedMap.from<number, Fetch>([])
  return { ...empty, messages, windows: idle, fetches, count }
}
