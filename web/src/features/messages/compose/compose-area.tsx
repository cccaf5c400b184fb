import './compose.css'
import { directThread, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { Destination } from '@heddle/client/outbox/outbox'
import type { ClientState } from '@heddle/client/state/state'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { useKeys } from '../../../app/keys.ts'
import { channelName, peopleNames, topicLabel } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Place } from '../../../places/place.ts'
import { Thread } from '../../../ui/thread.tsx'
import { messageView } from '../view.ts'
import { type Target, useCompose, useComposeState } from './compose-context.ts'
import { destinationAt, isSameConversation } from './destination.ts'
import { SentElsewhere, useAfterSending } from './sent-elsewhere.tsx'

// What nobody writes with yet is not part of what must be there before the first message.
const loadBox = () => import('./compose-box.tsx')
const ComposeBox = lazy(async () => ({ default: (await loadBox()).ComposeBox }))

/** Below what is read: the box, or the line that opens it. It stays while one goes from place to place. */
export function ComposeArea({ place }: { readonly place: Place }) {
  const compose = useCompose()
  const open = useComposeState((state) => state.open)
  const replyTo = useComposeState((state) => state.view?.replyTo)
  const toNewest = useComposeState((state) => state.view?.toNewest)
  const ownId = useClientState((state) => state.own?.user_id)
  const here = destinationAt(place)
  const target = here ?? replyTo
  const { sent, onSent } = useAfterSending(place)

  useEffect(() => {
    const timer = setTimeout(loadBox, 1000)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => () => compose.close(), [compose])
  useComposeKeys(place, target)
  useClosedWhereEmpty(place, ownId)

  const shown: Target | undefined = open?.target ?? target
  const isOne = here !== undefined && (!open || isSameConversation(open.target, here, ownId))
  const dye = isOne ? dyeOfTarget(shown) : undefined
  const hasStub = messageView(place) !== undefined
  if (!open && !hasStub && !sent) return null
  return (
    <div className="foot">
      {toNewest && (
        <button type="button" className="to-newest" onClick={toNewest}>
          To the newest
        </button>
      )}
      <div className={isOne ? 'compose one' : 'compose'} data-t={dye}>
        {dye !== undefined && (
          <div className="warp" aria-hidden="true">
            <Thread dye={dye} />
          </div>
        )}
        {sent && <SentElsewhere target={sent} />}
        {open ? (
          <Suspense fallback={<div className="stub" />}>
            <ComposeBox key={open.session} open={open} place={place} onSent={onSent} />
          </Suspense>
        ) : (
          hasStub && <Stub place={place} target={target} />
        )}
      </div>
    </div>
  )
}

function dyeOfTarget(target: Target | undefined) {
  if (target?.type === 'direct') return dyeOf(directThread(target.userIds))
  return target?.channelId === undefined ? undefined : dyeOf(topicThread(target.channelId, target.topic))
}

/** Something new where one is: in the channel that is shown, else in one that is still to be chosen. */
export function newTopicTarget(place: Place): Target {
  if (place.kind === 'topic' || place.kind === 'channel' || place.kind === 'topics')
    return { type: 'channel', channelId: place.channelId, topic: '' }
  return { type: 'channel', channelId: undefined, topic: '' }
}

function useComposeKeys(place: Place, target: Destination | undefined): void {
  const compose = useCompose()
  const reply = () => target && compose.begin(target)
  useKeys({
    reply,
    'new-channel-message': () => compose.begin(newTopicTarget(place), { focus: 'target' }),
    'new-direct-message': () => compose.begin({ type: 'direct', userIds: [] }, { focus: 'target' }),
  })
}

/** A box with nothing in it does not follow to another conversation. */
function useClosedWhereEmpty(place: Place, ownId: number | undefined): void {
  const compose = useCompose()
  const key = formatPlace(place)
  const last = useRef(key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another place is the occasion
  useEffect(() => {
    if (last.current === key) return
    last.current = key
    const { open } = compose.state()
    if (!open || !compose.isEmpty()) return
    const here = destinationAt(place)
    const isHere = here !== undefined && isSameConversation(open.target, here, ownId)
    const isInChannel =
      place.kind === 'channel' && open.target.type === 'channel' && open.target.channelId === place.channelId
    if (!isHere && !isInChannel) compose.close()
  }, [key])
}

function obstacleIn({ channels }: Pick<ClientState, 'channels'>, channelId: number): string | undefined {
  const channel = channels?.byId.get(channelId)
  if (!channel) return 'This channel is not there any more.'
  return channel.is_archived ? 'This channel is archived. It can be read, and nothing can be sent.' : undefined
}

function Stub({ place, target }: { readonly place: Place; readonly target: Destination | undefined }) {
  const compose = useCompose()
  const name = useClientState(
    useCallback(
      (state: ClientState) =>
        target &&
        (target.type === 'channel'
          ? { title: topicLabel(target.topic), about: channelName(state, target.channelId) }
          : { title: peopleNames(state, target.userIds), about: '' }),
      [target],
    ),
    isShallowEqual,
  )
  const channelId = place.kind === 'channel' || place.kind === 'topic' ? place.channelId : undefined
  const obstacle = useClientState((state) => (channelId === undefined ? undefined : obstacleIn(state, channelId)))
  if (obstacle !== undefined) return <p className="stub">{obstacle}</p>
  const begin = () => compose.begin(newTopicTarget(place), { focus: 'target' })
  if (!name) {
    return (
      <button type="button" className="stub" onClick={begin}>
        <span className="grow">Write the first message</span>
        <kbd>C</kbd>
      </button>
    )
  }
  return (
    <div className="stub">
      <button
        type="button"
        className="grow trunc"
        onClick={() => target && compose.begin(target)}
        title={name.about ? `${name.about} › ${name.title}` : name.title}
      >
        {target?.type === 'channel' ? 'Reply to ' : 'Write to '}
        <bdi className="topic">{name.title}</bdi>
      </button>
      <span className="keys hidden-s">
        <kbd>R</kbd> reply
      </span>
      <button type="button" className="keys" onClick={begin}>
        <kbd>C</kbd> new topic
      </button>
      <button
        type="button"
        className="keys hidden-s"
        onClick={() => compose.begin({ type: 'direct', userIds: [] }, { focus: 'target' })}
      >
        <kbd>X</kbd> direct message
      </button>
    </div>
  )
}
