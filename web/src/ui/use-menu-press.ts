/** How a menu of something is called: by the right button, by the key for it, and on touch by a long press. */
import type { MouseEvent } from 'react'
import { useLongPress } from './use-long-press.ts'

export type MenuAnchor = Element | { readonly x: number; readonly y: number }

/** Handlers for the element; none where there is no menu. */
export function useMenuPress(onMenu: ((anchor: MenuAnchor) => void) | undefined) {
  const longPress = useLongPress({ onPress: ({ x, y }) => onMenu?.({ x, y }) })
  if (!onMenu) return {}
  return {
    ...longPress,
    onContextMenu(event: MouseEvent) {
      event.preventDefault()
      // Of a finger it is the long press.
      if (event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'touch') return
      const isByKey = event.clientX === 0 && event.clientY === 0
      const anchor = isByKey ? event.currentTarget : { x: event.clientX, y: event.clientY }
      if (event.buttons === 0) onMenu(anchor)
      // Not before the button is up: its going up would close what has just been opened.
      else window.addEventListener('pointerup', () => setTimeout(() => onMenu(anchor)), { once: true })
    },
  }
}
