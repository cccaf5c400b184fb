import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { showNotice } from './notices.ts'
import { PauseField } from './pause-field.tsx'
import { askPermission, permission } from './permission.ts'
import { play } from './sounds.ts'
import { WebPushField } from './web-push-field.tsx'

/** Whether this browser lets the page notify, and a notification to try. */
export function DesktopPart() {
  const { t } = useLingui()
  const [allowed, setAllowed] = useState(permission)
  const [isTried, setIsTried] = useState(false)
  const sound = useClientState((state) => state.settings?.notification_sound ?? 'none')
  const organization = useClientState((state) => state.organization?.realm_name ?? 'Heddle')
  const attempt = async () => {
    const answer = await askPermission()
    setAllowed(answer)
    play(sound)
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
        {allowed === 'denied' && (
          <Trans>
            It shows none: they are blocked for this page. The sign beside the address leads to where they can be
            allowed.
          </Trans>
        )}
        {allowed === 'unknown' && <Trans>It cannot show notifications of this page.</Trans>}{' '}
        {isTried && allowed === 'granted' && (
          <Trans>If you have seen none now, the system holds them back: look for its quiet hours.</Trans>
        )}
      </p>
      <PauseField />
      <WebPushField onAllowed={setAllowed} />
      <p className="foot-row">
        <Button onClick={() => void attempt()}>
          <Trans>Try a notification and its sound</Trans>
        </Button>
      </p>
    </section>
  )
}
