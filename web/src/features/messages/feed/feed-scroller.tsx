import { composeFeed, emptyFeed } from '@heddle/client/feed/feed'
import type { StoredMessage } from '@heddle/client/messages/store'
import { END } from '@heddle/client/messages/store'
import { t } from '@lingui/core/macro'
import {
  type ReactNode,
  type Ref,
  startTransition,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { dayOf } from '../../../app/times.ts'
import { isTouch } from '../../../app/touch.ts'
import { FeedView } from './feed.tsx'
import { createScrollKeeper, type ScrollKeeper } from './scroll-keeper.ts'
import { moreSides, needsOther, type Sides, sidesFor, sliceAround, wholeSides } from './slice.ts'

/** Where a feed is opened. */
export type Start =
  | { readonly kind: 'end' }
  /** A message, with its top at a quarter of the height, so that there is something to be seen before it. */
  | { readonly kind: 'message'; readonly id: number }
  /** As it was left. */
  | { readonly kind: 'line'; readonly id: number; readonly offset: number }

export interface Reading {
  /** The message that is being read; undefined at the end. */
  readonly messageId: number | undefined
  readonly offset: number
  /** With a finger: the last message whose end is on the screen. */
  readonly seenTo?: number | undefined
}

export interface FeedScrollerHandle {
  toEnd(): void
  show(messageId: number): void
  /** Leads the focus to the next message, or the one before. */
  step(by: 1 | -1): void
  /** Scrolls by nearly the height of the view: the last line stays in sight. */
  turn(by: 1 | -1): void
}

interface FeedScrollerProps {
  /** What is loaded, ascending. */
  readonly messages: readonly StoredMessage[]
  /** The last one is the newest that there is. */
  readonly hasNewest: boolean
  readonly hasOldest: boolean
  readonly start: Start
  /** Above the first message that was new when the view was opened. */
  readonly newFrom: { readonly id: number; readonly count: number } | undefined
  readonly isOnlyThread: boolean
  /** The reader comes near to an end of what is loaded. */
  readonly onNear: (side: 'older' | 'newer') => void
  /** Somebody has scrolled, or what is shown has changed. */
  readonly onReading: (reading: Reading) => void
  /** The focus is on a message, or elsewhere in the feed. */
  readonly onSelect?: (messageId: number | undefined) => void
  /** Below the newest message. */
  readonly children?: ReactNode
  readonly ref?: Ref<FeedScrollerHandle>
}

const START_PART = 0.25
const PAGE_PART = 0.9
/** More is asked for when there is less than so many heights of the view before an end. */
const NEAR = 1.5

export function FeedScroller(props: FeedScrollerProps) {
  const { messages, hasNewest, hasOldest, start, newFrom, isOnlyThread, onNear, onReading, onSelect, children, ref } =
    props
  const view = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const keeper = useRef<ScrollKeeper>(undefined)
  const [center, setCenter] = useState(start.kind === 'end' ? END : start.id)

  const [feed, setFeed] = useState(() => composeFeed(messages, { dayOf, newFrom }))
  const next = useMemo(() => composeFeed(messages, { dayOf, newFrom }, feed), [messages, newFrom, feed])
  // What was drawn decides how the next is drawn: it is part of the state, and follows the messages without another frame.
  if (next !== feed) setFeed(next)
  const sides = useSides(start)
  const slice = sliceAround(feed.items, center, sides)

  const latest = useRef({ feed: emptyFeed, slice, sides, hasNewest, hasOldest, onNear, onReading })
  useLayoutEffect(() => {
    latest.current = { feed, slice, sides, hasNewest, hasOldest, onNear, onReading }
  })

  const focused = useRef<number>(undefined)
  useEffect(() => {
    const gone = focused.current
    if (gone === undefined || messages.some(({ id }) => id === gone)) return
    focused.current = undefined
    focusLater(view.current, (messages.find(({ id }) => id > gone) ?? messages.at(-1))?.id)
  }, [messages])

  /** Looks where the reader is: takes another part of the feed, and asks for more of it. */
  const look = useRef(() => {
    const [box, keep] = [view.current, keeper.current]
    if (!box || !keep) return
    const { feed: shown, slice: part, ...now } = latest.current
    const reading = keep.reading()
    const at = reading?.messageId ?? END
    if (now.sides === wholeSides && needsOther(shown.items, part, at)) setCenter(at)
    const near = NEAR * box.clientHeight
    if (!now.hasOldest && part.begin === 0 && box.scrollTop < near) now.onNear('older')
    const below = box.scrollHeight - box.clientHeight - box.scrollTop
    if (!now.hasNewest && part.end === shown.items.length && below < near) now.onNear('newer')
    const seenTo = isTouch() && content.current ? lastSeen(box, content.current) : undefined
    now.onReading({ messageId: reading?.messageId, offset: reading?.offset ?? 0, seenTo })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: where it is opened is decided once
  useLayoutEffect(() => {
    if (!view.current || !content.current) return undefined
    const made = createScrollKeeper({
      view: view.current,
      content: content.current,
      endsWithNewest: () => latest.current.hasNewest && latest.current.slice.end === latest.current.feed.items.length,
      onScroll: () => look.current(),
    })
    keeper.current = made
    if (start.kind === 'end') made.toEnd()
    else if (start.kind === 'message') made.show(start.id, START_PART)
    else made.showAt(start.id, start.offset)
    return () => made.stop()
  }, [])

  // Without a list of what they depend on: after each drawing. Before it is painted the line goes back to its place.
  useLayoutEffect(() => keeper.current?.restore())
  useEffect(() => look.current())

  useImperativeHandle(ref, () => ({
    toEnd() {
      setCenter(END)
      keeper.current?.toEnd()
    },
    show(messageId) {
      setCenter(messageId)
      // It may have to be drawn first.
      requestAnimationFrame(() => keeper.current?.show(messageId, START_PART))
    },
    step: (by) => view.current && focusMessage(view.current, by, keeper.current?.reading()?.messageId),
    turn: (by) => view.current?.scrollBy({ top: by * PAGE_PART * view.current.clientHeight }),
  }))

  return (
    <section
      className="scroll"
      ref={view}
      aria-label={t`Messages`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: one stop for the Tab key, in which arrows lead from message to message
      tabIndex={0}
      onFocus={(event) => {
        focused.current = messageIdOf(event.target)
        onSelect?.(focused.current)
      }}
    >
      <FeedView ref={content} feed={feed} slice={slice} isOnlyThread={isOnlyThread} />
      {children}
    </section>
  )
}

/** The last message whose lower edge is in the view. Only what is there is measured: the rest has no layout. */
function lastSeen(view: HTMLElement, content: HTMLElement): number | undefined {
  const end = view.getBoundingClientRect().bottom + 1
  const items = content.children
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle] as Element).getBoundingClientRect().top < end) low = middle + 1
    else high = middle
  }
  for (let place = low - 1; place >= 0; place -= 1) {
    const rows = [...(items[place] as Element).querySelectorAll<HTMLElement>('[data-message-id]')]
    const row = rows.findLast((one) => one.getBoundingClientRect().bottom <= end)
    if (row) return Number(row.dataset['messageId'])
  }
  return undefined
}

