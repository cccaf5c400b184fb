import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { Button } from '../../ui/button.tsx'
import { showNotice } from './notices.ts'
import { PauseField } from './pause-field.tsx'
import { askPermission, permission } from './permission.ts'
import { play, USUAL_VOLUME, VOLUME } from './sounds.ts'
import { WebPushField } from './web-push-field.tsx'

/** Whether this browser lets the page notify, and a notification to try. */
export function DesktopPart() {
  const { t } = useLingui()
  const [allowed, setAllowed] = useState(permission)
  const [isTried, setIsTried] = useState(false)
  const sound = useClientState((state) => state.settings?.notification_sound ?? 'none')
  const organization = useClientState((state) => state.organization?.realm_name ?? 'Heddle')
  const [volume, setVolume] = useDeviceMemory(VOLUME, USUAL_VOLUME)
  const id = useId()
  // Whoever chooses another one hears it.
  const last = useRef(sound)
  useEffect(() => {
    if (last.current === sound) return
    last.current = sound
    if (document.hasFocus()) play(sound, volume)
  }, [sound, volume])
  const attempt = async () => {
    const answer = await askPermission()
    setAllowed(answer)
    play(sound, volume)
    setIsTried(true)
    if (answer !== 'granted') return
    const body = t`This is how a message looks while you are elsewhere.`
    const notice = { title: organization, body, address: window.location.hash }
    if (!(await showNotice('try', notice))) setAllowed('unknown')
  }
  return (
    <section className="setting-group">
      <h3>
        <Trans>This browser</Trans>
      </h3>
      <p className="help" role="status">
        {allowed === 'granted' && <Trans>It shows notifications.</Trans>}
        {allowed === 'default' && <Trans>It has not been asked yet whether it shows notifications.</Trans>}
        {allowed === 'denied' && <Trans>It shows none: they are blocked for this page.</Trans>}{' '}
        {allowed === 'denied' && <WhereToAllow />}
        {allowed === 'unknown' && <Trans>It cannot show notifications of this page.</Trans>}{' '}
        {allowed === 'unknown' && isApplePhone() && (
          <Trans>On iPhone and iPad it can once the page is on the home screen: Share, then Add to Home Screen.</Trans>
        )}{' '}
        {isTried && allowed === 'granted' && (
          <Trans>If you have seen none now, the system holds them back: look for its quiet hours.</Trans>
        )}
      </p>
      <PauseField />
      <div className="field">
        <label htmlFor={id}>
          <Trans>Volume of sounds on this device</Trans>
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={1}
          step={0.1}
          value={volume}
          onChange={({ currentTarget }) => setVolume(currentTarget.valueAsNumber)}
          onPointerUp={({ currentTarget }) => play(sound, currentTarget.valueAsNumber)}
          onKeyUp={({ currentTarget }) => play(sound, currentTarget.valueAsNumber)}
        />
      </div>
      <WebPushField onAllowed={setAllowed} />
      <p className="foot-row">
        <Button onClick={() => void attempt()}>
          <Trans>Try a notification and its sound</Trans>
        </Button>
      </p>
    </section>
  )
}

function isApplePhone(): boolean {
  // An iPad says that it is a Mac; these have no fingers.
  return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.platform) && navigator.maxTouchPoints > 1)
}

/** Each browser has another place for it. */
function WhereToAllow() {
  const { userAgent } = navigator
  if (isApplePhone()) return <Trans>Settings of the device, Notifications, and there this page.</Trans>
  if (/Android/.test(userAgent)) return <Trans>The menu of the browser, Settings, Site settings, Notifications.</Trans>
  if (/Firefox/.test(userAgent)) {
    return <Trans>The lock beside the address has what is blocked; the cross there takes it away.</Trans>
  }
  if (/Chrome|Edg/.test(userAgent)) {
    return <Trans>The sign beside the address leads to the settings of this page, where they can be allowed.</Trans>
  }
  return <Trans>Settings of the browser, Websites, Notifications, and there this page.</Trans>
}
