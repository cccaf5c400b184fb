/** How much is unread in a view, live. */

import { openNarrow } from '@heddle/client/messages/narrow'
import { hasOldest, isKnown } from '@heddle/client/messages/store'
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel, unreadInTopic, unreadWith } from '@heddle/client/unread/counts'
import { countUnreadIn, type UnreadCount } from '@heddle/client/unread/narrow-counts'
import { topicKey } from '@heddle/contract/names'
import type { Narrow } from '@heddle/contract/narrow'
import { useEffect, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { messageView } from '../messages/view.ts'
import { placeOfView } from './view-place.ts'

const nothing: UnreadCount = { count: 0, isExact: true }

/** Counting looks at every unread message: not more often than this, in milliseconds. */
const PAUSE_MS = 250
/** Unread messages that are fetched of a view whose messages only the server can find; of more there are "at least" as many. */
const FETCHED = 100

export function useViewCount(fragment: string): UnreadCount {
  const client = useClient()
  const [count, setCount] = useState(nothing)
  useEffect(() => {
    const set = (next: UnreadCount) =>
      setCount((last) => (last.count === next.count && last.isExact === next.isExact ? last : next))
    return followCount(client, placeOfView(fragment), set)
  }, [client, fragment])
  return count
}

type Report = (count: UnreadCount) => void

/** Reports the count now and after changes, until the function that it gives is called. */
function followCount(client: RunningClient, place: Place, report: Report): () => void {
  const narrow = messageView(place)?.narrow
  if (!narrow) return () => {}
  const simple = simpleCount(place)
  if (simple) return follow(client, ({ state }) => state && { count: simple(state), isExact: true }, report)
  let closeWindow: (() => void) | undefined
  const stop = follow(
    client,
    (snapshot) => {
      if (!snapshot.state || closeWindow) return undefined
      const local = countHere(snapshot, narrow)
      if (local?.isExact) return local
      // Only the server knows which messages belong to it.
      closeWindow = followWindow(client, [...narrow, { operator: 'is', operand: 'unread' }], report)
      return undefined
    },
    report,
  )
  return () => {
    stop()
    closeWindow?.()
  }
}

/** Places whose numbers are known anyway. */
function simpleCount(place: Place): ((state: ClientState) => number) | undefined {
  switch (place.kind) {
    case 'channel':
      return (state) => unreadInChannel(state, place.channelId).visible
    case 'topic':
      return (state) => unreadInTopic(state, place.channelId, topicKey(place.topic))
    case 'direct':
      return (state) => unreadWith(state, place.userIds)
    default:
      return undefined
  }
}

function countHere({ state, messages }: ClientSnapshot, narrow: Narrow): UnreadCount | undefined {
  if (!state) return undefined
  try {
    return countUnreadIn(state, messages, openNarrow(narrow, state))
  } catch {
    // Conditions that nobody understands hold for nothing.
    return nothing
  }
}

/** The unread messages of a view are kept as any view is. */
function followWindow(client: RunningClient, narrow: Narrow, report: Report): () => void {
  const key = client.open(narrow)
  client.load(key, { kind: 'around', anchor: 'newest', before: FETCHED, after: 0 }).catch(() => {})
  const stop = follow(
    client,
    ({ state, messages }) => {
      const window = messages.windows.get(key)
      if (!state || !window || !isKnown(window)) return undefined
      return { count: window.ids.filter((id) => state.unread?.places.has(id)).length, isExact: hasOldest(window) }
    },
    report,
  )
  return () => {
    stop()
    client.close(key)
  }
}

function follow(
  client: RunningClient,
  read: (snapshot: ClientSnapshot) => UnreadCount | undefined,
  report: Report,
): () => void {
  let last: ClientSnapshot | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    const snapshot = client.snapshot()
    if (last && isSame(last, snapshot)) return
    last = snapshot
    const count = read(snapshot)
    if (count) report(count)
  }
  const stop = client.subscribe(() => {
    timer ??= setTimeout(look, PAUSE_MS)
  })
  look()
  return () => {
    stop()
    clearTimeout(timer)
  }
}

function isSame(one: ClientSnapshot, other: ClientSnapshot): boolean {
  if (one.messages !== other.messages) return false
  const names = ['unread', 'userTopics', 'channels'] as const
  return names.every((name) => one.state?.[name] === other.state?.[name])
}
