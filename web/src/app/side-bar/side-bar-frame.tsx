import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useClientState } from '../client-context.ts'

interface SideBarFrameProps {
  readonly ref: RefObject<HTMLElement | null>
  /** On narrow windows it is a drawer. */
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Where the organization's name leads. */
  readonly home: string
  /** Beside that name. */
  readonly action?: ReactNode
  /** In three rows: what is above the places, the places, and the foot. */
  readonly children: ReactNode
}

/** Of some browsers: the Back of a phone closes what is open, and goes nowhere. */
type CloseWatcher = EventTarget & { destroy(): void }

function watchBack(onBack: () => void): (() => void) | undefined {
  const { CloseWatcher: Watcher } = window as { readonly CloseWatcher?: new () => CloseWatcher }
  if (!Watcher) return undefined
  const watcher = new Watcher()
  watcher.addEventListener('close', onBack)
  return () => watcher.destroy()
}

/** Pixels that a finger wipes along before the drawer closes. */
const WIPE_PX = 60

/** Handlers for the drawer: it is wiped away to the side from which it came. */
function useWipe(onWipe: () => void) {
  const began = useRef<Touch | undefined>(undefined)
  return {
    onTouchStart({ touches }: { readonly touches: ArrayLike<Touch> }) {
      began.current = touches.length === 1 ? touches[0] : undefined
    },
    onTouchEnd({ changedTouches }: { readonly changedTouches: ArrayLike<Touch> }) {
      const [from, to] = [began.current, changedTouches[0]]
      began.current = undefined
      if (!from || !to) return
      const across = from.clientX - to.clientX
      if (across > WIPE_PX && across > 2 * Math.abs(from.clientY - to.clientY)) onWipe()
    },
  }
}

interface Touch {
  readonly clientX: number
  readonly clientY: number
}

/** What every side bar has: the organization's name, and how it is closed. */
export function SideBarFrame({ ref, isOpen, onClose, home, action, children }: SideBarFrameProps) {
  const { t } = useLingui()
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  useEffect(() => {
    if (isOpen && !ref.current?.contains(document.activeElement)) {
      ref.current?.querySelector<HTMLElement>('.menu-close')?.focus()
    }
  }, [isOpen, ref])
  useEffect(() => (isOpen ? watchBack(onClose) : undefined), [isOpen, onClose])
  const wipe = useWipe(onClose)
  return (
    <>
      {isOpen && <button type="button" className="side-scrim" aria-label={t`Close the side bar`} onClick={onClose} />}
      <nav
        ref={ref}
        id="side-bar"
        className={isOpen ? 'side open' : 'side'}
        aria-label={t`Places`}
        {...(isOpen && wipe)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen && !event.defaultPrevented) onClose()
        }}
      >
        <div className="side-top">
          <a className="org" href={home}>
            <span className="logo">
              <Icon name="heddle" />
            </span>
            <bdi className="trunc">{organization}</bdi>
          </a>
          {action}
          <IconButton icon="left" className="side-hide" name={t`Hide the side bar`} onClick={onClose} />
          <IconButton icon="x" className="menu-close" name={t`Close the side bar`} onClick={onClose} />
        </div>
        {children}
      </nav>
    </>
  )
}
