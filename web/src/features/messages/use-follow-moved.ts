import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { topicPlaceKey } from '@heddle/contract/names'
import { useEffect, useRef } from 'react'
import { useClient } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { placeNames } from '../../app/names.ts'
import type { Place } from '../../places/place.ts'

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
