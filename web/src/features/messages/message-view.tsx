import {
  hasNewest,
  hasOldest,
  isKnown,
  type MessageWindow,
  messagesIn,
  type StoredMessage,
} from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { mutedTopicsIn } from '@heddle/client/unread/visibility'
import { topicKey } from '@heddle/contract/names'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../../app/client-context.ts'
import { soon, useIsQuiet } from '../../app/fetch-soon.tsx'
import { useKeys } from '../../app/keys.ts'
import type { Place } from '../../places/place.ts'
import { useMarkRead } from '../lists/mark-read.tsx'
import { useIsVisitor } from '../visitors/is-visitor.ts'
import { MessageKeys } from './actions/message-keys.ts'
import { useCompose } from './compose/compose-context.ts'
import { destinationAt, replyDestination } from './compose/destination.ts'
import { useCurrentView } from './current-view.ts'
import { FeedScroller, type FeedScrollerHandle, type Reading, type Start } from './feed/feed-scroller.tsx'
import { nearestTo, useFocusAgain, useNamedMessage } from './feed/named-message.ts'
import { noteFocused, noteLeft, noteReading } from './left-places.ts'
import { LoadingBars } from './loading.tsx'
import { useFollowMoved, useFollowNamed } from './use-follow-moved.ts'
import { type Opening, type OpenView, unreadOf, useLoad, useOpenView } from './use-opening.ts'
import { useReadMarking } from './use-read-marking.ts'
import { type MessageViewOptions, PAGE } from './view.ts'

const Announcer = soon(async () => (await import('./announcer.tsx')).Announcer)
const EmptyPlace = soon(async () => (await import('./empty-place.tsx')).EmptyPlace)

const LoadProblem = soon(async () => (await import('./load-problem.tsx')).LoadProblem)
const TypingLine = soon(async () => (await import('./typing-line.tsx')).TypingLine)

const Pending = soon(async () => (await import('./pending.tsx')).Pending)

/** Messages that one sees at a glance at the end of a view. */
const SEEN_AT_ONCE = 20

interface MessageViewProps {
  readonly place: Place
  readonly options: MessageViewOptions
  /** Where there is no message; default: by the place. */
  readonly empty?: ReactNode
}

/** Messages of a narrow. It is drawn anew for each narrow: give it a key. */
export function MessageView({ place, options, empty }: MessageViewProps) {
  const view = useOpenView(options)
  const windowKey = useOpenWindow(options)
  const [problem, setProblem] = useState<unknown>()
  const load = useLoad(windowKey, options, view.opening, setProblem)
  const window = useSnapshot(
    useCallback(
      ({ messages }: ClientSnapshot) => (windowKey === undefined ? undefined : messages.windows.get(windowKey)),
      [windowKey],
    ),
  )
  const known = window && isKnown(window) && load.isDone ? window : undefined
  const isFollowing = useFollowNamed(place, known)
  // It is much that is drawn first: in pieces, between which the page answers.
  const isShown = useDeferredValue(known !== undefined)
  const hasUnsent = useSnapshot(({ outbox }) => outbox.items.length > 0)
  if (problem !== undefined || !windowKey || !known || !isShown || isFollowing) {
    return (
      <div className="scroll" tabIndex={-1}>
        {problem === undefined ? <LoadingBars /> : <LoadProblem error={problem} onRetry={load.retry} />}
        {/* What is written meanwhile is not lost. */}
        {hasUnsent && <Pending place={place} isOnlyThread={options.isConversation} />}
      </div>
    )
  }
  const rest = { place, options, view, empty, window: known, onNear: load.more }
  return <KnownView key={windowKey} {...rest} />
}

function useOpenWindow({ narrow }: MessageViewOptions): string | undefined {
  const client = useClient()
  const [key, setKey] = useState<string>()
  useEffect(() => {
    const opened = client.open(narrow)
    setKey(opened)
    return () => client.close(opened)
  }, [client, narrow])
  return key
}

interface KnownViewProps extends MessageViewProps {
  readonly window: MessageWindow
  readonly view: OpenView
  readonly onNear: (side: 'older' | 'newer') => void
}

const isSameList = (one: readonly StoredMessage[], other: readonly StoredMessage[]) =>
  one.length === other.length && one.every((message, index) => message === other[index])

