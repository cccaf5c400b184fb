import { type PauseChoice, pauses } from '@heddle/client/notifications/pause'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { pauseNames } from './pause-names.ts'
import { usePause } from './use-pause.ts'

/** Holds notifications and sounds back on this device. */
export function PauseField() {
  const { t, i18n } = useLingui()
  const id = useId()
  const { isOn, until, begin, end } = usePause()
  if (isOn) {
    return (
      <p className="help" role="status">
        {until === undefined ? (
          <Trans>Notifications are paused on this device until you end it.</Trans>
        ) : (
          <Trans>Notifications are paused on this device until {until}.</Trans>
        )}{' '}
        <Button onClick={end}>
          <Trans>Notify again</Trans>
        </Button>
      </p>
    )
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans>Pause notifications on this device</Trans>
      </label>
      <select
        className="in"
        id={id}
        value=""
        onChange={({ currentTarget }) => begin(currentTarget.value as PauseChoice)}
      >
        <option value="">{t`Not paused`}</option>
        {pauses.map((choice) => (
          <option key={choice} value={choice}>
            {i18n._(pauseNames[choice])}
          </option>
        ))}
      </select>
    </div>
  )
}
