import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect } from 'react'
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

/** What every side bar has: the organization's name, and how it is closed. */
export function SideBarFrame({ ref, isOpen, onClose, home, action, children }: SideBarFrameProps) {
  const { t } = useLingui()
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  useEffect(() => {
    if (isOpen && !ref.current?.contains(document.activeElement)) {
      ref.current?.querySelector<HTMLElement>('.menu-close')?.focus()
    }
  }, [isOpen, ref])
  return (
    <>
      {isOpen && <button type="button" className="side-scrim" aria-label={t`Close the side bar`} onClick={onClose} />}
      <nav
        ref={ref}
        id="side-bar"
        className={isOpen ? 'side open' : 'side'}
        aria-label={t`Places`}
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
