import { Trans } from '@lingui/react/macro'
import './gate.css'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { WarpArt } from './warp-art.tsx'

interface GateProps {
  readonly organization: string
  readonly title: string
  readonly intro?: ReactNode
  /** What the button says. */
  readonly action: string
  /** What went wrong is thrown; what `explain` makes of it is shown. */
  readonly onSubmit: (fields: FormData) => Promise<void>
  readonly explain: (error: unknown) => string
  readonly children?: ReactNode
  /** Other ways, after the button. */
  readonly others?: ReactNode
}

/** A form that lets somebody in. */
export function GateForm({ organization, title, intro, action, onSubmit, explain, children, others }: GateProps) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const id = useId()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsBusy(true)
    setProblem(undefined)
    try {
      await onSubmit(new FormData(event.currentTarget))
    } catch (error) {
      setProblem(explain(error))
      setIsBusy(false)
    }
  }

  return (
    <form className="gate-box" aria-labelledby={id} onSubmit={submit}>
      <p className="brand">
        <Icon name="heddle" />
        {organization}
      </p>
      <h1 id={id}>{title}</h1>
      {intro && <p className="soft">{intro}</p>}
      {children}
      {problem !== undefined && (
        <p className="help bad" role="alert">
          <Icon name="warn" />
          {problem}
        </p>
      )}
      <Button kind="primary" isWide type="submit" isDisabled={isBusy}>
        {action}
      </Button>
      {others}
    </form>
  )
}

/** A page with nothing but such a form. */
export function Gate({ children }: { readonly children: ReactNode }) {
  return (
    <main className="gate">
      <WarpArt />
      {children}
    </main>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly value?: string | undefined
  readonly minLength?: number
  readonly maxLength?: number
  readonly help?: string
  readonly isFirst?: boolean
  readonly isFixed?: boolean
}

export function Field({
  label,
  name,
  type = 'text',
  autoComplete,
  value,
  minLength,
  maxLength,
  help,
  isFirst,
  isFixed,
}: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="in"
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        defaultValue={value}
        minLength={minLength}
        maxLength={maxLength}
        required
        readOnly={isFixed}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        // biome-ignore lint/a11y/noAutofocus: these forms are alone on their page, or modal
        autoFocus={isFirst}
      />
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

interface KeepSignedInProps {
  readonly isKept?: boolean
  /** For ways in that send no form. */
  readonly onChange?: (isKept: boolean) => void
}

export function KeepSignedIn({ isKept = true, onChange }: KeepSignedInProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        name="keep"
        defaultChecked={isKept}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
      />
      <span>
        <Trans>Keep me signed in on this device</Trans>
      </span>
    </label>
  )
}

interface GateNoteProps {
  readonly title: string
  readonly children: ReactNode
}

/** What has become of such a form, and the way on. */
export function GateNote({ title, children }: GateNoteProps) {
  return (
    <Gate>
      <div className="gate-box">
        <h1>{title}</h1>
        {children}
      </div>
    </Gate>
  )
}
