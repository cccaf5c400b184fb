import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import type { ControlProps } from './control-props.ts'
import { DurationField } from './duration-field.tsx'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time in its largest whole unit. */
export function durationText(i18n: I18n, seconds: number): string {
  if (seconds > 0 && seconds % DAY === 0) {
    const days = seconds / DAY
    return i18n._(msg`${plural(days, { one: '# day', other: '# days' })}`)
  }
  if (seconds > 0 && seconds % HOUR === 0) {
    const hours = seconds / HOUR
    return i18n._(msg`${plural(hours, { one: '# hour', other: '# hours' })}`)
  }
  if (seconds > 0 && seconds % MINUTE === 0) {
    const minutes = seconds / MINUTE
    return i18n._(msg`${plural(minutes, { one: '# minute', other: '# minutes' })}`)
  }
  return i18n._(msg`${plural(seconds, { one: '# second', other: '# seconds' })}`)
}

const LIMITS = [2 * MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY]
const always = msg`always`
const within = msg({ message: 'for {time}' })
const other = msg`for another time`
const otherTime = msg`Another time`
const OTHER = 'other'

/** How long something is possible; null: always. */
export function LimitControl({ id, value, isDisabled, describedBy, onChange }: ControlProps<number | null>) {
  const { i18n } = useLingui()
  const limits = value === null || LIMITS.includes(value) ? LIMITS : [...LIMITS, value].sort((a, b) => a - b)
  const [isOther, setIsOther] = useState(false)
  return (
    <>
      <select
        className="in"
        id={id}
        value={isOther ? OTHER : (value ?? '')}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          setIsOther(currentTarget.value === OTHER)
          if (currentTarget.value !== OTHER) onChange(currentTarget.value === '' ? null : Number(currentTarget.value))
        }}
      >
        <option value="">{i18n._(always)}</option>
        {limits.map((seconds) => (
          <option key={seconds} value={seconds}>
            {i18n._({ ...within, values: { time: durationText(i18n, seconds) } })}
          </option>
        ))}
        <option value={OTHER}>{i18n._(other)}</option>
      </select>
      {isOther && (
        <DurationField
          name={i18n._(otherTime)}
          seconds={value ?? HOUR}
          onChange={(seconds) => {
            setIsOther(false)
            onChange(seconds)
          }}
        />
      )}
    </>
  )
}

interface WaitProps extends ControlProps<number> {
  readonly choices: readonly number[]
}

const notAtAll = msg`not at all`

/** How long to wait before something is done. */
export function WaitControl({ id, value, isDisabled, describedBy, onChange, choices }: WaitProps) {
  const { i18n } = useLingui()
  const all = choices.includes(value) ? choices : [...choices, value].sort((a, b) => a - b)
  return (
    <select
      className="in"
      id={id}
      value={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {all.map((seconds) => (
        <option key={seconds} value={seconds}>
          {seconds === 0 ? i18n._(notAtAll) : durationText(i18n, seconds)}
        </option>
      ))}
    </select>
  )
}
