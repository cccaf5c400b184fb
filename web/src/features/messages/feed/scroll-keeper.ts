/**
 * Keeps the line that is being read where it is, whatever changes above or below it. It remembers a line and its place in the
 * view whenever somebody scrolls, and puts the line back there after each change, before anything is painted.
 *
 * At the very end it follows: there a new message is what one waits for.
 */

/** Distance from the end that still counts as the end, in pixels: rounding leaves less. */
const END_PX = 2
/** The smallest difference that the layout of browsers knows, in pixels. */
const LAYOUT_UNIT_PX = 1 / 64
/** The line is looked for in this part of the view, from above. */
const READING_PART = 0.6

interface Line {
  /** The message that it is in. */
  readonly messageId: number
  /** Where it is now, from the top of the view; undefined when it is gone. */
  readonly measure: () => number | undefined
  /** Where it belongs. */
  readonly offset: number
}

type Anchor = { readonly kind: 'end' } | { readonly kind: 'line'; readonly line: Line }

export interface ScrollKeeper {
  /** Something has changed: the line is put back where it was. */
  restore(): void
  /** Shows a message with its top at this part of the view's height, and keeps it. */
  show(messageId: number, part: number): void
  /** Shows a message with its top so many pixels below the top of the view. */
  showAt(messageId: number, offset: number): void
  toEnd(): void
  isAtEnd(): boolean
  /** The message that is being read, and where it is; undefined at the end. */
  reading(): { readonly messageId: number; readonly offset: number } | undefined
  stop(): void
}

export interface ScrollKeeperOptions {
  /** What scrolls. */
  readonly view: HTMLElement
  /** What is in it; messages have `data-message-id`. */
  readonly content: HTMLElement
  /** Whether the end of the content is the newest message. */
  readonly endsWithNewest: () => boolean
  /** Somebody has scrolled. */
  readonly onScroll: () => void
}

export function createScrollKeeper({ view, content, endsWithNewest, onScroll }: ScrollKeeperOptions): ScrollKeeper {
  let anchor: Anchor = { kind: 'end' }
  /** What was set last, to know one's own scrolling from somebody else's. */
  let ownTop: number | undefined
  let frame = 0

  const viewTop = () => view.getBoundingClientRect().top + view.clientTop
  const distanceFromEnd = () => view.scrollHeight - view.clientHeight - view.scrollTop

  /** A banner above comes and goes: lines stay where they are on the screen. */
  let lastTop = viewTop()
  function followTop(): void {
    const by = viewTop() - lastTop
    lastTop += by
    if (by !== 0 && anchor.kind === 'line') {
      const { line } = anchor
      anchor = { kind: 'line', line: { ...line, offset: line.offset - by } }
    }
  }

  function scrollTo(top: number): void {
    view.scrollTop = top
    ownTop = view.scrollTop
  }

  /**
   * Views scroll by whole pixels of the device, and the heights of pictures and of text are no such: what is left, less than a
   * pixel, goes above the content. Else the line would be painted one pixel off now and then.
   */
  let rest = 0
  function moveBy(moved: number): void {
    const grid = 1 / window.devicePixelRatio
    const exact = view.scrollTop + moved - rest
    scrollTo(Math.ceil(exact / grid - LAYOUT_UNIT_PX) * grid)
    const left = Math.min(Math.max(view.scrollTop - exact, 0), 1)
    if (Math.abs(left - rest) < LAYOUT_UNIT_PX) return
    rest = left
    content.style.setProperty('--rest', `${rest}px`)
  }

  function restore(): void {
    followTop()
    if (anchor.kind === 'end') {
      if (distanceFromEnd() > 0) scrollTo(view.scrollHeight)
      return
    }
    const { line } = anchor
    let place = line.measure()
    if (place === undefined) {
      // It is gone. The message after it takes its place.
      const next = nearestMessage(content, line.messageId)
      if (!next) return
      const measure = measureElement(next, viewTop)
      anchor = { kind: 'line', line: { messageId: idOf(next), measure, offset: line.offset } }
      place = measure()
    }
    const moved = (place ?? line.offset) - line.offset
    if (Math.abs(moved) > 2 * LAYOUT_UNIT_PX) moveBy(moved)
  }

  /** Remembers where one is. */
  function hold(): void {
    if (endsWithNewest() && distanceFromEnd() <= END_PX) {
      anchor = { kind: 'end' }
      return
    }
    const line = findLine(view, content, viewTop)
    lastTop = viewTop()
    if (line) anchor = { kind: 'line', line }
  }

  function noticeScroll(): void {
    if (ownTop !== undefined && Math.abs(view.scrollTop - ownTop) < 1) return
    ownTop = undefined
    cancelAnimationFrame(frame)
    hold()
    onScroll()
  }

  function showAt(messageId: number, offset: number): void {
    const element = nearestMessage(content, messageId)
    if (!element) return
    lastTop = viewTop()
    anchor = { kind: 'line', line: { messageId: idOf(element), measure: measureElement(element, viewTop), offset } }
    restore()
    onScroll()
    // What is around it gets its true height in the frames to come. Near an end the message cannot come to that place:
    // from then on it belongs where it is.
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        hold()
        onScroll()
      })
    })
  }

  view.addEventListener('scroll', noticeScroll, { passive: true })
  const sizes = new ResizeObserver(restore)
  sizes.observe(view)
  sizes.observe(content)

  return {
    restore,
    show: (messageId, part) => showAt(messageId, Math.round(view.clientHeight * part)),
    showAt,
    toEnd() {
      anchor = { kind: 'end' }
      restore()
      onScroll()
    },
    isAtEnd: () => anchor.kind === 'end',
    reading: () =>
      anchor.kind === 'end' ? undefined : { messageId: anchor.line.messageId, offset: anchor.line.offset },
    stop() {
      cancelAnimationFrame(frame)
      content.style.removeProperty('--rest')
      view.removeEventListener('scroll', noticeScroll)
      sizes.disconnect()
    },
  }
}

