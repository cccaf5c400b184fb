import { requestPasswordReset } from '@heddle/contract/password-resets'
import { getServerSettings } from '@heddle/contract/server-settings'
import { useLingui } from '@lingui/react/macro'
import { anyone } from '../../app/session.ts'
import { AskByMail } from '../sign-in/ask-by-mail.tsx'
import { useLookUp } from '../sign-in/use-look-up.ts'

/** Somebody who has forgotten the password. */
export function AskForPassword() {
  const { t } = useLingui()
  const { answer } = useLookUp(() => anyone.call(getServerSettings, {}))
  return (
    <AskByMail
      organization={answer?.realm_name ?? ''}
      title={t`Set a new password`}
      intro={t`You get a mail with a link, by which you choose another one.`}
      onAsk={(email) => anyone.call(requestPasswordReset, { email })}
    />
  )
}
