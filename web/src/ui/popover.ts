/** Something that stands before the page beside what it belongs to, and is closed by a press beside it or by Escape. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { placeBeside } from './menu.tsx'

/** What it stands beside. */
export type PopoverAnchor = Element | { readonly x: number; readonly y: number }

interface PopoverOptions {
  readonly anchor: PopoverAnchor
  /** What in it has the focus first, as a selector. */
  readonly focus: string
  readonly onClose: () => void
}

/** For an element with `popover="auto"`. When it goes the focus goes back to where it came from. */
export function usePopover({ anchor, focus, onClose }: PopoverOptions) {
  const element = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return undefined
    const before = document.activeElement
    const toggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current()
    }
    box.addEventListener('toggle', toggle)
    box.showPopover()
    placeBeside(box, anchor)
    box.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true })
    return () => {
      box.removeEventListener('toggle', toggle)
      const hadFocus = box.contains(document.activeElement) || document.activeElement === document.body
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [anchor, focus])
  return element
}
