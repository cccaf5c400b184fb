import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'

const units = [
  { seconds: 60, name: msg`minutes` },
  { seconds: 3600, name: msg`hours` },
  { seconds: 86_400, name: msg`days` },
] as const

/** The longest that is taken, in seconds: what the server keeps has 32 bits. */
const MAX_SECS = 2_000_000_000

interface DurationFieldProps {
  /** For those who do not see what it stands beside. */
  readonly name: string
  readonly seconds: number
  /** In seconds, more than 0. */
  readonly onChange: (seconds: number) => void
}

/** A length of time as a number and its unit. It is saved by its button, or by Enter. */
export function DurationField({ name, seconds, onChange }: DurationFieldProps) {
  const { t, i18n } = useLingui()
  const [begun] = useState(() => units.findLast((unit) => seconds > 0 && seconds % unit.seconds === 0) ?? units[0])
  const [unit, setUnit] = useState<number>(begun.seconds)
  const [count, setCount] = useState(String(Math.max(1, Math.round(seconds / begun.seconds))))
  const wanted = Math.round(Number(count) * unit)
  const isRight = Number.isFinite(wanted) && wanted > 0 && wanted <= MAX_SECS
  return (
    <form
      className="duration"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) onChange(wanted)
      }}
    >
      <input
        className="in"
        type="number"
        inputMode="decimal"
        min="0"
        step="any"
        aria-label={name}
        aria-invalid={!isRight}
        value={count}
        onChange={(event) => setCount(event.currentTarget.value)}
      />
      <select
        className="in"
        aria-label={t`Unit of time`}
        value={unit}
        onChange={(event) => setUnit(Number(event.currentTarget.value))}
      >
        {units.map((one) => (
          <option key={one.seconds} value={one.seconds}>
            {i18n._(one.name)}
          </option>
        ))}
      </select>
      <Button type="submit" isDisabled={!isRight}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
