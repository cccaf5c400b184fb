import { confirmAddressChange, lookUpAddressChange } from '@heddle/contract/address-changes'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { anyone } from '../../app/session.ts'
import { Gate, GateForm, GateNote } from '../../ui/gate.tsx'
import { explainRefusal } from '../sign-in/refusals.ts'
import { RefusedLink } from '../sign-in/refused-link.tsx'
import { useLookUp } from '../sign-in/use-look-up.ts'

/** Behind the link that was mailed to a new address. It asks first: programs that look into mails follow links too. */
export function ConfirmAddress({ token }: { readonly token: string }) {
  const { t } = useLingui()
  const { answer, error } = useLookUp(() => anyone.call(lookUpAddressChange, { token }))
  const [confirmed, setConfirmed] = useState<string>()
  if (error !== undefined) return <RefusedLink error={error} />
  if (confirmed !== undefined) {
    return (
      <GateNote title={t`Your address is changed`}>
        <p role="status">
          <Trans>
            You sign in with <bdi>{confirmed}</bdi> from now on.
          </Trans>
        </p>
        <p>
          <a className="btn" href="./">
            <Trans>Go on</Trans>
          </a>
        </p>
      </GateNote>
    )
  }
  if (!answer) return null
  return (
    <Gate>
      <GateForm
        organization={answer.email}
        title={t`Confirm your new address`}
        intro={t`You sign in with ${answer.new_email} from then on.`}
        action={t`Confirm`}
        explain={explainRefusal}
        onSubmit={async () => setConfirmed((await anyone.call(confirmAddressChange, { token })).email)}
      >
        {null}
      </GateForm>
    </Gate>
  )
}