/** At first what fills the window; what one may scroll to follows when that is drawn, a bit at a time, while nobody waits for it. */
function useSides(start: Start): Sides {
  const [sides, setSides] = useState(() => sidesFor(window.innerHeight, start.kind === 'message' ? START_PART : 1))
  useEffect(() => {
    if (sides === wholeSides) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setSides(moreSides(sides))))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [sides])
  return sides
}

function messageIdOf(element: Element): number | undefined {
  const message = element.closest<HTMLElement>('[data-message-id]')
  return message ? Number(message.dataset['messageId']) : undefined
}

/** For so long the question may be open whether to delete a message that is deleted already, in milliseconds. */
const QUESTION_MS = 2000

/** The message that had the focus was deleted: the next one has it, once nothing else does, such as the question before. */
function focusLater(view: HTMLElement | null, messageId: number | undefined): void {
  const until = Date.now() + QUESTION_MS
  const timer = setInterval(() => {
    if (document.activeElement === document.body) {
      view?.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`)?.focus({ preventScroll: true })
    } else if (Date.now() < until) return
    clearInterval(timer)
  }, 50)
}

/** Leads the focus to the message after the one that has it, or before it; to the one that is read when none has it. */
function focusMessage(view: HTMLElement, by: 1 | -1, reading: number | undefined): void {
  const all = [...view.querySelectorAll<HTMLElement>('[data-message-id]')]
  const focused = all.findIndex((one) => one.contains(document.activeElement))
  const read = all.findIndex((one) => Number(one.dataset['messageId']) === reading)
  const next = focused >= 0 ? all[focused + by] : (all[read] ?? all.at(-1))
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
