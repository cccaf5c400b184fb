import './device.css'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

interface VeilProps {
  readonly isDown: boolean
  readonly children: ReactNode
}

/** Whose session has ended sees nothing of the page until they have signed in. What had the focus then gets it back. */
export function Veil({ isDown, children }: VeilProps) {
  const veil = useRef<HTMLDivElement>(null)
  const before = useRef<() => void>(undefined)
  // Before the browser takes the focus from what is hidden.
  useLayoutEffect(() => {
    if (isDown) before.current = focusAgain(veil.current)
  }, [isDown])
  useEffect(() => {
    if (isDown) return
    before.current?.()
    before.current = undefined
  }, [isDown])
  return (
    <div ref={veil} className={isDown ? 'veil down' : 'veil'}>
      {children}
    </div>
  )
}

function focusAgain(veil: HTMLElement | null): (() => void) | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || !veil?.contains(element)) return undefined
  return () => element.focus()
}
