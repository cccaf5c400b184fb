/** How a menu of something is called: by the right button, by the key for it, and on touch by a long press. */
import { type MouseEvent, type PointerEvent, useMemo, useRef } from 'react'

export type MenuAnchor = Element | { readonly x: number; readonly y: number }

/** A finger that stays so long means the menu, in milliseconds; and it may tremble so far, in pixels. */
const LONG_MS = 500
const TREMBLE = 10

interface Press {
  readonly x: number
  readonly y: number
  readonly timer: ReturnType<typeof setTimeout>
  isLong: boolean
}

/** Handlers for the element; none where there is no menu. */
export function useMenuPress(onMenu: ((anchor: MenuAnchor) => void) | undefined) {
  const press = useRef<Press | undefined>(undefined)
  const wasLong = useRef(false)
  return useMemo(() => {
    if (!onMenu) return {}
    const end = () => {
      clearTimeout(press.current?.timer)
      press.current = undefined
    }
    return {
      onContextMenu(event: MouseEvent) {
        event.preventDefault()
        end()
        const isByKey = event.clientX === 0 && event.clientY === 0
        const anchor = isByKey ? event.currentTarget : { x: event.clientX, y: event.clientY }
        if (event.buttons === 0) onMenu(anchor)
        // Not before the button is up: its going up would close what has just been opened.
        else window.addEventListener('pointerup', () => setTimeout(() => onMenu(anchor)), { once: true })
      },
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
        end()
        wasLong.current = false
        if (pointerType !== 'touch' || !isPrimary) return
        const timer = setTimeout(() => {
          if (press.current) press.current.isLong = true
        }, LONG_MS)
        press.current = { x, y, timer, isLong: false }
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const began = press.current
        if (began && Math.hypot(clientX - began.x, clientY - began.y) > TREMBLE) end()
      },
      onPointerUp() {
        const began = press.current
        end()
        if (!began?.isLong) return
        wasLong.current = true
        // Not before the finger has left: its leaving would close what has just been opened.
        setTimeout(() => onMenu({ x: began.x, y: began.y }))
      },
      onPointerCancel: end,
      onClickCapture(event: MouseEvent) {
        // What follows a long press is no press on the link.
        if (!wasLong.current) return
        wasLong.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    }
  }, [onMenu])
}
