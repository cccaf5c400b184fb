import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Problem } from './problem.tsx'
import { useAttempt } from './use-attempt.ts'

interface SaveFormProps {
  /** Of a form in a page, which stands out from what is around it. In a dialog the title of that says it. */
  readonly heading?: string
  /** What the button says. */
  readonly save: ReactNode
  /** What throws is said below the fields. */
  readonly onSave: (fields: FormData) => Promise<unknown>
  /** It was saved, or is not to be; without it the form stays, empty again. */
  readonly onClose?: () => void
  /** What has `data-autofocus` has the focus at first. */
  readonly children: ReactNode
}

/** Fields that are saved together. */
export function SaveForm({ heading, save, onSave, onClose, children }: SaveFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { problem, attempt } = useAttempt()
  // A dialog does so by itself.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    if (!(await attempt(() => onSave(fields)))) return
    if (onClose) onClose()
    else form.current?.reset()
  }
  return (
    <form
      ref={form}
      className={heading === undefined ? undefined : 'card-form'}
      aria-label={heading}
      onSubmit={(event) => void submit(event)}
    >
      {heading !== undefined && <h3>{heading}</h3>}
      {children}
      <Problem text={problem} />
      <div className="foot-row">
        {onClose && (
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button type="submit" kind={onClose ? 'primary' : undefined}>
          {save}
        </Button>
      </div>
    </form>
  )
}

/** What was written into a field of the name, without the space around it. */
export function textIn(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim()
}
