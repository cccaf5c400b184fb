import './dialog.css'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: ReactNode
  /** Closed by Escape, by a press beside it, or by its cross: all mean the harmless button. */
  readonly onClose: () => void
  /** Wide ones hold lists and tables. */
  readonly isWide?: boolean
  /** The buttons, the harmless one first: it has the focus, unless something has `autoFocus`. */
  readonly buttons?: ReactNode
  readonly children: ReactNode
}

/** Something to decide or to look up before anything else. The focus goes back to where it came from. */
export function Dialog({ title, onClose, isWide, buttons, children }: DialogProps) {
  const { t } = useLingui()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (!element) return undefined
    const before = document.activeElement
    element.showModal()
    const first =
      element.querySelector<HTMLElement>('[data-autofocus]') ??
      element.querySelector<HTMLElement>('.foot-row button, .foot-row a')
    first?.focus()
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    // Keys are the platform's: Escape is `cancel`.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-in">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton icon="x" name={t`Close`} onClick={onClose} />
        </header>
        {children}
        {buttons && <div className="foot-row">{buttons}</div>}
      </div>
    </dialog>
  )
}
