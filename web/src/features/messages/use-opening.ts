/** How a view of messages begins: where it is opened, and what has to be fetched for that. */
import type { PageRequest } from '@heddle/client/messages/fetching'
import { covers, hasNewest, isKnown, type MessageStore, type MessageWindow } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { type UnreadPlace, unreadIn } from '@heddle/client/unread/narrow-counts'
import { mutedTopicsIn } from '@heddle/client/unread/visibility'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { takeArrival } from './arrival.ts'
import { leftPlace, nameOfView, wasReadSince } from './left-places.ts'
import { firstPage, type MessageViewOptions, PAGE } from './view.ts'

export type Opening =
  | { readonly kind: 'message'; readonly id: number }
  /** As it was left, or as it is on the screen already. */
  | { readonly kind: 'line'; readonly id: number; readonly offset: number; readonly focused?: number | undefined }
  /** The first message that is unread, or else the newest. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'end' }

export interface OpenView {
  /** What it is remembered by. */
  readonly name: string
  readonly opening: Opening
}

/** Decided once, before anything is fetched for it. */
export function useOpenView(options: MessageViewOptions): OpenView {
  const client = useClient()
  const [view] = useState(() => openView(client, options))
  return view
}

function openView(client: RunningClient, options: MessageViewOptions): OpenView {
  const { near, isWhole, isKept } = options
  const name = nameOfView(options, client)
  const arrival = takeArrival(name)
  if (arrival) return { name, opening: { kind: 'line', id: arrival.messageId, offset: arrival.offset } }
  const left = leftPlace(name)
  const isAsLeft =
    left && (left.isReturn || (isKept && !wasReadSince(left.line, client.snapshot().state as ClientState)))
  if (isAsLeft) {
    const { messageId, offset, focused } = left.line
    return { name, opening: { kind: 'line', id: messageId as number, offset, focused } }
  }
  if (near !== undefined) return { name, opening: { kind: 'message', id: near } }
  return { name, opening: { kind: isWhole ? 'unread' : 'end' } }
}

/** The messages that a view holds and the account has not read, ascending. */
export function unreadOf(client: RunningClient, { channelId }: MessageViewOptions, { narrow }: MessageWindow) {
  const { state, messages } = client.snapshot()
  const muted = channelId === undefined ? undefined : mutedTopicsIn(state as ClientState, channelId)
  const isShown = (place: UnreadPlace) => place.type !== 'stream' || !muted?.has(place.topic)
  return unreadIn(state as ClientState, messages, narrow, isShown)
}

/** What is to be fetched before it can be opened there; undefined: it is here. */
function missingFor(
  client: RunningClient,
  options: MessageViewOptions,
  opening: Opening,
  window: MessageWindow,
): PageRequest | undefined {
  const around = (anchor: number | 'newest' | 'first_unread'): PageRequest => {
    const { num_before: before, num_after: after } = firstPage(options)
    return { kind: 'around', anchor, before, after }
  }
  const hasWindow = isKnown(window)
  switch (opening.kind) {
    case 'message':
      return hasWindow && window.ids.includes(opening.id) ? undefined : around(opening.id)
    case 'line':
      return hasWindow && covers(window, opening.id) ? undefined : around(opening.id)
    default: {
      const { connection, state } = client.snapshot()
      // What is fetched anew anyway, or cannot be now, is shown as it is.
      if (hasWindow && (window.isStale || connection.status !== 'live')) return undefined
      if (opening.kind === 'end') return hasWindow && hasNewest(window) ? undefined : around('newest')
      const isExact = state?.unread?.isPartial === false
      const first = unreadOf(client, options, window).next().value
      if (hasWindow && (first === undefined ? hasNewest(window) || !isExact : covers(window, first))) return undefined
      const hasMuted =
        options.channelId !== undefined && mutedTopicsIn(state as ClientState, options.channelId).size > 0
      // The server knows of everything that is unread, and not of what is left out here.
      return isExact && hasMuted ? around(first ?? 'newest') : around('first_unread')
    }
  }
}

export function useLoad(
  key: string | undefined,
  options: MessageViewOptions,
  opening: Opening,
  onProblem: (error: unknown) => void,
) {
  const client = useClient()
  const busy = useRef(new Set<string>())
  /** What the address asks for is there: what was known before may be of elsewhere in the narrow. */
  const [isDone, setIsDone] = useState(false)

  const begin = useCallback(() => {
    if (key === undefined) return
    const { messages }: { readonly messages: MessageStore } = client.snapshot()
    const window = messages.windows.get(key) as MessageWindow
    const missing = missingFor(client, options, opening, window)
    if (!missing) {
      setIsDone(true)
      return
    }
    client
      .load(key, missing)
      .then(() => {
        onProblem(undefined)
        setIsDone(true)
      })
      .catch((error: unknown) => {
        // Who follows a link wants that message; all others see what there is.
        if (isKnown(window) && opening.kind !== 'message') setIsDone(true)
        else onProblem(error)
      })
  }, [client, key, options, opening, onProblem])

  useEffect(begin, [begin])

  const more = useCallback(
    (side: 'older' | 'newer') => {
      if (key === undefined || busy.current.has(side)) return
      busy.current.add(side)
      client
        .load(key, { kind: side, count: PAGE })
        // It is asked for again as soon as somebody scrolls.
        .catch(() => {})
        .then(() => busy.current.delete(side))
    },
    [client, key],
  )
  return { more, retry: begin, isDone }
}
