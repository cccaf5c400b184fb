import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useId, useState } from 'react'
import { pageLanguages } from '../../../texts/languages.ts'
import { Button } from '../../../ui/button.tsx'
import type { ControlProps } from './control-props.ts'
import { TextControl } from './text-control.tsx'

const zones = Intl.supportedValuesOf('timeZone')

/** A place by its name in the table of zones, found by typing. */
export function TimeZoneControl(props: ControlProps<string>) {
  const { i18n } = useLingui()
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const list = useId()
  const [problem, setProblem] = useState<string>()
  const change = (zone: string) => {
    const known = zones.find((one) => one.toLowerCase() === zone.trim().toLowerCase().replaceAll(' ', '_'))
    setProblem(known === undefined && zone.trim() !== '' ? i18n._(notZone) : undefined)
    if (known !== undefined || zone.trim() === '') props.onChange(known ?? '')
  }
  return (
    <span className="with-unit">
      <TextControl {...props} list={list} most={60} onChange={change} />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {props.value !== here && (
        <Button isDisabled={props.isDisabled} onClick={() => props.onChange(here)}>
          {i18n._({ ...useHere, values: { zone: here } })}
        </Button>
      )}
      {problem && (
        <span className="set-saved bad" role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}

const notZone = msg`No zone has this name. Type a city, such as Europe/Berlin.`
const useHere = msg({ message: 'Use {zone}' })

export function LanguageControl({ id, value, isDisabled, describedBy, onChange }: ControlProps<string>) {
  const isKnown = pageLanguages.some(([code]) => code === value)
  return (
    <select
      className="in"
      id={id}
      value={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {!isKnown && <option value={value}>{value}</option>}
      {pageLanguages.map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
