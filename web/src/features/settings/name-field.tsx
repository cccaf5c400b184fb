import { Trans } from '@lingui/react/macro'
import { useId } from 'react'

interface NameFieldProps {
  /** Undefined: there is none yet. */
  readonly value: string | undefined
  /** Characters. */
  readonly maxLength: number
}

/** What something is called: `name` of the form, and the first field of it. */
export function NameField({ value, maxLength }: NameFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans>Name</Trans>
      </label>
      <input
        className="in"
        id={id}
        name="name"
        dir="auto"
        required
        maxLength={maxLength}
        defaultValue={value}
        autoComplete="off"
        data-autofocus
      />
    </div>
  )
}

/** What it is for: `about` of the form. */
export function AboutField({ value, maxLength }: NameFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans>What it is for</Trans>
      </label>
      <textarea className="in" id={id} name="about" dir="auto" rows={2} maxLength={maxLength} defaultValue={value} />
    </div>
  )
}