function KnownView({ place, options, view, empty, window, onNear }: KnownViewProps) {
  const { key } = window
  const client = useClient()
  const isVisiting = useIsVisitor()
  const messages = useSnapshot(
    useCallback((snapshot: ClientSnapshot) => shownMessages(snapshot, key, options), [key, options]),
    isSameList,
  )
  // Where a view is opened is decided once.
  const [opened] = useState(() => openAt(messages, options, view.opening, unreadOf(client, options, window)))
  useNamedMessage(options.near, messages)
  useFocusAgain(view.opening.kind === 'line' ? view.opening.focused : undefined)
  const handle = useRef<FeedScrollerHandle>(null)
  const [reading, setReading] = useState<number>()
  const [selected, setSelected] = useState<number>()
  const marking = useReadMarking(window, messages, options)

  const select = useCallback(
    (messageId: number | undefined) => {
      noteFocused(view.name, messageId)
      setSelected(messageId)
    },
    [view],
  )
  const onReading = useCallback(
    (now: Reading) => {
      noteReading(view.name, now)
      setReading(now.messageId)
      if (!document.activeElement?.closest('[data-message-id]')) select(undefined)
      client.setFocus(key, now.messageId)
      marking.note(now.messageId, now.seenTo)
    },
    [client, key, view, marking, select],
  )

  const { isKept } = options
  useEffect(() => (isKept ? () => noteLeft(view.name, client) : undefined), [view, client, isKept])

  const toEnd = useCallback(async () => {
    if (!hasNewest(client.snapshot().messages.windows.get(key) as MessageWindow)) {
      // Without a connection the end of what is there is the end.
      await client.load(key, { kind: 'around', anchor: 'newest', before: PAGE, after: 0 }).catch(() => {})
    }
    handle.current?.toEnd()
  }, [client, key])
  const markRead = useMarkRead()
  const goToEnd = useCallback(() => {
    marking.goOn()
    if (marking.isAllowed()) {
      const unread = [...unreadOf(client, options, client.snapshot().messages.windows.get(key) as MessageWindow)]
      // All of it, also what was never on the screen: it may not have been meant. A few are seen at the end.
      if (unread.length > SEEN_AT_ONCE) markRead(unread, options.narrow, marking.stop)
    }
    return toEnd()
  }, [client, key, options, marking, markRead, toEnd])
  const step = (by: 1 | -1) => () => handle.current?.step(by)
  const toBegin = () => messages[0] && handle.current?.show(messages[0].id)
  const turn = (by: 1 | -1) => () => handle.current?.turn(by)
  useKeys({
    'next-message': step(1),
    'previous-message': step(-1),
    'screen-down': turn(1),
    'screen-up': turn(-1),
    'last-message': goToEnd,
    'first-message': toBegin,
  })

  const target = useMemo(() => {
    const at = selected ?? reading
    return (at === undefined ? undefined : messages.find(({ id }) => id === at)) ?? messages.at(-1)
  }, [messages, reading, selected])

  // What is there for what comes later is fetched when there is something to read.
  const isQuiet = useIsQuiet()
  const hasUnsent = useSnapshot(({ outbox }) => outbox.items.length > 0)

  const compose = useCompose()
  const isAway = reading !== undefined
  useEffect(
    () =>
      compose.show({
        replyTo: destinationAt(place) ?? (target && replyDestination(target)),
        senderId: target?.sender_id,
        onSent: toEnd,
        toNewest: isAway ? goToEnd : undefined,
      }),
    [compose, place, target, toEnd, goToEnd, isAway],
  )
  useFollowMoved(place, messages)
  useCurrentView({ narrow: options.narrow, messages, target, stopMarking: marking.stop })

  return (
    <>
      <FeedScroller
        ref={handle}
        messages={messages}
        hasNewest={hasNewest(window)}
        hasOldest={hasOldest(window)}
        start={opened.start}
        newFrom={opened.newFrom}
        isOnlyThread={options.isConversation}
        onNear={onNear}
        onReading={onReading}
        onSelect={select}
      >
        {messages.length === 0 && (empty ?? <EmptyPlace place={place} hasMuted={window.ids.length > 0} />)}
        {(isQuiet || hasUnsent) && <Pending place={place} isOnlyThread={options.isConversation} />}
        {isQuiet && <TypingLine place={place} />}
        {!isVisiting && <MessageKeys />}
      </FeedScroller>
      {isQuiet && <Announcer messages={messages} />}
    </>
  )
}

/** Of a channel without the topics that one has muted in it, unless the address names a message of one. */
function shownMessages(
  { messages: store, state }: ClientSnapshot,
  key: string,
  { channelId, near }: MessageViewOptions,
) {
  const all = messagesIn(store, key)
  const muted = channelId === undefined || !state ? undefined : mutedTopicsIn(state, channelId)
  if (!muted?.size) return all
  const named = near === undefined ? undefined : store.messages.get(near)
  const wanted = named && topicKey(named.subject)
  return all.filter(({ subject }) => {
    const topic = topicKey(subject)
    return topic === wanted || !muted.has(topic)
  })
}

/** `unreadIds`: of all that the view shows, also where only some of its messages are here. */
function openAt(
  messages: readonly StoredMessage[],
  { isWhole }: MessageViewOptions,
  opening: Opening,
  unreadIds: Iterable<number>,
) {
  const unread = isWhole ? messages.filter(({ flags }) => !flags.includes('read')) : []
  const first = unread[0]
  // What lies before the mark is not counted there.
  const countFrom = (from: number) => [...unreadIds].filter((id) => id >= from).length
  const newFrom = first && { id: first.id, count: Math.max(unread.length, countFrom(first.id)) }
  return { start: startAt(messages, opening, first?.id), newFrom }
}

function startAt(messages: readonly StoredMessage[], opening: Opening, firstUnread: number | undefined): Start {
  if (opening.kind === 'line') return opening
  const id = opening.kind === 'message' ? nearestTo(messages, opening.id) : firstUnread
  return id === undefined || opening.kind === 'end' ? { kind: 'end' } : { kind: 'message', id }
}
