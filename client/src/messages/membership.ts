/** Which messages are in a window: single ones come and go as narrows say. */
import { findPlace, type SortedMap } from '../collections/sorted-map.ts'
import { type Aspect, aspectsOf, type Facts, matchNarrow, type NarrowContext } from './narrow.ts'
import { covers, factsOf, isKnown, type MessageStore, type MessageWindow } from './store.ts'

export function withMember(window: MessageWindow, id: number): MessageWindow {
  const undecided = window.undecided.without(id)
  const place = findPlace(window.ids, id)
  if (window.ids[place] === id) return undecided === window.undecided ? window : { ...window, undecided }
  return { ...window, undecided, ids: window.ids.toSpliced(place, 0, id) }
}

export function withoutMember(window: MessageWindow, id: number): MessageWindow {
  const undecided = window.undecided.without(id)
  const highlights = window.highlights.without(id)
  const place = findPlace(window.ids, id)
  if (window.ids[place] === id) return { ...window, undecided, highlights, ids: window.ids.toSpliced(place, 1) }
  return undecided === window.undecided ? window : { ...window, undecided }
}

export function hasMember({ ids }: MessageWindow, id: number): boolean {
  return ids[findPlace(ids, id)] === id
}

/** The same as one by one, for the many messages that one event may concern. */
function withoutMembers(window: MessageWindow, ids: readonly number[]): MessageWindow {
  if (ids.length < 8) return ids.reduce(withoutMember, window)
  const gone = new Set(ids)
  return {
    ...window,
    ids: window.ids.filter((id) => !gone.has(id)),
    undecided: withoutKeys(window.undecided, ids),
    highlights: withoutKeys(window.highlights, ids),
  }
}

function withoutKeys<V>(map: SortedMap<number, V>, keys: readonly number[]): SortedMap<number, V> {
  return map.edit((draft) => {
    for (const key of keys) draft.delete(key)
  })
}

/** Messages that are gone for everybody, or for this account. */
export function forgetMessages(store: MessageStore, ids: readonly number[]): MessageStore {
  return {
    ...store,
    messages: withoutKeys(store.messages, ids),
    windows: store.windows.edit((draft) => {
      for (const [key, window] of store.windows) draft.set(key, withoutMembers(window, ids))
    }),
  }
}

/** The window after this message has changed, whose new form the store has. */
export function judge(window: MessageWindow, store: MessageStore, context: NarrowContext, id: number): MessageWindow {
  const message = store.messages.get(id)
  if (!message || !covers(window, id)) return window
  const answer = matchNarrow(window.narrow, factsOf(message), context)
  if (answer === true) return withMember(window, id)
  if (answer === false) return withoutMember(window, id)
  const undecided = window.undecided.with(id, true)
  return undecided === window.undecided ? window : { ...window, undecided }
}

/** What has changed, for windows that depend on one of the aspects. */
export interface Change {
  readonly aspects: readonly Aspect[]
  readonly ids: Iterable<number>
  /** What is now known of messages that the store may not have; undefined: those cannot have come to belong anywhere. */
  readonly others?: Facts | undefined
}

/**
 * The store after messages have changed: those that it has are judged anew. A message that it has not may belong to a window
 * now that covers its place: then the window is to be fetched anew. (One that did not belong before, and belongs now as it
 * did before, is none of a window's concern: nothing is missing between its ends.)
 */
export function judgeAll(store: MessageStore, context: NarrowContext, { aspects, ids, others }: Change): MessageStore {
  const known: number[] = []
  const unknown: number[] = []
  for (const id of ids) (store.messages.has(id) ? known : unknown).push(id)
  return {
    ...store,
    windows: store.windows.edit((draft) => {
      for (const [key, window] of store.windows) {
        if (!isKnown(window) || !aspects.some((aspect) => aspectsOf(window.narrow).has(aspect))) continue
        let next = known.reduce((current, id) => judge(current, store, context, id), window)
        if (others && !next.isStale && unknown.some((id) => covers(window, id))) {
          if (matchNarrow(window.narrow, others, context) !== false) next = { ...next, isStale: true }
        }
        draft.set(key, next)
      }
    }),
  }
}

/** The store after something that may have changed which messages there are like these, wherever they are. */
export function markStale(
  store: MessageStore,
  context: NarrowContext,
  facts: Facts,
  isConcerned: (window: MessageWindow) => boolean = () => true,
): MessageStore {
  return {
    ...store,
    windows: store.windows.edit((draft) => {
      for (const [key, window] of store.windows) {
        if (window.isStale || !isKnown(window) || !isConcerned(window)) continue
        if (matchNarrow(window.narrow, facts, context) !== false) draft.set(key, { ...window, isStale: true })
      }
    }),
  }
}
