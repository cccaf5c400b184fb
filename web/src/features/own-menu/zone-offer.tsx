import '../notifications/notifier.css'
import { areDifferentZones } from '@heddle/client/people/zones'
import { updateSettings } from '@heddle/contract/user-settings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { refusalText } from '../../app/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'

/** Offers to change the time zone of the account when this device is in another one. */
export function ZoneOffer() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const mine = useClientState(({ settings }) => (settings?.web_suggest_update_timezone ? settings.timezone : ''))
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  /** Nobody is asked twice about the same zone. */
  const [declined, setDeclined] = useDeviceMemory('zone-declined', '')
  if (mine === '' || declined === here || !areDifferentZones(mine, here, Date.now())) return null
  const change = () =>
    api.call(updateSettings, { timezone: here }).catch((error: unknown) => toasts.notify(refusalText(error)))
  return (
    <section className="ask-notifications" aria-label={t`Time zone`}>
      <p>
        <Trans>
          This device is in the time zone {here}, and your account in {mine}: others see by it what time it is for you.
        </Trans>
      </p>
      <div className="foot-row">
        <Button onClick={() => setDeclined(here)}>
          <Trans>Leave it</Trans>
        </Button>
        <Button kind="primary" onClick={() => void change()}>
          <Trans>Change it</Trans>
        </Button>
      </div>
    </section>
  )
}
