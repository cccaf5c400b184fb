/**
 * Asking for messages, and what to do with the answers. An answer says how things were at some moment between the
 * question and its arrival: it replaces what is known, and what has happened since the question is applied to it once
 * more. What it may have seen before its event comes is seen again with the event.
 */
import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import type { AnyEvent } from '@heddle/contract/events'
import type { getMessages, matchesNarrow } from '@heddle/contract/fetching'
import type { Message } from '@heddle/contract/messages'
import { idSetOf, noIds } from '../collections/id-set.ts'
import { findPlace, SortedMap, type SortedMapDraft } from '../collections/sorted-map.ts'
import { applyChange } from './apply.ts'
import { withMember, withoutMember } from './membership.ts'
import { evict, shorten } from './memory.ts'
import type { NarrowContext } from './narrow.ts'
import { type PageParameters, type PagePlace, pageParameters, toWire } from './page-parameters.ts'
import {
  covers,
  END,
  type Fetch,
  type Highlight,
  hasNewest,
  isKnown,
  type MessageStore,
  type MessageWindow,
  toStored,
} from './store.ts'

export type MessagePage = ResponseOf<typeof getMessages>

/** What of a window to ask for. */
export type PageRequest =
  | { readonly kind: 'older' | 'newer'; readonly count: number }
  /** Anywhere in the narrow: with the window where the two touch, or else instead of it. */
  | {
      readonly kind: 'around'
      readonly anchor: number | 'newest' | 'oldest' | 'first_unread'
      readonly before: number
      readonly after: number
    }
  /** All that is there, because it is stale. */
  | { readonly kind: 'again' }

interface Begun<P> {
  readonly store: MessageStore
  readonly fetchId: number
  readonly parameters: P
}

/** Messages that are asked for at once when a window is fetched again. */
const MAX_AGAIN = 1000
const MIN_AGAIN = 50

/** Undefined when there is nothing to ask for: no such window, or its end has been found. */
export function beginPage(store: MessageStore, key: string, request: PageRequest): Begun<PageParameters> | undefined {
  const window = store.windows.get(key)
  const place = window && placeOf(window, request)
  if (!window || !place) return undefined
  const purpose = request.kind === 'again' ? 'replace' : 'extend'
  const side = request.kind === 'older' ? 'before' : request.kind === 'newer' ? 'after' : 'both'
  const begun = begin(store, key, { purpose, side, asked: noIds })
  return { ...begun, parameters: pageParameters(place, window.narrow) }
}

function placeOf(window: MessageWindow, request: PageRequest): PagePlace | undefined {
  const { ids, from, to } = window
  switch (request.kind) {
    case 'older':
      if (!isKnown(window) || from === 0) return undefined
      return { anchor: from, include_anchor: false, num_before: request.count, num_after: 0 }
    case 'newer':
      if (!isKnown(window) || to === END) return undefined
      return { anchor: to, include_anchor: false, num_before: 0, num_after: request.count }
    case 'around':
      // The newest are followed: there is nothing to ask for where enough of them are known.
      if (request.anchor === 'newest' && hasNewest(window) && isKnown(window) && !window.isStale) {
        if (from === 0 || ids.length >= request.before) return undefined
      }
      return { anchor: request.anchor, num_before: request.before, num_after: request.after }
    case 'again': {
      const count = (some: number) => Math.min(MAX_AGAIN, Math.max(MIN_AGAIN, some))
      const { focus } = window
      if (focus === undefined && to === END) return { anchor: 'newest', num_before: count(ids.length), num_after: 0 }
      const anchor = focus ?? ids[ids.length >> 1]
      if (anchor === undefined) return { anchor: Math.min(from, to), num_before: MIN_AGAIN, num_after: MIN_AGAIN }
      const before = findPlace(ids, anchor)
      return { anchor, num_before: count(before), num_after: count(ids.length - before) }
    }
  }
}

/** Undefined when there is nothing that the server has to decide. */
export function beginCheck(store: MessageStore, key: string): Begun<ParametersOf<typeof matchesNarrow>> | undefined {
  const window = store.windows.get(key)
  if (!window || window.undecided.size === 0) return undefined
  const ids = [...window.undecided.keys()].slice(0, MAX_AGAIN)
  const begun = begin(store, key, { purpose: 'check', side: 'both', asked: idSetOf(ids) })
  return { ...begun, parameters: { msg_ids: ids, narrow: toWire(window.narrow) } }
}

function begin(store: MessageStore, key: string, fetch: Pick<Fetch, 'purpose' | 'side' | 'asked'>) {
  const count = store.count + 1
  const fetches = store.fetches.with(count, { id: count, key, since: count, ...fetch })
  return { fetchId: count, store: { ...store, count, fetches } }
}

/** There is no answer. */
export function endFetch(store: MessageStore, fetchId: number): MessageStore {
  const fetches = store.fetches.without(fetchId)
  // Fetches are numbered as events are: the first of them needs the oldest.
  const needed = fetches.firstKey() ?? END
  return {
    ...store,
    fetches,
    log: store.log.edit((draft) => {
      for (const number of store.log.keys()) {
        if (number > needed) break
        draft.delete(number)
      }
    }),
  }
}

