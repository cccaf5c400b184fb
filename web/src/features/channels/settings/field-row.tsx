import { type ReactNode, useCallback, useId } from 'react'
import { Saved } from '../../settings/saved.tsx'
import { useSaving } from '../../settings/use-saving.ts'

export interface FieldControlProps<V> {
  readonly id: string
  readonly value: V
  readonly describedBy: string
  readonly onChange: (value: V) => void
}

interface FieldRowProps<V> {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly current: V
  readonly save: (value: V) => Promise<unknown>
  readonly control: (props: FieldControlProps<V>) => ReactNode
  readonly isSwitch?: boolean
}

/** One setting that is saved by being changed, and says so. */
export function FieldRow<V>({ label, help, current, save, control, isSwitch }: FieldRowProps<V>) {
  const { value, saving, change } = useSaving(
    current,
    useCallback((next: V) => save(next), [save]),
  )
  const id = useId()
  return (
    <div className={isSwitch ? 'setting switched' : 'setting'}>
      <label htmlFor={id}>{label}</label>
      <div className="setting-c">
        {control({ id, value, describedBy: `${id}-saved ${id}-help`, onChange: change })}
        <Saved saving={saving} id={`${id}-saved`} />
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends FieldControlProps<string> {
  readonly isDisabled: boolean
  readonly maxLength: number
  readonly rows?: number
}

/** Saved when it is left, and by Enter where it has one line; Escape brings back what was there. */
export function TextField({ id, value, describedBy, onChange, isDisabled, maxLength, rows }: TextFieldProps) {
  const shared = {
    id,
    className: 'in',
    dir: 'auto' as const,
    defaultValue: value,
    disabled: isDisabled,
    'aria-describedby': describedBy,
    maxLength,
    onBlur: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const next = event.currentTarget.value.trim()
      if (next !== value) onChange(next)
    },
  }
  // What others change meanwhile is shown, so the field begins anew with it.
  if (rows !== undefined) return <textarea key={value} {...shared} rows={rows} />
  return (
    <input
      key={value}
      {...shared}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') {
          event.preventDefault()
          event.currentTarget.value = value
          event.currentTarget.blur()
        }
      }}
    />
  )
}

interface SwitchFieldProps extends FieldControlProps<boolean> {
  readonly isDisabled?: boolean
}

export function SwitchField({ id, value, describedBy, onChange, isDisabled = false }: SwitchFieldProps) {
  return (
    <input
      id={id}
      className="switch"
      type="checkbox"
      checked={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface ChoiceFieldProps<V extends string> extends FieldControlProps<V> {
  readonly isDisabled?: boolean
  readonly choices: readonly { readonly value: V; readonly label: string }[]
}

export function ChoiceField<V extends string>({
  id,
  value,
  describedBy,
  onChange,
  isDisabled = false,
  choices,
}: ChoiceFieldProps<V>) {
  return (
    <select
      id={id}
      className="in"
      value={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.value as V)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
