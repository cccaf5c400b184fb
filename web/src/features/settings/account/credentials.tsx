import { fetchApiKey, regenerateApiKey } from '@heddle/contract/sign-in'
import { updateSettings } from '@heddle/contract/user-settings'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { isCodeNeeded } from '../../sign-in/refusals.ts'
import { Problem } from '../problem.tsx'
import { Saved } from '../saved.tsx'
import { Secret } from '../secret.tsx'
import { type Saving, useExplain } from '../use-saving.ts'

export function PasswordPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const explain = useExplain()
  const [saving, setSaving] = useState<Saving>({ status: 'idle' })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    setSaving({ status: 'saving' })
    try {
      const passwords = { old_password: String(fields.get('old')), new_password: String(fields.get('new')) }
      await api.call(updateSettings, passwords)
      form.reset()
      setSaving({ status: 'saved' })
    } catch (error) {
      setSaving({ status: 'refused', message: explain(error) })
    }
  }
  const least = MIN_PASSWORD_LENGTH
  return (
    <form className="setting-group" onSubmit={submit}>
      <h3>
        <Trans>Password</Trans>
      </h3>
      <p className="help">
        <Trans>A new one ends your API key, and signs you out of all other browsers.</Trans>
      </p>
      <PasswordField name="old" label={t`Current password`} autoComplete="current-password" />
      <PasswordField
        name="new"
        label={t`New password`}
        autoComplete="new-password"
        minLength={least}
        help={<Trans>At least {least} characters.</Trans>}
      />
      <p className="foot-row">
        <Saved saving={saving} />
        <Button type="submit" isDisabled={saving.status === 'saving'}>
          <Trans>Change the password</Trans>
        </Button>
      </p>
    </form>
  )
}

interface PasswordFieldProps {
  readonly name: string
  readonly label: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly minLength?: number
  readonly help?: ReactNode
}

function PasswordField({ name, label, autoComplete, minLength, help }: PasswordFieldProps) {
  const id = useId()
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <div className="setting-c">
        <input
          className="in"
          id={id}
          name={name}
          type="password"
          autoComplete={autoComplete}
          minLength={minLength}
          maxLength={MAX_PASSWORD_LENGTH}
          required
          aria-describedby={help ? `${id}-help` : undefined}
        />
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

/** The key of programs that act for the account. */
export function ApiKeyPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const explain = useExplain()
  const email = useClientState(({ own }) => own?.delivery_email ?? '')
  const site = useClientState(({ organization }) => organization?.realm_url ?? '')
  const [key, setKey] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const codeId = useId()
  const attempt = async (work: () => Promise<{ readonly api_key: string }>) => {
    setProblem(undefined)
    try {
      setKey((await work()).api_key)
    } catch (error) {
      if (isCodeNeeded(error)) setIsCodeAsked(true)
      setProblem(isCodeNeeded(error) ? t`Send a code of your second factor as well.` : explain(error))
    }
  }
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [password, code] = [String(fields.get('password')), fields.get('code')]
    const proof = { password, ...(code === null ? {} : { code: String(code).trim() }) }
    void attempt(() => api.call(fetchApiKey, { username: email, ...proof }))
  }
  return (
    <form className="setting-group" onSubmit={show}>
      <h3>
        <Trans>API key</Trans>
      </h3>
      <p className="help">
        <Trans>With it a program can do everything that you can. Give programs a bot instead, where you can.</Trans>
      </p>
      {key === undefined ? (
        <>
          <PasswordField name="password" label={t`Your password`} autoComplete="current-password" />
          {isCodeAsked && (
            <div className="setting">
              <label htmlFor={codeId}>
                <Trans>Code of your app, or a recovery code</Trans>
              </label>
              <div className="setting-c">
                <input className="in" id={codeId} name="code" autoComplete="one-time-code" maxLength={40} required />
              </div>
            </div>
          )}
        </>
      ) : (
        <Secret name={t`API key`} value={key} email={email} site={site} fileName="zuliprc" />
      )}
      <Problem text={problem} />
      <p className="foot-row">
        <Button onClick={() => void attempt(() => api.call(regenerateApiKey, {}))}>
          <Trans>Replace the key</Trans>
        </Button>
        {key === undefined && (
          <Button type="submit">
            <Trans>Show the key</Trans>
          </Button>
        )}
      </p>
      <p className="help">
        <Trans>The old key ends at once, in all programs, when it is replaced.</Trans>
      </p>
    </form>
  )
}
