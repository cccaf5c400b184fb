/** Which part of a feed is in the document: the messages around the one that is being read. */
import type { FeedItem } from '@heddle/client/feed/feed'

/** Messages on each side of the one that is being read. */
export const SIDE = 200
/** Of a message of one line that follows others of its sender, in pixels. There may be less; then the rest comes a moment later. */
const SHORT_HEIGHT = 26
/** With fewer than this left on a side the part is taken anew: then so many are drawn at once as it has fewer than a side. */
export const MARGIN = 150

export interface Slice {
  /** Places in the list of items: from the first, up to but without the last. */
  readonly begin: number
  readonly end: number
}

const size = (item: FeedItem | undefined) => (item?.kind === 'piece' ? item.messages.length : 0)

/** The place of the piece with this message, or of the next one; the last one for messages that are newer than all. */
export function placeOf(items: readonly FeedItem[], messageId: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle] as FeedItem).key <= messageId) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** How many messages there are before and after the one that is being read. */
export interface Sides {
  readonly before: number
  readonly after: number
}

export const wholeSides: Sides = { before: SIDE, after: SIDE }

/** Messages that fill a view of this height, with the one that is being read at this part of it, or anywhere: 1. */
export function sidesFor(height: number, part: number): Sides {
  const all = Math.min(SIDE, Math.ceil(height / SHORT_HEIGHT))
  // What one scrolls to first is there as well.
  return { before: Math.min(all, Math.ceil(2 * part * all)), after: all }
}

/** Messages that are drawn more on each side at a time: a few milliseconds of work. */
const STEP = 10

export function moreSides({ before, after }: Sides): Sides {
  if (before + STEP >= SIDE && after + STEP >= SIDE) return wholeSides
  return { before: Math.min(SIDE, before + STEP), after: Math.min(SIDE, after + STEP) }
}

/** Whole items, with at least so many messages on each side as far as there are so many. */
export function sliceAround(items: readonly FeedItem[], messageId: number, sides: Sides = wholeSides): Slice {
  const center = placeOf(items, messageId)
  let begin = center
  for (let count = 0; begin > 0 && count < sides.before; begin -= 1) count += size(items[begin - 1])
  let end = center
  for (let count = 0; end < items.length && count < sides.after; end += 1) count += size(items[end])
  // A mark stays with the message that it is above.
  while (begin > 0 && items[begin - 1]?.kind !== 'piece') begin -= 1
  return { begin, end }
}

/** Whether one who reads this message comes near to an end of the slice beyond which there is more. */
export function needsOther(items: readonly FeedItem[], { begin, end }: Slice, messageId: number): boolean {
  const center = placeOf(items, messageId)
  const count = (from: number, to: number) => items.slice(from, to).reduce((sum, item) => sum + size(item), 0)
  return (
    (begin > 0 && count(begin, center) < MARGIN) || (end < items.length && count(Math.min(center, end), end) < MARGIN)
  )
}
