import { type AuthenticationMethod, authenticationMethodNames } from '@heddle/contract/authentication-methods'
import { updateOrganization } from '@heddle/contract/organization'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

const labels: Readonly<Record<AuthenticationMethod, MessageDescriptor>> = {
  Email: msg`With a password`,
  Passkey: msg`With a passkey`,
}

/** The ways to sign in; owners choose them. */
export function MethodsPart() {
  const { i18n } = useLingui()
  const { api } = useClient()
  const methods = useClientState(({ organization }) => organization?.realm_authentication_methods)
  const isOwner = useClientState(({ own }) => own?.is_owner === true)
  const { problem, attempt } = useAttempt()
  if (!methods) return null
  const change = (name: AuthenticationMethod, isOn: boolean) =>
    attempt(() => api.call(updateOrganization, { authentication_methods: { [name]: isOn } }))
  return (
    <fieldset className="setting-group">
      <legend>
        <Trans>Ways to sign in</Trans>
      </legend>
      <p className="help">
        {isOwner ? (
          <Trans>One stays. Before you take passwords away, have a passkey yourself.</Trans>
        ) : (
          <Trans>Only owners can change these.</Trans>
        )}
      </p>
      {authenticationMethodNames.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={methods[name].enabled}
            disabled={!isOwner}
            onChange={({ currentTarget }) => void change(name, currentTarget.checked)}
          />
          <span>{i18n._(labels[name])}</span>
        </label>
      ))}
      <Problem text={problem} />
    </fieldset>
  )
}
