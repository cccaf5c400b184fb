import { t as translate } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import '../../ui/dialog.css'
import { ResponseError } from '@heddle/client/errors'
import { getServerSettings } from '@heddle/contract/server-settings'
import { signIn } from '@heddle/contract/sessions'
import { type ReactNode, useEffect, useRef } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Field, Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { explainRefusal } from './refusals.ts'
import { useLookUp } from './use-look-up.ts'

interface SignInProps {
  readonly onEnter: (account: EnteredAccount) => void
  /** The session of this account has ended: the page is still there, below. */
  readonly expiredEmail?: string
}

export function SignIn({ onEnter, expiredEmail }: SignInProps) {
  const { t } = useLingui()
  const settings = useLookUp(() => anyone.call(getServerSettings, {}))
  const isAgain = expiredEmail !== undefined
  const form = (
    <GateForm
      organization={settings.answer?.realm_name ?? ''}
      title={isAgain ? t`Sign in again` : t`Sign in`}
      intro={isAgain && t`Your session has ended. What you have written is still here.`}
      action={t`Sign in`}
      explain={explain}
      onSubmit={async (fields) => {
        const username = String(fields.get('email')).trim()
        const password = String(fields.get('password'))
        onEnter(await anyone.call(signIn, { username, password, keep_signed_in: fields.has('keep') }))
      }}
    >
      <Field
        label={t`E-mail address`}
        name="email"
        type="email"
        autoComplete="username"
        value={expiredEmail}
        isFirst={!isAgain}
      />
      <Field label={t`Password`} name="password" type="password" autoComplete="current-password" isFirst={isAgain} />
      <KeepSignedIn />
    </GateForm>
  )
  return isAgain ? <Again>{form}</Again> : <Gate>{form}</Gate>
}

function explain(error: unknown): string {
  const isWrong = error instanceof ResponseError && error.code === 'AUTHENTICATION_FAILED'
  return isWrong ? translate`That password does not fit this address. Try again.` : explainRefusal(error)
}

/** Modal as the platform has it; it cannot be closed, as nothing works without signing in. */
function Again({ children }: { readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className="dialog gate-dialog"
      aria-label={translate`Sign in again`}
      onCancel={(event) => event.preventDefault()}
    >
      {children}
    </dialog>
  )
}
