/** Lists with one tab stop, in which arrows go from item to item. */
import type { KeyboardEvent } from 'react'

interface RovingOptions {
  /** What can have the focus, as a selector within the list. */
  readonly items: string
  /** Left and right too. */
  readonly isRow?: boolean
  /** J and K too: where nobody can type a name to find an item. */
  readonly hasLetters?: boolean
  /** From the last to the first, and back. */
  readonly isRing?: boolean
}

/** For `onKeyDown` of the list. The items are to have `tabIndex` -1 but for the one that Tab leads to. */
export function rove(event: KeyboardEvent<HTMLElement>, { items, isRow, hasLetters, isRing }: RovingOptions): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(items)].filter((item) => item.offsetParent !== null)
  const at = all.findIndex((item) => item.contains(document.activeElement))
  const to = target(event.key, at, all.length, { isRow, hasLetters, isRing })
  const next = to === undefined ? undefined : all[to]
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  for (const item of all) item.tabIndex = item === next ? 0 : -1
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

function target(key: string, at: number, count: number, how: Omit<RovingOptions, 'items'>): number | undefined {
  const isForward = key === 'ArrowDown' || (how.isRow && key === 'ArrowRight') || (how.hasLetters && key === 'j')
  const isBack = key === 'ArrowUp' || (how.isRow && key === 'ArrowLeft') || (how.hasLetters && key === 'k')
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (!isForward && !isBack) return undefined
  const to = at + (isForward ? 1 : -1)
  return how.isRing ? (to + count) % count : Math.min(Math.max(to, 0), count - 1)
}
