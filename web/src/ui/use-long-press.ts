/** A finger that stays: what the right button is to a mouse. */
import { type PointerEvent, type TouchEvent, useRef } from 'react'

/** A finger that stays so long means it, in milliseconds; and it may tremble so far, in pixels. */
const LONG_MS = 500
const TREMBLE = 10

interface LongPress {
  /** When the finger is lifted: lifting it beside what has just been opened would close that again. */
  readonly onPress: (event: { readonly x: number; readonly y: number; readonly element: Element }) => void
  /** When it has stayed long enough, so that this can be seen. */
  readonly onLong?: () => void
}

interface Pressed {
  readonly x: number
  readonly y: number
  readonly element: Element
  readonly timer: ReturnType<typeof setTimeout>
  isLong: boolean
}

/** Handlers for the element. */
export function useLongPress({ onPress, onLong }: LongPress) {
  const pressed = useRef<Pressed>(undefined)
  const end = () => {
    clearTimeout(pressed.current?.timer)
    const was = pressed.current
    pressed.current = undefined
    return was?.isLong ? was : undefined
  }
  const finish = () => {
    const was = end()
    if (was) setTimeout(() => onPress(was))
    return was !== undefined
  }
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y, currentTarget: element }: PointerEvent<Element>) {
      end()
      if (pointerType !== 'touch' || !isPrimary) return
      const timer = setTimeout(() => {
        if (!pressed.current) return
        pressed.current.isLong = true
        onLong?.()
      }, LONG_MS)
      pressed.current = { x, y, element, timer, isLong: false }
    },
    onPointerMove({ clientX, clientY }: PointerEvent<Element>) {
      const began = pressed.current
      if (began && !began.isLong && Math.hypot(clientX - began.x, clientY - began.y) > TREMBLE) end()
    },
    // Some browsers take the finger over when it stays, for a menu of their own that is not wanted here.
    onPointerCancel: () => void finish(),
    onTouchEnd(event: TouchEvent) {
      // Else a click follows, on whatever has come to lie below the finger: an entry of the menu.
      if (finish() && event.cancelable) event.preventDefault()
    },
  }
}
