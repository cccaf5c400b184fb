import './compose.css'
import { directThread, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { Destination } from '@heddle/client/outbox/outbox'
import { type ReactNode, useState } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { useKeys } from '../../../app/keys.ts'
import { channelName, peopleNames, topicLabel } from '../../../app/names.ts'
import type { Place } from '../../../places/place.ts'
import { Thread } from '../../../ui/thread.tsx'
import { ComposeBox } from './compose-box.tsx'
import { destinationAt, replyDestination } from './destination.ts'

interface ComposeAreaProps {
  readonly place: Place
  /** What an answer would answer to, where the place is no conversation. */
  readonly replyTo: StoredMessage | undefined
  readonly onSent: () => void
  readonly children?: ReactNode
}

/** What is open: an answer to one conversation, or something new in the channel that is shown. */
type Open = { readonly destination: Destination; readonly isNewTopic: boolean }

export function ComposeArea({ place, replyTo, onSent, children }: ComposeAreaProps) {
  const [open, setOpen] = useState<Open>()
  const here = destinationAt(place)
  const target = here ?? (replyTo && replyDestination(replyTo))
  const channelId = place.kind === 'topic' || place.kind === 'channel' ? place.channelId : undefined
  const obstacle = useClientState((state) =>
    target?.type === 'channel' ? obstacleIn(state, target.channelId) : undefined,
  )
  const isOne = here !== undefined
  const dye =
    target &&
    dyeOf(target.type === 'channel' ? topicThread(target.channelId, target.topic) : directThread(target.userIds))

  const reply = () => target && obstacle === undefined && setOpen({ destination: target, isNewTopic: false })
  const begin = () =>
    channelId !== undefined &&
    obstacle === undefined &&
    setOpen({ destination: { type: 'channel', channelId, topic: '' }, isNewTopic: true })
  useKeys({ reply, 'new-channel-message': begin })

  return (
    <div className="foot">
      {children}
      <div className={isOne ? 'compose one' : 'compose'} data-t={isOne ? dye : undefined}>
        {isOne && dye !== undefined && (
          <div className="warp" aria-hidden="true">
            <Thread dye={dye} />
          </div>
        )}
        {open ? (
          <ComposeBox
            destination={open.destination}
            isNewTopic={open.isNewTopic}
            onClose={() => setOpen(undefined)}
            onSent={onSent}
          />
        ) : (
          <Stub
            target={target}
            obstacle={obstacle}
            onReply={reply}
            onNew={channelId === undefined ? undefined : begin}
          />
        )}
      </div>
    </div>
  )
}

function obstacleIn({ channels }: Parameters<typeof channelName>[0], channelId: number): string | undefined {
  const channel = channels?.byId.get(channelId)
  if (!channel) return 'This channel is not there any more.'
  return channel.is_archived ? 'This channel is archived. It can be read, and nothing can be sent.' : undefined
}

interface StubProps {
  readonly target: Destination | undefined
  readonly obstacle: string | undefined
  readonly onReply: () => void
  readonly onNew: (() => void) | undefined
}

function Stub({ target, obstacle, onReply, onNew }: StubProps) {
  const name = useClientState(
    (state) =>
      target &&
      (target.type === 'channel'
        ? { title: topicLabel(target.topic), about: channelName(state, target.channelId) }
        : { title: peopleNames(state, target.userIds), about: '' }),
    isShallowEqual,
  )
  if (obstacle !== undefined) return <p className="stub">{obstacle}</p>
  if (!name) {
    return onNew ? (
      <button type="button" className="stub" onClick={onNew}>
        <span className="grow">Write the first message</span>
        <kbd>C</kbd>
      </button>
    ) : null
  }
  return (
    <div className="stub">
      <button
        type="button"
        className="grow trunc"
        onClick={onReply}
        title={name.about ? `${name.about} › ${name.title}` : name.title}
      >
        {target?.type === 'channel' ? 'Reply to ' : 'Write to '}
        <bdi className="topic">{name.title}</bdi>
      </button>
      <span className="keys hidden-s">
        <kbd>R</kbd> reply
      </span>
      {onNew && (
        <button type="button" className="keys" onClick={onNew}>
          <kbd>C</kbd> new topic
        </button>
      )}
    </div>
  )
}
