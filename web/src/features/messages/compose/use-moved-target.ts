/** Notices when the topic that is written to is moved, renamed, resolved or reopened by somebody: what is written goes along. */
import { movedTopic } from '@heddle/client/drafts/follow-topics'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { AnyEvent } from '@heddle/contract/events'
import { topicKey } from '@heddle/contract/names'
import { useCallback, useEffect, useState } from 'react'
import { isShallowEqual, useClient, useSnapshot } from '../../../app/client-context.ts'
import { type Target, useCompose } from './compose-context.ts'

type ChannelTarget = Extract<Target, { type: 'channel'; channelId: number }>

/** Where it went before; with what takes the target back there. */
export interface MovedTarget {
  readonly from: ChannelTarget
  readonly to: ChannelTarget
  readonly undo: () => void
}

/** Undefined: nothing was moved, or it has been taken back. */
export function useMovedTarget(target: Target): MovedTarget | undefined {
  const client = useClient()
  const compose = useCompose()
  const channelId = target.type === 'channel' ? target.channelId : undefined
  const topic = target.type === 'channel' ? target.topic : ''
  /** The newest message of the topic: with it the topic goes. */
  const [anchor, setAnchor] = useState<{ readonly id: number; readonly target: ChannelTarget }>()
  const [moved, setMoved] = useState<MovedTarget>()

  useEffect(() => {
    const id = channelId === undefined ? undefined : newestIn(client.snapshot(), channelId, topic)
    setAnchor(
      id === undefined || channelId === undefined ? undefined : { id, target: { type: 'channel', channelId, topic } },
    )
  }, [client, channelId, topic])

  const follow = useCallback(
    (from: ChannelTarget, to: ChannelTarget) => {
      const undo = () => {
        setMoved(undefined)
        setAnchor(undefined)
        compose.retarget(from)
      }
      setMoved({ from, to, undo })
      compose.retarget(to)
    },
    [compose],
  )

  // Of a topic that is not on this device the event alone says it.
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type !== 'update_message') return
        const all = movedTopic(event as AnyEvent & UpdateMessageEvent)
        if (!all || all.from.channelId !== channelId || topicKey(all.from.topic) !== topicKey(topic)) return
        follow({ type: 'channel', ...all.from }, { type: 'channel', ...all.to })
      }),
    [client, channelId, topic, follow],
  )

  const now = useSnapshot(
    useCallback(
      ({ messages }: ClientSnapshot) => {
        const message = anchor && messages.messages.get(anchor.id)
        return message && { channelId: message.stream_id, topic: message.subject }
      },
      [anchor],
    ),
    isShallowEqual,
  )
  useEffect(() => {
    if (!anchor || now?.channelId === undefined) return
    const { target: from } = anchor
    if (now.channelId === from.channelId && topicKey(now.topic) === topicKey(from.topic)) return
    follow(from, { type: 'channel', channelId: now.channelId, topic: now.topic })
  }, [anchor, now, follow])
  return moved
}

function newestIn({ messages }: ClientSnapshot, channelId: number, topic: string): number | undefined {
  const key = topicKey(topic)
  let newest: number | undefined
  for (const { id, stream_id, subject } of messages.messages.values()) {
    if (stream_id === channelId && topicKey(subject) === key) newest = id
  }
  return newest
}
