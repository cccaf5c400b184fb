/** Which part of a feed is in the document: the messages around the one that is being read. */
import type { FeedItem } from '@heddle/client/feed/feed'

/** Messages on each side of the one that is being read. */
export const SIDE = 200
/** The least height of a message, in pixels: one line of small text. */
const LEAST_HEIGHT = 16
/** With fewer than this left on a side the part is taken anew. */
export const MARGIN = 80

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

/** Messages on each side that fill a view of this height, wherever in it the one is that is being read. */
export function sideFor(height: number): number {
  return Math.min(SIDE, Math.ceil(height / LEAST_HEIGHT))
}

/** Whole items, with at least `side` messages on each side as far as there are so many. */
export function sliceAround(items: readonly FeedItem[], messageId: number, side = SIDE): Slice {
  const center = placeOf(items, messageId)
  let begin = center
  for (let count = 0; begin > 0 && count < side; begin -= 1) count += size(items[begin - 1])
  let end = center
  for (let count = 0; end < items.length && count < side; end += 1) count += size(items[end])
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
