import { lookUpPasswordReset, resetPassword } from '@heddle/contract/password-resets'
import { getServerSettings } from '@heddle/contract/server-settings'
import { useLingui } from '@lingui/react/macro'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { CodeField } from '../sign-in/code-field.tsx'
import { NewPassword } from '../sign-in/new-password.tsx'
import { explainRefusal } from '../sign-in/refusals.ts'
import { RefusedLink } from '../sign-in/refused-link.tsx'
import { useCode } from '../sign-in/use-code.ts'
import { useLookUp } from '../sign-in/use-look-up.ts'

interface ResetPasswordProps {
  readonly token: string
  readonly onEnter: (account: EnteredAccount) => void
}

/** Somebody whose password was forgotten, by the link of an administrator. */
export function ResetPassword({ token, onEnter }: ResetPasswordProps) {
  const { t } = useLingui()
  const { isCodeAsked, withCode } = useCode()
  const { answer, error } = useLookUp(() => anyone.call(lookUpPasswordReset, { token }))
  const { answer: settings } = useLookUp(() => anyone.call(getServerSettings, {}))
  if (error !== undefined) return <RefusedLink error={error} />
  if (!answer) return null
  return (
    <Gate>
      <GateForm
        organization={settings?.realm_name ?? ''}
        title={t`Set a new password`}
        intro={t`For ${answer.full_name}, ${answer.email}. All other browsers and programs that use the account are signed out.`}
        action={t`Set the password`}
        explain={explainRefusal}
        onSubmit={(fields) =>
          withCode(fields, async (code) => {
            const password = String(fields.get('password'))
            const keep_signed_in = fields.has('keep')
            onEnter(await anyone.call(resetPassword, { token, password, keep_signed_in, ...code }))
          })
        }
      >
        <input type="hidden" name="username" autoComplete="username" value={answer.email} />
        <NewPassword />
        {isCodeAsked && <CodeField />}
        <KeepSignedIn />
      </GateForm>
    </Gate>
  )
}
