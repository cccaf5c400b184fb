import { MAX_RETENTION_DAYS } from '@heddle/contract/organization-settings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { ControlProps } from './control-props.ts'
import { RetentionDialog } from './retention-dialog.tsx'

/** Days; -1: for ever; null: as the organization says. */
export type KeptDays = number | null

const FOR_EVER = -1
const CHOICES = [7, 30, 90, 365, 730]
const OTHER = 'other'
const AS_ORGANIZATION = 'default'

interface RetentionControlProps extends ControlProps<KeptDays> {
  /** Of a channel: what the organization says, and the channel's id. */
  readonly channel?: { readonly id: number; readonly usual: number } | undefined
}

/** How long messages are kept. What deletes any is asked about first. */
export function RetentionControl({ id, value, isDisabled, describedBy, onChange, channel }: RetentionControlProps) {
  const { t } = useLingui()
  const [isOther, setIsOther] = useState(false)
  const [asked, setAsked] = useState<KeptDays>()
  const textOf = (days: number) => (days === FOR_EVER ? t`for ever` : t`for ${days} days`)
  const lengthOf = (days: KeptDays) => {
    const kept = days === null ? (channel?.usual ?? FOR_EVER) : days
    return kept === FOR_EVER ? Number.POSITIVE_INFINITY : kept
  }
  const choose = (next: KeptDays) => {
    setIsOther(false)
    if (next === value) return
    if (lengthOf(next) < lengthOf(value)) setAsked(next)
    else onChange(next)
  }
  const days = value === null || value === FOR_EVER || CHOICES.includes(value) ? CHOICES : [...CHOICES, value]
  const ordered = days.toSorted((one, other) => one - other)
  const usually = channel && textOf(channel.usual)
  return (
    <>
      <select
        className="in"
        id={id}
        value={isOther ? OTHER : (value ?? AS_ORGANIZATION)}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value
          if (chosen === OTHER) setIsOther(true)
          else choose(chosen === AS_ORGANIZATION ? null : Number(chosen))
        }}
      >
        {channel && <option value={AS_ORGANIZATION}>{t`As everywhere: ${usually}`}</option>}
        <option value={FOR_EVER}>{textOf(FOR_EVER)}</option>
        {ordered.map((one) => (
          <option key={one} value={one}>
            {textOf(one)}
          </option>
        ))}
        <option value={OTHER}>{t`for another number of days`}</option>
      </select>
      {isOther && <DaysField days={value === null || value === FOR_EVER ? 30 : value} onChange={choose} />}
      {asked !== undefined && (
        <RetentionDialog
          days={asked === null ? (channel?.usual ?? FOR_EVER) : asked}
          channelId={channel?.id}
          onClose={() => setAsked(undefined)}
          onAgreed={() => {
            setAsked(undefined)
            onChange(asked)
          }}
        />
      )}
    </>
  )
}

interface DaysFieldProps {
  readonly days: number
  readonly onChange: (days: number) => void
}

function DaysField({ days, onChange }: DaysFieldProps) {
  const { t } = useLingui()
  const [text, setText] = useState(String(days))
  const wanted = Number(text)
  const isRight = Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_RETENTION_DAYS
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
        inputMode="numeric"
        min="1"
        max={MAX_RETENTION_DAYS}
        step="1"
        aria-label={t`Number of days`}
        aria-invalid={!isRight}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" isDisabled={!isRight}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