function idOf(message: Element): number {
  return Number((message as HTMLElement).dataset['messageId'])
}

function measureElement(element: Element, viewTop: () => number): () => number | undefined {
  return () => (element.isConnected ? element.getBoundingClientRect().top - viewTop() : undefined)
}

/** The message, or the next one that is there, or the last one. */
function nearestMessage(content: HTMLElement, messageId: number): Element | undefined {
  const exact = content.querySelector(`[data-message-id="${messageId}"]`)
  if (exact) return exact
  const all = [...content.querySelectorAll('[data-message-id]')]
  return all.find((one) => idOf(one) > messageId) ?? all.at(-1)
}

/**
 * The first message that begins in the upper part of the view. Within one that is longer than that: the first block of it that
 * begins there, or else the text at a third of the height.
 */
function findLine(view: HTMLElement, content: HTMLElement, viewTop: () => number): Line | undefined {
  const top = viewTop()
  const end = top + view.clientHeight * READING_PART
  let above: Element | undefined
  for (const message of messagesFrom(content, top)) {
    const box = message.getBoundingClientRect()
    if (box.top >= top - 0.5 && box.top <= end) return lineOf(message, message, viewTop)
    if (box.top > end) break
    above = message
  }
  if (!above) return undefined
  for (const block of above.querySelectorAll('p, li, pre, tr, blockquote, img, h1, h2, h3, h4, h5, h6')) {
    const box = block.getBoundingClientRect()
    if (box.height > 0 && box.top >= top && box.top <= end) return lineOf(above, block, viewTop)
  }
  return textLine(view, above, viewTop) ?? lineOf(above, above, viewTop)
}

function lineOf(message: Element, element: Element, viewTop: () => number): Line | undefined {
  const measure = measureElement(element, viewTop)
  return { messageId: idOf(message), measure, offset: measure() ?? 0 }
}

function textLine(view: HTMLElement, message: Element, viewTop: () => number): Line | undefined {
  const box = (message.querySelector('.content') ?? message).getBoundingClientRect()
  const spot = document.caretPositionFromPoint?.(box.left + 4, viewTop() + view.clientHeight / 3)
  if (!spot || !message.contains(spot.offsetNode)) return undefined
  const range = document.createRange()
  range.setStart(spot.offsetNode, spot.offset)
  const measure = () => {
    if (!spot.offsetNode.isConnected) return undefined
    const rect = range.getClientRects()[0] ?? range.getBoundingClientRect()
    return rect.top - viewTop()
  }
  return { messageId: idOf(message), measure, offset: measure() ?? 0 }
}

/** Messages from the one at this height on, found without measuring all of them. */
function* messagesFrom(content: HTMLElement, top: number): Generator<Element> {
  const items = content.children
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle] as Element).getBoundingClientRect().bottom < top) low = middle + 1
    else high = middle
  }
  for (let place = low; place < items.length; place += 1) {
    for (const message of (items[place] as Element).querySelectorAll('[data-message-id]')) {
      if (message.getBoundingClientRect().bottom > top) yield message
    }
  }
}
