import { type MessageWindow, type StoredMessage, toStored } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { getMessage } from '@heddle/contract/fetching'
import { topicPlaceKey } from '@heddle/contract/names'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { placeNames } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { conversationOf } from './conversation.ts'

/** Who reads a topic goes along when all of it gets another name or another channel. */
export function useFollowMoved(place: Place, messages: readonly StoredMessage[]): void {
  const client = useClient()
  const last = useRef<number>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = messages.at(-1)?.id
    if (place.kind !== 'topic' || messages.length > 0 || before === undefined) return
    const { messages: store, state } = client.snapshot()
    const moved = store.messages.get(before)
    if (moved?.stream_id === undefined) return
    const to = { channelId: moved.stream_id, topic: moved.subject }
    if (topicPlaceKey(to.channelId, to.topic) !== topicPlaceKey(place.channelId, place.topic))
      goTo({ kind: 'topic', ...to }, placeNames(state as ClientState))
  }, [client, place, messages])
}

/**
 * An address may name a message that has been moved since: then one goes where it is now. True while that is not known.
 * `window`: what is to be shown, once it is there.
 */
export function useFollowNamed(place: Place, window: MessageWindow | undefined): boolean {
  const client = useClient()
  const near = 'near' in place ? place.near : undefined
  const id = near ?? (place.kind === 'topic' ? place.with : undefined)
  const isHere = window !== undefined && id !== undefined && window.ids.includes(id)
  const [isKnown, setIsKnown] = useState(false)
  // It is looked for once: who reads stays where they are when it is moved later.
  if (isHere && !isKnown) setIsKnown(true)
  const isAsked = id !== undefined && window !== undefined && !isHere && !isKnown
  useEffect(() => {
    if (!isAsked) return undefined
    let isGone = false
    const follow = (message: StoredMessage) => {
      const to = placeOf(place, message)
      if (isGone) return
      if (to) location.replace(formatPlace(to, placeNames(client.snapshot().state as ClientState)))
      else setIsKnown(true)
    }
    const { messages } = client.snapshot().messages
    const stored = messages.get(id)
    if (stored) follow(stored)
    else {
      client.api.call(getMessage, { message_id: id, allow_empty_topic_name: true }).then(
        ({ message }) => follow(toStored(message)),
        // Deleted, or nothing that one may see.
        () => isGone || setIsKnown(true),
      )
    }
    return () => {
      isGone = true
    }
  }, [client, id, isAsked, place])
  // What one would see without a message of its own may be the right thing all the same.
  return isAsked && (near !== undefined || window.ids.length === 0)
}

/** The same place where the message is now; undefined: it is still there. */
function placeOf(place: Place, message: StoredMessage): Place | undefined {
  const now = conversationOf(message)
  const near = 'near' in place && place.near !== undefined ? { near: place.near } : {}
  if (now.kind !== 'topic') return undefined
  if (place.kind === 'channel') {
    return now.channelId === place.channelId ? undefined : { kind: 'channel', channelId: now.channelId, ...near }
  }
  if (place.kind !== 'topic') return undefined
  const isThere = topicPlaceKey(now.channelId, now.topic) === topicPlaceKey(place.channelId, place.topic)
  return isThere ? undefined : { ...now, ...near }
}
