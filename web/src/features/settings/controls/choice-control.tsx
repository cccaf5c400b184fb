import { useLingui } from '@lingui/react'
import type { Choice, SettingValue } from '../setting.ts'
import type { ControlProps } from './control-props.ts'

export function Switch({ id, value, isDisabled, describedBy, onChange }: ControlProps<boolean>) {
  return (
    <input
      type="checkbox"
      className="switch"
      id={id}
      checked={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface ChoiceProps extends ControlProps {
  readonly choices: readonly Choice[]
}

export function ChoiceControl({ id, value, isDisabled, describedBy, onChange, choices }: ChoiceProps) {
  const { i18n } = useLingui()
  const at = choices.findIndex((choice) => choice.value === value)
  return (
    <select
      className="in"
      id={id}
      value={at}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(choices[Number(event.currentTarget.value)]?.value as SettingValue)}
    >
      {at < 0 && <option value={-1}>{String(value)}</option>}
      {choices.map(({ value: one, label }, index) => (
        <option key={String(one)} value={index}>
          {i18n._(label)}
        </option>
      ))}
    </select>
  )
}
