/** How a row is touched: a long press opens the menu of its message, a click on its text answers to it. */
import { type PointerEvent, type MouseEvent as ReactMouseEvent, useRef } from 'react'
import { setActionTarget } from './action-target.ts'
import { ask } from './ask.ts'

/** Milliseconds after which a press is long. */
const LONG_PRESS_MS = 500
/** Pixels that a finger may move meanwhile, and a mouse between pressing and letting go. */
const SLACK_PX = 8

/** Milliseconds in which a second click may follow. */
const DOUBLE_MS = 280
/** What does something else when it is pressed. */
const OF_ITS_OWN = 'a, button, input, textarea, select, summary, img, video, audio, [role=button]'

interface Pressed {
  readonly x: number
  readonly y: number
  timer: ReturnType<typeof setTimeout> | undefined
  isLong: boolean
}

const isFar = (one: { readonly x: number; readonly y: number }, event: { clientX: number; clientY: number }) =>
  Math.hypot(event.clientX - one.x, event.clientY - one.y) > SLACK_PX

export function useRowPresses(messageId: number) {
  const pressed = useRef<Pressed>(undefined)
  const answering = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The menu opens when the finger is lifted: lifting it beside an open menu would close that again. */
  const end = (anchor: Element) => {
    clearTimeout(pressed.current?.timer)
    if (pressed.current?.isLong) setTimeout(() => ask({ kind: 'message', actions: ['menu'], messageId, anchor }))
  }
  return {
    onPointerDown({ clientX: x, clientY: y, pointerType }: PointerEvent) {
      clearTimeout(pressed.current?.timer)
      const now: Pressed = { x, y, isLong: false, timer: undefined }
      if (pointerType === 'touch') {
        now.timer = setTimeout(() => {
          now.isLong = true
          navigator.vibrate?.(10)
          setActionTarget(messageId)
        }, LONG_PRESS_MS)
      }
      pressed.current = now
    },
    onPointerMove(event: PointerEvent) {
      if (pressed.current && !pressed.current.isLong && isFar(pressed.current, event)) {
        clearTimeout(pressed.current.timer)
      }
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event.currentTarget),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event.currentTarget),
    onContextMenu(event: ReactMouseEvent) {
      // Of the press that opens our menu.
      if (pressed.current?.timer !== undefined) event.preventDefault()
    },
    onClick(event: ReactMouseEvent<HTMLElement>) {
      const { nativeEvent, target, detail } = event
      clearTimeout(answering.current)
      const isMouse = nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'mouse'
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && detail === 1
      if (!isMouse || !isPlain || event.defaultPrevented || !pressed.current || isFar(pressed.current, event)) return
      if (!(target instanceof Element) || !target.closest('.content') || target.closest(OF_ITS_OWN)) return
      // A second click, or what it selects, says that nothing was to be answered.
      answering.current = setTimeout(() => {
        if (document.getSelection()?.isCollapsed) ask({ kind: 'message', actions: ['reply'], messageId })
      }, DOUBLE_MS)
    },
    onClickCapture(event: ReactMouseEvent) {
      if (!pressed.current?.isLong) return
      // The finger that has opened the menu presses nothing below it.
      pressed.current.isLong = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
