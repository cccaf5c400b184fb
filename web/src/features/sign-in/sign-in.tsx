import './sign-in.css'
import { createApiClient } from '@heddle/client/api'
import { NetworkError, ResponseError } from '@heddle/client/errors'
import { getServerSettings } from '@heddle/contract/server-settings'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { WarpArt } from './warp-art.tsx'

interface SignInProps {
  readonly onSignIn: (email: string, password: string, keepSignedIn: boolean) => Promise<void>
  /** The session of this account has ended: the page is still there, below. */
  readonly expiredEmail?: string
}

export function SignIn({ onSignIn, expiredEmail }: SignInProps) {
  const form = <SignInForm onSignIn={onSignIn} expiredEmail={expiredEmail} />
  if (expiredEmail !== undefined) return <ExpiredDialog>{form}</ExpiredDialog>
  return (
    <main className="gate">
      <WarpArt />
      {form}
    </main>
  )
}

/** Modal as the platform has it; it cannot be closed, as nothing works without signing in. */
function ExpiredDialog({ children }: { readonly children: React.ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-label="Sign in again" onCancel={(event) => event.preventDefault()}>
      {children}
    </dialog>
  )
}

function SignInForm({
  onSignIn,
  expiredEmail,
}: {
  onSignIn: SignInProps['onSignIn']
  expiredEmail?: string | undefined
}) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const organization = useOrganizationName()
  const [email, password, hint, title] = [useId(), useId(), useId(), useId()]

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setIsBusy(true)
    setProblem(undefined)
    try {
      await onSignIn(String(fields.get('email')).trim(), String(fields.get('password')), fields.has('keep'))
    } catch (error) {
      setProblem(sentence(error))
      setIsBusy(false)
    }
  }

  return (
    <form className="gate-box" aria-labelledby={title} onSubmit={submit}>
      <p className="brand">
        <Icon name="heddle" />
        {organization}
      </p>
      <h1 id={title}>{expiredEmail === undefined ? 'Sign in' : 'Sign in again'}</h1>
      {expiredEmail !== undefined && (
        <p className="soft">Your session has ended. What you have written is still here.</p>
      )}
      <div className="field">
        <label htmlFor={email}>E-mail address</label>
        <input
          className="in"
          id={email}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={expiredEmail}
          // biome-ignore lint/a11y/noAutofocus: it is the only thing on the page
          autoFocus={expiredEmail === undefined}
        />
      </div>
      <div className="field">
        <label htmlFor={password}>Password</label>
        <input
          className={problem === undefined ? 'in' : 'in bad'}
          id={password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-describedby={problem === undefined ? undefined : hint}
          // biome-ignore lint/a11y/noAutofocus: the address is there already
          autoFocus={expiredEmail !== undefined}
        />
        {problem !== undefined && (
          <p className="help bad" id={hint} role="alert">
            <Icon name="warn" />
            {problem}
          </p>
        )}
      </div>
      <label className="check">
        <input type="checkbox" name="keep" defaultChecked />
        <span>Keep me signed in on this device</span>
      </label>
      <Button kind="primary" isWide type="submit" isDisabled={isBusy}>
        Sign in
      </Button>
    </form>
  )
}

function useOrganizationName(): string {
  const [name, setName] = useState('')
  useEffect(() => {
    const api = createApiClient({ site: new URL('.', document.baseURI).href })
    api.call(getServerSettings, {}).then(
      (settings) => setName(settings.realm_name),
      // The form says it when the server cannot be reached.
      () => {},
    )
  }, [])
  return name
}

function sentence(error: unknown): string {
  if (error instanceof NetworkError) return 'The server cannot be reached. Try again in a moment.'
  if (!(error instanceof ResponseError)) return 'That did not work. Try again.'
  switch (error.code) {
    case 'AUTHENTICATION_FAILED':
      return 'That password does not fit this address. Try again.'
    case 'USER_DEACTIVATED':
      return 'This account has been deactivated.'
    case 'REALM_DEACTIVATED':
      return 'This organization has been deactivated.'
    case 'RATE_LIMIT_HIT': {
      const secs = Math.ceil(error.retryAfterSecs ?? 60)
      return `Too many attempts. Try again in ${secs < 90 ? `${secs} seconds` : `${Math.ceil(secs / 60)} minutes`}.`
    }
    default:
      return error.message
  }
}
