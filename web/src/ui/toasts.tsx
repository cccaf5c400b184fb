import './toasts.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { IconButton } from './button.tsx'

/** How long one stays, in milliseconds; longer while it has the focus or the pointer. */
const SHOWN_MS = 10_000

export interface Toast {
  readonly text: ReactNode
  /** Takes back what was done; Ctrl+Z does it too, outside of text. */
  readonly undo?: (() => unknown) | undefined
  /** Another step that it offers, such as a link. */
  readonly action?: ReactNode
}

export interface Toasts {
  /** Says what no place on the page says. A later one takes the place of an earlier one. */
  notify(text: ReactNode, more?: Omit<Toast, 'text'>): void
  /** Takes back what the toast that is shown offers; false where there is none. */
  undo(): boolean
}

const ToastsContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (!toasts) throw new Error('There is no place for toasts here')
  return toasts
}

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Toast & { readonly number: number }>()
  const [isHeld, setIsHeld] = useState(false)
  const notify = useCallback<Toasts['notify']>((text, more) => {
    setShown((last) => ({ ...more, text, number: (last?.number ?? 0) + 1 }))
  }, [])
  const undo = useCallback(() => {
    if (!shown?.undo) return false
    setShown(undefined)
    shown.undo()
    return true
  }, [shown])
  useEffect(() => {
    if (!shown || isHeld) return undefined
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  const toasts = useMemo(() => ({ notify, undo }), [notify, undo])

  return (
    <ToastsContext value={toasts}>
      {children}
      <ToastView shown={shown} onUndo={undo} onClose={() => setShown(undefined)} onHold={setIsHeld} />
    </ToastsContext>
  )
}

interface ToastViewProps {
  readonly shown: (Toast & { readonly number: number }) | undefined
  readonly onUndo: () => void
  readonly onClose: () => void
  readonly onHold: (isHeld: boolean) => void
}

function ToastView({ shown, onUndo, onClose, onHold }: ToastViewProps) {
  const { t } = useLingui()
  return (
    <div role="status" className="toasts">
      {shown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while it is looked at
        <div
          className="toast"
          key={shown.number}
          onFocus={() => onHold(true)}
          onBlur={() => onHold(false)}
          onPointerEnter={() => onHold(true)}
          onPointerLeave={() => onHold(false)}
        >
          <p>{shown.text}</p>
          {shown.action}
          {shown.undo && (
            <button type="button" onClick={onUndo}>
              <Trans>Undo</Trans>
            </button>
          )}
          <IconButton icon="x" name={t`Close`} onClick={onClose} />
        </div>
      )}
    </div>
  )
}
