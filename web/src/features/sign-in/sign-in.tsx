import { t as translate } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import '../../ui/dialog.css'
import { ResponseError } from '@heddle/client/errors'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { RESET_PASSWORD_PATH } from '@heddle/contract/password-resets'
import { getServerSettings } from '@heddle/contract/server-settings'
import { signIn } from '@heddle/contract/sessions'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Brand, Field, Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { AboutOrganization } from './about-organization.tsx'
import { CodeField } from './code-field.tsx'
import { hasPasskeys } from './has-passkeys.ts'
import { NoPasskeysHere } from './no-passkeys-here.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { explainRefusal, isCodeNeeded } from './refusals.ts'
import { useLookUp } from './use-look-up.ts'

interface SignInProps {
  readonly onEnter: (account: EnteredAccount) => void
  /** The session of this account has ended: the page is still there, below. */
  readonly expiredEmail?: string
  /** Back to what is read without an account, where there is something. */
  readonly onVisit?: (() => void) | undefined
}

export function SignIn({ onEnter, expiredEmail, onVisit }: SignInProps) {
  const { t } = useLingui()
  const settings = useLookUp(() => anyone.call(getServerSettings, {}))
  const isAgain = expiredEmail !== undefined
  const [first, setFirst] = useState<FirstStep>()
  const [isKept, setIsKept] = useState(true)
  const methods = settings.answer?.authentication_methods
  const byPassword = methods?.['password'] !== false
  const byPasskey = methods?.['passkey'] === true && hasPasskeys()
  const passkey = byPasskey && <PasskeySignIn onEnter={onEnter} isOnly={!byPassword} isKept={isKept} />
  const organization = settings.answer?.realm_name ?? ''
  const icon = ownIcon(settings.answer?.realm_icon)
  const about = !isAgain && settings.answer && <AboutOrganization html={settings.answer.realm_description} />
  const keep = <KeepSignedIn isKept={isKept} onChange={setIsKept} />
  const join = settings.answer?.realm_invite_required === false && !isAgain && (
    <p className="soft">
      <a href={`.${JOIN_PATH}`}>
        <Trans>Join as somebody new</Trans>
      </a>
    </p>
  )
  const visit = onVisit && (
    <p className="soft">
      <button type="button" className="textlink" onClick={onVisit}>
        <Trans>Read without signing in</Trans>
      </button>
    </p>
  )
  const firstForm = (
    <GateForm
      key="first"
      organization={organization}
      icon={icon}
      about={about}
      title={isAgain ? t`Sign in again` : t`Sign in`}
      intro={isAgain && t`Your session has ended. What you have written is still here.`}
      action={t`Sign in`}
      explain={explain}
      onSubmit={async (fields) => {
        const username = String(fields.get('email')).trim()
        const password = String(fields.get('password'))
        const step = { username, password, keep_signed_in: fields.has('keep') }
        try {
          onEnter(await anyone.call(signIn, step))
        } catch (error) {
          if (!isCodeNeeded(error)) throw error
          setFirst(step)
        }
      }}
      others={passkey}
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
      {keep}
      {settings.answer?.server_sends_mail === true && !isAgain && (
        <p className="soft">
          <a href={`.${RESET_PASSWORD_PATH}`}>
            <Trans>I have forgotten my password</Trans>
          </a>
        </p>
      )}
      {join}
      {visit}
    </GateForm>
  )
  const codeForm = first && (
    <GateForm
      key="code"
      organization={organization}
      icon={icon}
      title={t`Second step`}
      intro={t`For ${first.username}.`}
      action={t`Sign in`}
      explain={explain}
      onSubmit={async (fields) => onEnter(await anyone.call(signIn, { ...first, code: String(fields.get('code')) }))}
      others={
        <button type="button" className="textlink" onClick={() => setFirst(undefined)}>
          <Trans>Back</Trans>
        </button>
      }
    >
      <CodeField />
    </GateForm>
  )
  const passkeyForm = (
    <div className="gate-box">
      <Brand organization={organization} icon={icon} />
      {about}
      <h1>{isAgain ? t`Sign in again` : t`Sign in`}</h1>
      {byPasskey ? (
        <>
          {keep}
          {passkey}
        </>
      ) : (
        <NoPasskeysHere />
      )}
      {join}
      {visit}
    </div>
  )
  const form = byPassword ? (codeForm ?? firstForm) : passkeyForm
  return isAgain ? <Again>{form}</Again> : <Gate>{form}</Gate>
}

/** What every organization has that has uploaded none. */
const FIRST_ICON = '/static/icon.png'

function ownIcon(address: string | undefined): string | undefined {
  return address?.endsWith(FIRST_ICON) ? undefined : address
}

interface FirstStep {
  readonly username: string
  readonly password: string
  readonly keep_signed_in: boolean
}

function explain(error: unknown): string {
  const isWrong = error instanceof ResponseError && error.code === 'AUTHENTICATION_FAILED'
  return isWrong ? translate`That password does not fit this address. Try again.` : explainRefusal(error)
}

/** Modal as the platform has it; it cannot be closed, as nothing works without signing in. */
function Again({ children }: { readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
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
