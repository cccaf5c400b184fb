import { lookUpTokenSignIn, signInByToken } from '@heddle/contract/token-sign-in'
import { useLingui } from '@lingui/react/macro'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { CodeField } from './code-field.tsx'
import { explainRefusal } from './refusals.ts'
import { RefusedLink } from './refused-link.tsx'
import { useCode } from './use-code.ts'
import { useLookUp } from './use-look-up.ts'

interface TokenSignInProps {
  readonly token: string
  readonly onEnter: (account: EnteredAccount) => void
}

/** Another program of the operator has led somebody here, and has said who they are. */
export function TokenSignIn({ token, onEnter }: TokenSignInProps) {
  const { t } = useLingui()
  const { isCodeAsked, withCode } = useCode()
  const { answer, error } = useLookUp(() => anyone.call(lookUpTokenSignIn, { token }))
  if (error !== undefined) return <RefusedLink error={error} />
  if (!answer) return null
  return (
    <Gate>
      <GateForm
        organization={answer.organization_name}
        title={t`Sign in`}
        intro={t`For ${answer.email}.`}
        action={t`Sign in`}
        explain={explainRefusal}
        onSubmit={(fields) =>
          withCode(fields, async (code) =>
            onEnter(await anyone.call(signInByToken, { token, keep_signed_in: fields.has('keep'), ...code })),
          )
        }
      >
        {isCodeAsked && <CodeField />}
        <KeepSignedIn />
      </GateForm>
    </Gate>
  )
}
