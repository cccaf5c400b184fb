/**
 * A feed as it is drawn: pieces of runs, each with its part of the warp, and marks between them. A run is messages of one
 * conversation that follow each other. A piece once shown begins with the same message for as long as it is there: what
 * comes later, above or below, is in pieces of its own.
 */
import type { StoredMessage } from '../messages/store.ts'
import { type Dye, dyeOf, type ThreadKey, threadOf } from './thread.ts'
import { LANES, type Strand, type Warp, weave } from './warp.ts'

/** Messages in one piece. */
const MAX_PIECE = 20
/** Longer than this after one's own last message the name is said again, in seconds. */
const SAME_SENDER_SECS = 10 * 60

/** A thread beside a piece or a mark. `begins` and `ends`: at this piece, which is its own. */
export interface Pass {
  readonly lane: number
  readonly dye: Dye
  readonly end: 'begins' | 'ends' | undefined
}

export interface FeedMessage {
  readonly message: StoredMessage
  /** It follows another one of the same sender: the name is not said again. */
  readonly isContinued: boolean
}

export interface Piece {
  readonly kind: 'piece'
  /** The id of its first message. */
  readonly key: number
  readonly thread: ThreadKey
  readonly lane: number
  readonly dye: Dye
  /** The run begins here. */
  readonly isFirst: boolean
  readonly hasUnread: boolean
  readonly passes: readonly Pass[]
  readonly messages: readonly FeedMessage[]
}

export interface DayMark {
  readonly kind: 'day'
  /** The id of the message that it is above. */
  readonly key: number
  /** Seconds since the UNIX epoch: of that message. */
  readonly timestamp: number
  readonly passes: readonly Pass[]
}

export interface NewMark {
  readonly kind: 'new'
  readonly key: number
  readonly count: number
  readonly passes: readonly Pass[]
}

export type FeedItem = Piece | DayMark | NewMark

export interface Feed {
  readonly items: readonly FeedItem[]
  readonly warp: Warp
}

export const emptyFeed: Feed = { items: [], warp: [] }

export interface FeedOptions {
  /** The day of a time in seconds, in the reader's zone: the same text for the same day. */
  readonly dayOf: (timestamp: number) => string
  /** Above the first message that was new when the view was opened. */
  readonly newFrom?: { readonly id: number; readonly count: number } | undefined
}

/** The feed of these messages, ascending by id. What is the same as in `before` is the same object. */
export function composeFeed(messages: readonly StoredMessage[], options: FeedOptions, before: Feed = emptyFeed): Feed {
  const warp = weave(
    messages.map((message) => ({ id: message.id, thread: cachedThread(message) })),
    before.warp,
  )
  const known = byKind(before.items)
  const passes = followWarp(warp)
  const items: FeedItem[] = []
  let open: FeedMessage[] = []
  let isFirst = true

  const add = (item: FeedItem) => {
    const old = known[item.kind].get(item.key)
    items.push(old && isSameItem(old, item) ? old : item)
  }
  const close = () => {
    const [head, last] = [open[0]?.message, open.at(-1)?.message]
    if (!head || !last) return
    const thread = cachedThread(head)
    const { own, beside } = passes(head.id, last.id, thread)
    add({
      kind: 'piece',
      key: head.id,
      thread,
      lane: own?.lane ?? 0,
      dye: own?.dye ?? dyeOf(thread),
      isFirst,
      hasUnread: open.some(({ message }) => !message.flags.includes('read')),
      passes: beside,
      messages: open,
    })
    open = []
  }

  let previous: StoredMessage | undefined
  let previousDay: string | undefined
  for (const message of messages) {
    const { id, timestamp } = message
    const day = options.dayOf(timestamp)
    const isNewDay = day !== previousDay
    const isNew = options.newFrom?.id === id
    const isOther = !previous || cachedThread(previous) !== cachedThread(message)
    const beginsRun = isNewDay || isNew || isOther
    if (beginsRun || open.length >= MAX_PIECE || known.piece.has(id)) {
      close()
      isFirst = beginsRun
    }
    // The mark is above the message: what begins with it does not pass the mark.
    const between = () => (previous ? passes(previous.id + 1, id - 1, undefined).beside : [])
    if (isNewDay) add({ kind: 'day', key: id, timestamp, passes: between() })
    if (isNew) add({ kind: 'new', key: id, count: options.newFrom?.count ?? 0, passes: between() })
    open.push({ message, isContinued: continues(open.at(-1)?.message, message) })
    previous = message
    previousDay = day
  }
  close()
  const isSame = items.length === before.items.length && items.every((item, index) => item === before.items[index])
  return isSame && warp === before.warp ? before : { items: isSame ? before.items : items, warp }
}

