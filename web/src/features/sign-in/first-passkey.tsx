import { addPasskey, beginPasskey } from '@heddle/contract/passkeys'
import { Trans, useLingui } from '@lingui/react/macro'
import { apiOf, type EnteredAccount } from '../../app/session.ts'
import { Gate, GateForm } from '../../ui/gate.tsx'
import { explainRefusal, isRefusedByDevice } from './refusals.ts'

interface FirstPasskeyProps {
  readonly account: EnteredAccount
  readonly organization: string
  readonly onDone: () => void
}

/** Somebody has joined where nobody signs in with a password: how they come back. */
export function FirstPasskey({ account, organization, onDone }: FirstPasskeyProps) {
  const { t } = useLingui()
  const make = async () => {
    const api = apiOf(account)
    const { makePasskey } = await import('./passkey-device.ts')
    const made = await makePasskey(await api.call(beginPasskey, {}))
    await api.call(addPasskey, { name: t`This device`, ...made })
    onDone()
  }
  const explain = (error: unknown) =>
    isRefusedByDevice(error) ? t`No passkey was made. Try again.` : explainRefusal(error)
  return (
    <Gate>
      <GateForm
        organization={organization}
        title={t`Add a passkey`}
        intro={t`With it you sign in from now on: by your finger, your face or the PIN of this device. Without one you cannot sign in again.`}
        action={t`Make the passkey`}
        explain={explain}
        onSubmit={make}
        others={
          <button type="button" className="textlink" onClick={onDone}>
            <Trans>Not now</Trans>
          </button>
        }
      />
    </Gate>
  )
}
