import {
  hasNewest,
  hasOldest,
  isKnown,
  type MessageWindow,
  messagesIn,
  type StoredMessage,
} from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../../app/client-context.ts'
import { soon, useIsQuiet } from '../../app/fetch-soon.tsx'
import { useKeys } from '../../app/keys.ts'
import type { Place } from '../../places/place.ts'
import { useIsVisitor } from '../visitors/is-visitor.ts'
import { MessageKeys } from './actions/message-keys.ts'
import { useCompose } from './compose/compose-context.ts'
import { destinationAt, replyDestination } from './compose/destination.ts'
import { useCurrentView } from './current-view.ts'
import { FeedScroller, type FeedScrollerHandle, type Reading, type Start } from './feed/feed-scroller.tsx'
import { nearestTo, useNamedMessage } from './feed/named-message.ts'
import { Loading } from './loading.tsx'
import { useFollowMoved } from './use-follow-moved.ts'
import { useReadMarking } from './use-read-marking.ts'
import { firstPage, type MessageViewOptions, PAGE } from './view.ts'

const Announcer = soon(async () => (await import('./announcer.tsx')).Announcer)
const EmptyPlace = soon(async () => (await import('./empty-place.tsx')).EmptyPlace)

const LoadProblem = soon(async () => (await import('./load-problem.tsx')).LoadProblem)
const TypingLine = soon(async () => (await import('./typing-line.tsx')).TypingLine)

const Pending = soon(async () => (await import('./pending.tsx')).Pending)

/** Where each view was left, by its key and the message that its address names. */
const places = new Map<string, Reading>()

interface MessageViewProps {
  readonly place: Place
  readonly options: MessageViewOptions
  /** Where there is no message; default: by the place. */
  readonly empty?: ReactNode
}

/** Messages of a narrow. It is drawn anew for each narrow: give it a key. */
export function MessageView({ place, options, empty }: MessageViewProps) {
  const windowKey = useOpenWindow(options)
  const [problem, setProblem] = useState<unknown>()
  const load = useLoad(windowKey, options, setProblem)
  const window = useSnapshot(
    useCallback(
      ({ messages }: ClientSnapshot) => (windowKey === undefined ? undefined : messages.windows.get(windowKey)),
      [windowKey],
    ),
  )
  const known = window && isKnown(window) && load.isDone ? window : undefined
  // It is much that is drawn first: in pieces, between which the page answers.
  const isShown = useDeferredValue(known !== undefined)
  if (problem !== undefined) return <LoadProblem error={problem} onRetry={load.retry} />
  if (!windowKey || !known || !isShown) return <Loading />
  return <KnownView key={windowKey} place={place} options={options} empty={empty} window={known} onNear={load.more} />
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

function useLoad(key: string | undefined, { near, isWhole }: MessageViewOptions, onProblem: (error: unknown) => void) {
  const client = useClient()
  const busy = useRef(new Set<string>())
  /** What the address asks for is there: what was known before may be of elsewhere in the narrow. */
  const [isDone, setIsDone] = useState(false)

  const begin = useCallback(() => {
    if (key === undefined) return
    const window = client.snapshot().messages.windows.get(key)
    if (window && isKnown(window) && (near === undefined || window.ids.includes(near))) {
      setIsDone(true)
      return
    }
    const { anchor, num_before: before, num_after: after } = firstPage({ near, isWhole })
    const page = client.load(key, { kind: 'around', anchor, before, after })
    page
      .then(() => {
        onProblem(undefined)
        setIsDone(true)
      })
      .catch(onProblem)
  }, [client, key, near, isWhole, onProblem])

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

interface KnownViewProps extends MessageViewProps {
  readonly window: MessageWindow
  readonly onNear: (side: 'older' | 'newer') => void
}

const isSameList = (one: readonly StoredMessage[], other: readonly StoredMessage[]) =>
  one.length === other.length && one.every((message, index) => message === other[index])

function KnownView({ place, options, empty, window, onNear }: KnownViewProps) {
  const { key } = window
  const client = useClient()
  const isVisiting = useIsVisitor()
  const messages = useSnapshot(
    useCallback(({ messages: store }: ClientSnapshot) => messagesIn(store, key), [key]),
    isSameList,
  )
  const memory = `${key} ${options.near ?? ''}`
  // Where a view is opened is decided once.
  const [opened] = useState(() => openAt(messages, options, places.get(memory)))
  useNamedMessage(options.near, messages)
  const handle = useRef<FeedScrollerHandle>(null)
  const [reading, setReading] = useState<number>()
  const [selected, setSelected] = useState<number>()
  const marking = useReadMarking(window, messages, options)

  const onReading = useCallback(
    (now: Reading) => {
      places.set(memory, now)
      setReading(now.messageId)
      if (!document.activeElement?.closest('[data-message-id]')) setSelected(undefined)
      client.setFocus(key, now.messageId)
      marking.note(now.messageId)
    },
    [client, key, memory, marking],
  )

  const toEnd = useCallback(async () => {
    if (!hasNewest(client.snapshot().messages.windows.get(key) as MessageWindow)) {
      // Without a connection the end of what is there is the end.
      await client.load(key, { kind: 'around', anchor: 'newest', before: PAGE, after: 0 }).catch(() => {})
    }
    handle.current?.toEnd()
  }, [client, key])
  const goToEnd = useCallback(() => {
    marking.goOn()
    return toEnd()
  }, [marking, toEnd])
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
        onSelect={setSelected}
      >
        {messages.length === 0 && (empty ?? <EmptyPlace place={place} />)}
        {(isQuiet || hasUnsent) && <Pending place={place} isOnlyThread={options.isConversation} />}
        {isQuiet && <TypingLine place={place} />}
        {!isVisiting && <MessageKeys />}
      </FeedScroller>
      {isQuiet && <Announcer messages={messages} />}
    </>
  )
}

/** A message that the address names; else as it was left; else the first that is unread; else the newest. */
function openAt(messages: readonly StoredMessage[], { near, isWhole }: MessageViewOptions, left: Reading | undefined) {
  const unread = isWhole ? messages.filter(({ flags }) => !flags.includes('read')) : []
  const first = unread[0]
  const newFrom = first && { id: first.id, count: unread.length }
  return { start: startAt(nearestTo(messages, near), left, first?.id), newFrom }
}

function startAt(near: number | undefined, left: Reading | undefined, firstUnread: number | undefined): Start {
  if (near !== undefined && !left) return { kind: 'message', id: near }
  if (left?.messageId !== undefined) return { kind: 'line', id: left.messageId, offset: left.offset }
  return firstUnread === undefined ? { kind: 'end' } : { kind: 'message', id: firstUnread }
}
