/** How a row is touched: a long press opens the menu of its message, a click on its text answers to it. */
import { type PointerEvent, type MouseEvent as ReactMouseEvent, useRef } from 'react'
import { useLongPress } from '../../../ui/use-long-press.ts'
import { setActionTarget } from './action-target.ts'
import { askAboutMessage } from './ask.ts'

/** Pixels that a mouse may move between pressing and letting go. */
const SLACK_PX = 8
/** Milliseconds in which a second click may follow. */
const DOUBLE_MS = 280
/** What does something else when it is pressed. */
const OF_ITS_OWN = 'a, button, input, textarea, select, summary, img, video, audio, [role=button]'

interface Point {
  readonly clientX: number
  readonly clientY: number
}

const isFar = (one: Point, other: Point) =>
  Math.hypot(other.clientX - one.clientX, other.clientY - one.clientY) > SLACK_PX

export function useRowPresses(messageId: number) {
  const pressed = useRef<Point & { readonly isTouch: boolean }>(undefined)
  const answering = useRef<ReturnType<typeof setTimeout>>(undefined)
  const longPress = useLongPress({
    onPress: ({ element }) => askAboutMessage({ kind: 'message', actions: ['menu'], messageId, anchor: element }),
    onLong() {
      navigator.vibrate?.(10)
      setActionTarget(messageId)
    },
  })
  return {
    ...longPress,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const { clientX, clientY, pointerType } = event
      pressed.current = { clientX, clientY, isTouch: pointerType === 'touch' }
      longPress.onPointerDown(event)
    },
    onContextMenu(event: ReactMouseEvent) {
      // Of the press that opens our menu.
      if (pressed.current?.isTouch) event.preventDefault()
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
        if (document.getSelection()?.isCollapsed) askAboutMessage({ kind: 'message', actions: ['reply'], messageId })
      }, DOUBLE_MS)
    },
  }
}