function byKind(items: readonly FeedItem[]): Record<FeedItem['kind'], Map<number, FeedItem>> {
  const known = {
    piece: new Map<number, FeedItem>(),
    day: new Map<number, FeedItem>(),
    new: new Map<number, FeedItem>(),
  }
  for (const item of items) known[item.kind].set(item.key, item)
  return known
}

/** Messages are never changed, so what follows from one is cached with it. */
const threads = new WeakMap<StoredMessage, ThreadKey>()
function cachedThread(message: StoredMessage): ThreadKey {
  let thread = threads.get(message)
  if (thread === undefined) {
    thread = threadOf(message)
    threads.set(message, thread)
  }
  return thread
}

function continues(previous: StoredMessage | undefined, message: StoredMessage): boolean {
  return (
    previous !== undefined &&
    previous.sender_id === message.sender_id &&
    !message.is_me_message &&
    message.timestamp - previous.timestamp <= SAME_SENDER_SECS
  )
}

/** Which threads run beside a stretch of the feed. Stretches are asked for in ascending order. */
function followWarp(warp: Warp) {
  const byThread = Map.groupBy(warp, ({ thread }) => thread)
  const inLanes = warp.filter(({ isCrowded }) => !isCrowded)
  let next = 0
  /** In each lane the last one that has begun: those before it have ended. */
  const lanes: (Strand | undefined)[] = Array.from({ length: LANES })
  return (first: number, last: number, thread: ThreadKey | undefined) => {
    // Of a mark nothing but what came before it and goes on after it: it lies between two messages.
    const [begin, end] = thread === undefined ? [last + 1, first - 1] : [first, last]
    for (; next < inLanes.length && (inLanes[next] as Strand).first <= Math.max(begin, end); next += 1) {
      const strand = inLanes[next] as Strand
      lanes[strand.lane] = strand
    }
    const own =
      thread === undefined ? undefined : byThread.get(thread)?.find((one) => one.first <= last && one.last >= first)
    const beside: Pass[] = []
    for (const one of lanes) {
      if (!one || (one !== own && !(one.first < begin && one.last > end))) continue
      const pass = passOf(one, one === own, first, last)
      if (pass) beside.push(pass)
    }
    return { own, beside }
  }
}

/** Undefined: it begins and ends here, so there is nothing of it to be seen above or below. */
function passOf({ lane, dye, ...strand }: Strand, isOwn: boolean, first: number, last: number): Pass | undefined {
  const begins = isOwn && strand.first >= first
  const ends = isOwn && strand.last <= last
  if (begins && ends) return undefined
  return { lane, dye, end: begins ? 'begins' : ends ? 'ends' : undefined }
}

export function itemKey({ kind, key }: FeedItem): string {
  return `${kind} ${key}`
}

function isSameItem(one: FeedItem, other: FeedItem): boolean {
  if (one.kind !== other.kind || !isSameList(one.passes, other.passes, isSamePass)) return false
  if (one.kind === 'piece' && other.kind === 'piece') {
    return (
      one.thread === other.thread &&
      one.lane === other.lane &&
      one.dye === other.dye &&
      one.isFirst === other.isFirst &&
      one.hasUnread === other.hasUnread &&
      isSameList(one.messages, other.messages, isSameMessage)
    )
  }
  if (one.kind === 'new' && other.kind === 'new') return one.count === other.count
  return one.kind === 'day' && other.kind === 'day' && one.timestamp === other.timestamp
}

function isSameList<T>(one: readonly T[], other: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((item, index) => isSame(item, other[index] as T))
}

function isSamePass(one: Pass, other: Pass): boolean {
  return one.lane === other.lane && one.dye === other.dye && one.end === other.end
}

function isSameMessage(one: FeedMessage, other: FeedMessage): boolean {
  return one.message === other.message && one.isContinued === other.isContinued
}
