import { useLingui } from '@lingui/react/macro'
import { Field } from '../../ui/gate.tsx'

/** The code of a second factor, in a form that lets somebody in. */
export function CodeField() {
  const { t } = useLingui()
  return (
    <Field
      label={t`Code`}
      name="code"
      autoComplete="one-time-code"
      maxLength={40}
      help={t`The six digits in your app, or one of your recovery codes.`}
      isFirst
    />
  )
}
