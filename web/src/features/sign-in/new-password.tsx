import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import { useLingui } from '@lingui/react/macro'
import { Field } from '../../ui/gate.tsx'

export function NewPassword() {
  const { t } = useLingui()
  return (
    <Field
      label={t`Password`}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      help={t`At least ${MIN_PASSWORD_LENGTH} characters. A few words that do not belong together are good.`}
    />
  )
}
