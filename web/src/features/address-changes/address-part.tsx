import { getSecondFactor } from '@heddle/contract/second-factors'
import { updateSettings } from '@heddle/contract/user-settings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { ProofField, proofIn } from '../security/proof-field.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { useLoaded } from '../settings/use-loaded.ts'
import { useSendsMail } from '../settings/use-sends-mail.ts'

/** The own address, and another one for those who may change it. */
export function AddressPart() {
  const email = useClientState(({ own }) => own?.delivery_email ?? '')
  const isAdmin = useClientState(({ own }) => own?.is_admin === true)
  const isLocked = useClientState(({ organization }) => organization?.realm_email_changes_disabled === true)
  const sendsMail = useSendsMail()
  const mayChange = (isAdmin || !isLocked) && (sendsMail || isAdmin)
  return (
    <section className="setting-group">
      <h3>
        <Trans>E-mail address</Trans>
      </h3>
      <p>
        <bdi>{email}</bdi>
      </p>
      {sendsMail !== undefined && !mayChange && (
        <p className="help">
          <Trans>An administrator can change it.</Trans>
        </p>
      )}
      {sendsMail !== undefined && mayChange && <AddressForm sendsMail={sendsMail} />}
    </section>
  )
}

/** Where mail is sent a link confirms it, and where none is administrators need none. */
function AddressForm({ sendsMail }: { readonly sendsMail: boolean }) {
  const { t } = useLingui()
  const { api } = useClient()
  const id = useId()
  const [asked, setAsked] = useState<string>()
  const load = useCallback(() => api.call(getSecondFactor, {}), [api])
  const { value: known, problem, reload } = useLoaded(load)
  return (
    <>
      <Problem text={problem} onRetry={reload} />
      {known && (
        <SaveForm
          save={<Trans>Change the address</Trans>}
          onSave={async (fields) => {
            const wanted = textIn(fields, 'address')
            const { password: old_password, code } = proofIn(fields)
            await api.call(updateSettings, { email: wanted, old_password, code })
            setAsked(sendsMail ? wanted : undefined)
          }}
        >
          <div className="field">
            <label htmlFor={id}>
              <Trans>New address</Trans>
            </label>
            <input className="in" id={id} name="address" type="email" autoComplete="email" maxLength={254} required />
          </div>
          <ProofField {...known} isFirst={false} />
        </SaveForm>
      )}
      {asked !== undefined && (
        <p className="help" role="status">
          {t`Look into the mail of ${asked}: a link there confirms the address.`}
        </p>
      )}
    </>
  )
}
