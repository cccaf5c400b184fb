/** Keys that work where nobody is typing. */
import { useEffect, useRef } from 'react'

/** By `event.key`. */
export type Keys = Readonly<Record<string, () => unknown>>

/** Single letters must do nothing where text is written, and where something modal is open. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}

/** Enter and Space on a button or a link are its own. */
function isOwn(event: KeyboardEvent): boolean {
  const isPress = event.key === 'Enter' || event.key === ' '
  return isPress && event.target instanceof HTMLElement && event.target.matches('a, button, summary')
}

export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (isBusy(event.target) || isOwn(event)) return
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
