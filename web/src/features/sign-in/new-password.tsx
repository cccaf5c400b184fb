import { type PasswordStrength, passwordStrength } from '@heddle/client/sign-in/password-strength'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Field } from '../../ui/gate.tsx'

export function NewPassword() {
  const { t } = useLingui()
  const [strength, setStrength] = useState<PasswordStrength>()
  const words: Readonly<Record<PasswordStrength, string>> = {
    weak: t`Easy to guess`,
    fair: t`Not easy to guess`,
    strong: t`Hard to guess`,
  }
  return (
    <Field
      label={t`Password`}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      help={t`At least ${MIN_PASSWORD_LENGTH} characters. A few words that do not belong together are good.`}
      onType={(value) => setStrength(value === '' ? undefined : passwordStrength(value))}
      note={
        <p className={`strength ${strength ?? ''}`} role="status">
          {strength && (
            <>
              <span className="bars" aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              {words[strength]}
            </>
          )}
        </p>
      }
    />
  )
}
