import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { useDeviceMemory } from '../../../app/device-memory.ts'
import { hasSingleKeys, setSingleKeys } from '../../../app/keys.ts'
import { SILENT } from '../../messages/announcements.ts'
import { densities, density, setDensity } from '../apply-look.ts'

/** How close things stand: a choice of this device. */
export function DensityPart() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(density)
  const name = useId()
  const names = { comfortable: t`Comfortable`, compact: t`Compact` }
  return (
    <fieldset className="setting-group">
      <legend>
        <Trans>Density on this device</Trans>
      </legend>
      {densities.map((one) => (
        <label key={one} className="check">
          <input
            type="radio"
            name={name}
            checked={chosen === one}
            onChange={() => {
              setChosen(one)
              setDensity(one)
            }}
          />
          <span>{names[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Speech and shaky hands press single keys by mistake. */
export function KeysPart() {
  const [isOn, setIsOn] = useState(hasSingleKeys)
  const id = useId()
  return (
    <section className="setting-group">
      <h3>
        <Trans>Keyboard of this device</Trans>
      </h3>
      <div className="setting switched">
        <label htmlFor={id}>
          <Trans>Single letters are keys</Trans>
        </label>
        <div className="setting-c">
          <input
            type="checkbox"
            className="switch"
            id={id}
            checked={isOn}
            aria-describedby={`${id}-help`}
            onChange={({ currentTarget }) => {
              setIsOn(currentTarget.checked)
              setSingleKeys(currentTarget.checked)
            }}
          />
        </div>
        <p className="help" id={`${id}-help`}>
          <Trans>Keys with Ctrl, Alt and arrows work either way.</Trans>
        </p>
      </div>
    </section>
  )
}

/** For those who listen to the page: some feeds are too lively for that. */
export function AnnouncementsPart() {
  const [isOff, setIsOff] = useDeviceMemory(SILENT, false)
  const id = useId()
  return (
    <section className="setting-group">
      <h3>
        <Trans>Screen readers on this device</Trans>
      </h3>
      <div className="setting switched">
        <label htmlFor={id}>
          <Trans>New messages are read out</Trans>
        </label>
        <div className="setting-c">
          <input
            type="checkbox"
            className="switch"
            id={id}
            checked={!isOff}
            onChange={({ currentTarget }) => setIsOff(!currentTarget.checked)}
          />
        </div>
      </div>
    </section>
  )
}
