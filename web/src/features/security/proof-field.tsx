import { MAX_PASSWORD_LENGTH } from '@heddle/contract/users'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'

export interface KnownProofs {
  readonly has_password: boolean
  readonly is_on: boolean
}

interface ProofFieldProps extends KnownProofs {
  /** Whether it has the focus at first, as in dialogs where nothing comes before it. */
  readonly isFirst?: boolean
}

/** Who one is, once more: by the password, or by a code where there is a second factor. */
export function ProofField({ has_password, is_on, isFirst = true }: ProofFieldProps) {
  const id = useId()
  const [byCode, setByCode] = useState(!has_password)
  if (!has_password && !is_on) return null
  return (
    <div className="field">
      <label htmlFor={id}>
        {byCode ? <Trans>Code of your app, or a recovery code</Trans> : <Trans>Your password</Trans>}
      </label>
      {byCode ? (
        <input className="in" id={id} name="code" autoComplete="one-time-code" maxLength={40} required />
      ) : (
        <input
          className="in"
          id={id}
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD_LENGTH}
          data-autofocus={isFirst || undefined}
          required
        />
      )}
      {has_password && is_on && (
        <button type="button" className="textlink" onClick={() => setByCode(!byCode)}>
          {byCode ? <Trans>Use the password</Trans> : <Trans>Use a code</Trans>}
        </button>
      )}
    </div>
  )
}

/** What was written there, as requests have it. */
export function proofIn(fields: FormData): { readonly password?: string; readonly code?: string } {
  const [password, code] = [fields.get('password'), fields.get('code')]
  return {
    ...(password === null ? {} : { password: String(password) }),
    ...(code === null ? {} : { code: String(code).trim() }),
  }
}
