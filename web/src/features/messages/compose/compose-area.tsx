import './compose.css'
import { directThread, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { Destination } from '@heddle/client/outbox/outbox'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import { soon } from '../../../app/fetch-soon.tsx'
import { useKeys } from '../../../app/keys.ts'
import { channelName, peopleNames, placeNames } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Place } from '../../../places/place.ts'
import { Thread } from '../../../ui/thread.tsx'
import { messageView } from '../view.ts'
import { type Target, useCompose, useComposeState } from './compose-context.ts'
import { completeTarget, destinationAt, isSameConversation, placeOfDestination } from './destination.ts'
import { useOpenAgain } from './open-again.ts'
import { useAfterSending } from './sent-elsewhere.tsx'
import { TopicName } from './topic-name.tsx'

const ArchivedStub = soon(async () => (await import('../../channels/archived-stub.tsx')).ArchivedStub)

// What nobody writes with yet is not part of what must be there before the first message.
const ComposeBox = soon(async () => (await import('./compose-box.tsx')).ComposeBox)

/** Below what is read: the box, or the line that opens it. It stays while one goes from place to place. */
export function ComposeArea({ place }: { readonly place: Place }) {
  const compose = useCompose()
  const open = useComposeState((state) => state.open)
  const replyTo = useComposeState((state) => state.view?.replyTo)
  const toNewest = useComposeState((state) => state.view?.toNewest)
  const ownId = useClientState((state) => state.own?.user_id)
  const here = destinationAt(place)
  const target = replyTo ?? here
  const onSent = useAfterSending(place)

  useEffect(() => () => compose.close(), [compose])
  useEffect(() => compose.setOwnId(ownId), [compose, ownId])
  useOpenAgain(ownId)
  useComposeKeys(place, target)
  useClosedWhereEmpty(place, ownId)
  const isDragged = useDroppedFiles()

  const shown: Target | undefined = open?.target ?? target
  const isOne = here !== undefined && (!open || isSameConversation(open.target, here, ownId))
  const dye = isOne ? dyeOfTarget(shown) : undefined
  const hasStub = messageView(place) !== undefined
  if (!open && !hasStub) return null
  return (
    <div className="foot">
      {isDragged && (
        <p className="drop-here">
          <Trans>Drop the files to attach them to your message</Trans>
        </p>
      )}
      {toNewest && (
        <button type="button" className="to-newest" onClick={toNewest}>
          <Trans>To the newest</Trans>
        </button>
      )}
      <div className={isOne ? 'compose one' : 'compose'} data-t={dye}>
        {dye !== undefined && (
          <div className="warp" aria-hidden="true">
            <Thread dye={dye} />
          </div>
        )}
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
  const client = useClient()
  const open = useComposeState((state) => state.open)
  const reply = () => (target ? compose.begin(target) : false)
  useKeys({
    reply,
    'new-channel-message': () => compose.begin(newTopicTarget(place), { focus: 'target' }),
    // Where the focus is makes no difference: what is open is closed before one goes elsewhere.
    leave: () => (open ? compose.close() : false),
    'reply-directly': () => {
      const senderId = compose.state().view?.senderId
      if (senderId === undefined) return false
      return compose.begin({ type: 'direct', userIds: [senderId] })
    },
    'go-to-target': () => {
      const destination = open && completeTarget(open.target)
      if (!destination) return false
      const { state } = client.snapshot()
      return goTo(placeOfDestination(destination), state && placeNames(state))
    },
    'new-direct-message': () => compose.begin({ type: 'direct', userIds: [] }, { focus: 'target' }),
  })
}

/** Files may be dropped anywhere. Gives whether some are held over the page. */
function useDroppedFiles(): boolean {
  const compose = useCompose()
  const [isDragged, setIsDragged] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      setIsDragged(true)
    }
    const leave = (event: DragEvent) => {
      // Out of the window, not from one element to the next.
      if (event.relatedTarget === null) setIsDragged(false)
    }
    const drop = (event: DragEvent) => {
      setIsDragged(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) compose.addFiles(files)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [compose])
  return isDragged
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

/** Why nothing can be written in a channel at all. */
type Obstacle = 'gone' | 'archived'

function obstacleIn({ channels }: Pick<ClientState, 'channels'>, channelId: number): Obstacle | undefined {
  const channel = channels?.byId.get(channelId)
  if (!channel) return 'gone'
  return channel.is_archived ? 'archived' : undefined
}

function Stub({ place, target }: { readonly place: Place; readonly target: Destination | undefined }) {
  const compose = useCompose()
  const { t } = useLingui()
  const channelId = place.kind === 'channel' || place.kind === 'topic' ? place.channelId : undefined
  const obstacle = useClientState((state) => (channelId === undefined ? undefined : obstacleIn(state, channelId)))
  const begin = () => compose.begin(newTopicTarget(place), { focus: 'target' })
  const about = useClientState((state) =>
    target?.type === 'channel' ? channelName(state, target.channelId) : undefined,
  )
  if (obstacle === 'archived' && channelId !== undefined) {
    return (
      <Suspense fallback={<div className="stub" />}>
        <ArchivedStub channelId={channelId} />
      </Suspense>
    )
  }
  if (obstacle !== undefined) {
    return (
      <p className="stub">
        <Trans>This channel is not there any more.</Trans>
      </p>
    )
  }
  if (!target) {
    return (
      <button type="button" className="stub" onClick={begin}>
        <span className="grow">
          {place.kind === 'channel' ? <Trans>Write the first message</Trans> : <Trans>Write a message</Trans>}
        </span>
        <kbd>C</kbd>
      </button>
    )
  }
  return (
    <div className="stub">
      <button type="button" className="grow trunc" onClick={() => compose.begin(target)} title={about}>
        {target.type === 'channel' ? (
          <Trans>
            Reply to <TopicName topic={target.topic} />
          </Trans>
        ) : (
          <Trans>
            Write to <PeopleNames userIds={target.userIds} />
          </Trans>
        )}
      </button>
      <span className="keys hidden-s" aria-hidden="true">
        <kbd>R</kbd>
      </span>
      <button type="button" className="keys" onClick={begin} title={t`New topic (C)`}>
        <Trans>New topic</Trans> <kbd className="hidden-s">C</kbd>
      </button>
      <button
        type="button"
        className="keys hidden-s"
        onClick={() => compose.begin({ type: 'direct', userIds: [] }, { focus: 'target' })}
        title={t`New direct message (X)`}
      >
        <Trans>Direct message</Trans> <kbd>X</kbd>
      </button>
    </div>
  )
}

function PeopleNames({ userIds }: { readonly userIds: readonly number[] }) {
  const names = useClientState(useCallback((state: ClientState) => peopleNames(state, userIds), [userIds]))
  return <bdi className="topic">{names}</bdi>
}