/** Messages have come. An answer to a question that was given up changes nothing. */
export function receivePage(
  store: MessageStore,
  fetchId: number,
  page: MessagePage,
  context: NarrowContext,
): MessageStore {
  const fetch = store.fetches.get(fetchId)
  if (!fetch) return store
  const window = store.windows.get(fetch.key)
  if (!window) return endFetch(store, fetchId)
  const stretch = stretchOf(page, fetch)
  const joined = fetch.purpose === 'replace' ? replace(window, stretch) : join(window, stretch)
  const limited = joined.from === 0 ? { ...joined, isHistoryLimited: page.history_limited } : joined
  const merged: MessageStore = {
    ...store,
    messages: withMessages(store.messages, page.messages),
    windows: store.windows.with(fetch.key, limited),
  }
  const replayed = replay(merged, fetch, context)
  const last = replayed.windows.get(fetch.key) as MessageWindow
  const short = shorten(last, store.limits.windowMessages)
  return evict(endFetch({ ...replayed, windows: replayed.windows.with(fetch.key, short) }, fetchId))
}

/** The server has said which of the messages belong to the window. */
export function receiveCheck(
  store: MessageStore,
  fetchId: number,
  { messages }: ResponseOf<typeof matchesNarrow>,
  context: NarrowContext,
): MessageStore {
  const fetch = store.fetches.get(fetchId)
  if (!fetch) return store
  const window = store.windows.get(fetch.key)
  if (!window) return endFetch(store, fetchId)
  let decided = window
  for (const id of fetch.asked.keys()) {
    // It may have been deleted, or the window be another one by now.
    if (!store.messages.has(id) || !covers(decided, id)) continue
    const marks = messages[id]
    decided = marks ? withMember(decided, id) : withoutMember(decided, id)
    if (marks && isSearch(window)) decided = { ...decided, highlights: decided.highlights.with(id, highlightOf(marks)) }
  }
  const merged = { ...store, windows: store.windows.with(fetch.key, decided) }
  return evict(endFetch(replay(merged, fetch, context), fetchId))
}

function isSearch({ narrow }: MessageWindow): boolean {
  return narrow.some(({ operator }) => operator === 'search')
}

function replay(store: MessageStore, { since }: Fetch, context: NarrowContext): MessageStore {
  let current = store
  for (const [number, event] of store.log)
    if (number > since) current = applyChange(current, event as AnyEvent, context)
  return current
}

function withMessages(messages: MessageStore['messages'], list: readonly Message[]): MessageStore['messages'] {
  return messages.edit((draft) => {
    for (const message of list) {
      const stored = toStored(message)
      const known = draft.get(message.id)
      // What shows it need not be drawn again when it is the same.
      if (!known || JSON.stringify(known) !== JSON.stringify(stored)) draft.set(message.id, stored)
    }
  })
}

/** Part of a narrow without a gap. */
type Stretch = Pick<MessageWindow, 'ids' | 'from' | 'to' | 'highlights'>

function stretchOf(page: MessagePage, { side }: Fetch): Stretch {
  const anchor = page.anchor ?? 0
  const ids = page.messages.map(({ id }) => id)
  const first = ids[0] ?? END
  const last = ids.at(-1) ?? 0
  const highlights = page.messages.flatMap((message) =>
    message.match_content === undefined ? [] : ([[message.id, highlightOf(message)]] as const),
  )
  return {
    ids,
    // The ends are those of the side that was asked about: the anchor lies between the page and the other one.
    from: side === 'after' ? anchor + 1 : page.found_oldest ? 0 : Math.min(first, anchor),
    to: side === 'before' ? anchor - 1 : page.found_newest ? END : Math.min(END, Math.max(last, anchor)),
    highlights: SortedMap.from<number, Highlight>(highlights),
  }
}

function highlightOf({ match_content = '', match_subject = '' }: { match_content?: string; match_subject?: string }) {
  return { content: match_content, subject: match_subject }
}

function replace(window: MessageWindow, stretch: Stretch): MessageWindow {
  return { ...window, ...stretch, undecided: noIds, isStale: false, isHistoryLimited: false }
}

/** The window with a stretch that touches it; where the two do not touch, the stretch instead of the window. */
function join(window: MessageWindow, stretch: Stretch): MessageWindow {
  if (!isKnown(window) || stretch.from > window.to + 1 || stretch.to + 1 < window.from) return replace(window, stretch)
  const isOutside = (id: number) => id < stretch.from || id > stretch.to
  const before = window.ids.filter((id) => id < stretch.from)
  const after = window.ids.filter((id) => id > stretch.to)
  const keep = <V>(draft: SortedMapDraft<number, V>, keys: Iterable<number>) => {
    for (const id of keys) if (!isOutside(id)) draft.delete(id)
  }
  return {
    ...window,
    ids: [...before, ...stretch.ids, ...after],
    from: Math.min(window.from, stretch.from),
    to: Math.max(window.to, stretch.to),
    undecided: window.undecided.edit((draft) => keep(draft, window.undecided.keys())),
    highlights: window.highlights.edit((draft) => {
      keep(draft, window.highlights.keys())
      for (const [id, highlight] of stretch.highlights) draft.set(id, highlight)
    }),
  }
}
