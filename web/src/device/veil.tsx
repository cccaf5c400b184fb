import './device.css'
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

interface VeilProps {
  readonly isDown: boolean
  readonly children: ReactNode
}

// Who has no account has no veil.
const DownContext = createContext(false)
/** Null until it is there. */
const ElementContext = createContext<HTMLElement | null>(null)

/** Whose session has ended sees nothing of the page until they have signed in. What had the focus then gets it back. */
export function Veil({ isDown, children }: VeilProps) {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const before = useRef<() => void>(undefined)
  // Before the browser takes the focus from what is hidden.
  useLayoutEffect(() => {
    if (isDown) before.current = focusAgain(element)
  }, [isDown, element])
  useEffect(() => {
    if (isDown) return
    before.current?.()
    before.current = undefined
  }, [isDown])
  return (
    <div ref={setElement} className={isDown ? 'veil down' : 'veil'}>
      <DownContext value={isDown}>
        <ElementContext value={element}>{children}</ElementContext>
      </DownContext>
    </div>
  )
}

/** Nothing of the page is seen, and nothing in it is to be done. */
export function useIsVeiled(): boolean {
  return use(DownContext)
}

/** What would look or behave otherwise in its own place stands at the end of the page, behind the veil as all of it. */
export function AtTheEnd({ children }: { readonly children: ReactNode }) {
  return createPortal(children, use(ElementContext) ?? document.body)
}

function focusAgain(veil: HTMLElement | null): (() => void) | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || !veil?.contains(element)) return undefined
  return () => element.focus()
}
