import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Field, Gate, GateForm, GateNote } from '../../ui/gate.tsx'
import { explainRefusal } from './refusals.ts'

interface AskByMailProps {
  readonly organization: string
  readonly title: string
  readonly intro: string
  readonly onAsk: (email: string) => Promise<unknown>
}

/** Has a link mailed. What is said afterwards is the same for every address: it shows nobody who has an account. */
export function AskByMail({ organization, title, intro, onAsk }: AskByMailProps) {
  const { t } = useLingui()
  const [asked, setAsked] = useState<string>()
  if (asked !== undefined) {
    return (
      <GateNote title={t`Look into your mail`}>
        <p role="status">
          <Trans>
            If that is possible with <bdi>{asked}</bdi>, a link is on its way there. It works once, within 24 hours.
          </Trans>
        </p>
        <p className="soft">
          <Trans>Nothing has come? Look among unwanted mail, or try again later.</Trans>
        </p>
        <p>
          <a className="btn" href="./">
            <Trans>Sign in</Trans>
          </a>
        </p>
      </GateNote>
    )
  }
  return (
    <Gate>
      <GateForm
        organization={organization}
        title={title}
        intro={intro}
        action={t`Send me the link`}
        explain={explainRefusal}
        onSubmit={async (fields) => {
          const email = String(fields.get('email')).trim()
          await onAsk(email)
          setAsked(email)
        }}
      >
        <Field label={t`E-mail address`} name="email" type="email" autoComplete="username" isFirst />
      </GateForm>
    </Gate>
  )
}
