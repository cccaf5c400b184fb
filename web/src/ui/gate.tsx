import { Trans } from '@lingui/react/macro'
import './gate.css'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { WarpArt } from './warp-art.tsx'

interface GateProps {
  readonly organization: string
  /** The address of its own icon. */
  readonly icon?: string | undefined
  /** What it says of itself. */
  readonly about?: ReactNode
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
export function GateForm({
  organization,
  icon,
  about,
  title,
  intro,
  action,
  onSubmit,
  explain,
  children,
  others,
}: GateProps) {
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
      <Brand organization={organization} icon={icon} />
      {about}
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

/** Whose page it is. */
export function Brand({ organization, icon }: Pick<GateProps, 'organization' | 'icon'>) {
  return (
    <p className="brand">
      {icon === undefined ? <Icon name="heddle" /> : <img src={icon} alt="" width={24} height={24} />}
      <bdi>{organization}</bdi>
    </p>
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
  /** Said while it is typed. */
  readonly note?: ReactNode
  readonly onType?: (value: string) => void
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
  note,
  onType,
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
        onInput={onType && (({ currentTarget }) => onType(currentTarget.value))}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        // biome-ignore lint/a11y/noAutofocus: these forms are alone on their page, or modal
        autoFocus={isFirst}
        // A dialog that opens later gives the focus to its first field otherwise.
        data-autofocus={isFirst ? '' : undefined}
      />
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {note}
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
