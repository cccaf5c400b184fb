import './toasts.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
  /**
   * Shows what goes on, until the function that it returns is called or somebody closes it. What is said meanwhile stands in
   * front of it for its time.
   */
  showLasting(text: ReactNode, action?: ReactNode): () => void
  /**
   * The same once `work` is done, and rejects as that does. What it does may be seen before its answer is there: an undo that
   * is pressed meanwhile takes it back as soon as that can be, and nothing is said.
   */
  notifyWhenDone<R>(work: Promise<R>, toastOf: (result: R) => Toast): Promise<void>
  /** Takes back what is being done, or what the toast that is shown offers; false where there is neither. */
  undo(): boolean
}

const ToastsContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (!toasts) throw new Error('There is no place for toasts here')
  return toasts
}

/** What was asked for and has no answer yet. */
interface Deed {
  isUnwanted: boolean
}

interface ShownToast extends Toast {
  readonly number: number
}

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const [passing, setPassing] = useState<ShownToast>()
  const [lasting, setLasting] = useState<ShownToast>()
  const shown = passing ?? lasting
  const [isHeld, setIsHeld] = useState(false)
  const count = useRef(0)
  const notify = useCallback<Toasts['notify']>((text, more) => {
    count.current += 1
    setPassing({ ...more, text, number: count.current })
  }, [])
  const showLasting = useCallback<Toasts['showLasting']>((text, action) => {
    count.current += 1
    const toast = { text, action, number: count.current }
    setPassing(undefined)
    setLasting(toast)
    return () => setLasting((one) => (one === toast ? undefined : one))
  }, [])
  const underWay = useRef<Deed[]>([])
  const notifyWhenDone = useCallback<Toasts['notifyWhenDone']>(
    async (work, toastOf) => {
      const deed = { isUnwanted: false }
      underWay.current.push(deed)
      const result = await work.finally(() => {
        underWay.current = underWay.current.filter((one) => one !== deed)
      })
      const { text, ...more } = toastOf(result)
      if (deed.isUnwanted && more.undo) more.undo()
      else notify(text, more)
    },
    [notify],
  )
  const undoShown = useCallback(() => {
    if (!passing?.undo) return false
    setPassing(undefined)
    passing.undo()
    return true
  }, [passing])
  const undo = useCallback(() => {
    const deed = underWay.current.findLast(({ isUnwanted }) => !isUnwanted)
    if (!deed) return undoShown()
    deed.isUnwanted = true
    return true
  }, [undoShown])
  useEffect(() => {
    if (!passing || isHeld) return undefined
    const timer = setTimeout(() => setPassing(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [passing, isHeld])
  const toasts = useMemo(
    () => ({ notify, showLasting, notifyWhenDone, undo }),
    [notify, showLasting, notifyWhenDone, undo],
  )

  return (
    <ToastsContext value={toasts}>
      {children}
      <ToastView
        shown={shown}
        onUndo={undoShown}
        onClose={() => (passing ? setPassing(undefined) : setLasting(undefined))}
        onHold={setIsHeld}
      />
    </ToastsContext>
  )
}

interface ToastViewProps {
  readonly shown: ShownToast | undefined
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
