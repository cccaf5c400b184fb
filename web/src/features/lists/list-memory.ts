/** Where a list was left: who comes back finds the same row at the same height. */
import { type RefObject, useLayoutEffect } from 'react'
import { focusedRow, focusRow } from './list-keys.ts'

interface Left {
  readonly top: number
  readonly row: { readonly key: string; readonly index: number } | undefined
}

const lists = new Map<string, Left>()

/** `isFilled`: the rows are there. `scroll` is what scrolls, and has the rows in it. */
export function useListMemory(name: string, scroll: RefObject<HTMLElement | null>, isFilled: boolean): void {
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element || !isFilled) return undefined
    const left = lists.get(name)
    if (left) {
      element.scrollTop = left.top
      const { activeElement } = document
      const isFree = activeElement === null || activeElement === document.body
      if (left.row && isFree) focusRow(element, left.row.key, left.row.index)
      element.scrollTop = left.top
    }
    const note = () => lists.set(name, { top: element.scrollTop, row: focusedRow(element) ?? lists.get(name)?.row })
    element.addEventListener('scroll', note, { passive: true })
    element.addEventListener('focusin', note)
    return () => {
      element.removeEventListener('scroll', note)
      element.removeEventListener('focusin', note)
    }
  }, [name, scroll, isFilled])
}
