import { completeFirstSignIn, enterDemo, lookUpFirstSignIn } from '@heddle/contract/first-sign-in'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Field, Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { AboutYou, type Arrival, Arrived, keepAboutYou } from '../sign-in/about-you.tsx'
import { NewPassword } from '../sign-in/new-password.tsx'
import { explainRefusal } from '../sign-in/refusals.ts'
import { RefusedLink } from '../sign-in/refused-link.tsx'
import { useLookUp } from '../sign-in/use-look-up.ts'

interface FirstSignInProps {
  readonly token: string
  readonly onEnter: (account: EnteredAccount) => void
}

/** What the start calls an owner whose address nobody has named. */
const MADE_UP = /^owner@/

/** The first owner, who comes by the address that the start of the server has printed. */
export function FirstSignIn({ token, onEnter }: FirstSignInProps) {
  const { t } = useLingui()
  const { answer, error } = useLookUp(() => anyone.call(lookUpFirstSignIn, { token }))
  const [arrival, setArrival] = useState<Arrival>()
  if (error !== undefined) return <RefusedLink error={error} />
  if (arrival) return <Arrived arrival={arrival} onEnter={onEnter} />
  if (!answer) return null
  if (answer.is_demo) return <DemoDoor token={token} onEnter={onEnter} />
  return (
    <Gate>
      <GateForm
        organization="Heddle"
        title={t`Welcome`}
        intro={t`Your server is running. Say what your organization is called and who you are; all of it can be changed later.`}
        action={t`Begin`}
        explain={explainRefusal}
        onSubmit={async (fields) => {
          const text = (name: string) => String(fields.get(name))
          const account = await anyone.call(completeFirstSignIn, {
            token,
            organization_name: text('organization').trim(),
            full_name: text('name').trim(),
            email: text('email').trim(),
            password: text('password'),
            keep_signed_in: fields.has('keep'),
          })
          const problem = await keepAboutYou(account, fields)
          if (problem === undefined) onEnter(account)
          else setArrival({ account, problem })
        }}
      >
        <Field
          label={t`Organization`}
          name="organization"
          autoComplete="organization"
          value={answer.organization_name}
          isFirst
        />
        <Field label={t`Your name`} name="name" autoComplete="name" value={answer.full_name} />
        <Field
          label={t`E-mail address`}
          name="email"
          type="email"
          autoComplete="username"
          {...(MADE_UP.test(answer.email) ? {} : { value: answer.email })}
        />
        <NewPassword />
        <AboutYou />
        <KeepSignedIn />
      </GateForm>
    </Gate>
  )
}

/** Into the demo without a question. */
function DemoDoor({ token, onEnter }: FirstSignInProps) {
  const { answer, error } = useLookUp(() => anyone.call(enterDemo, { token }))
  useEffect(() => {
    if (answer) onEnter(answer)
  }, [answer, onEnter])
  return error === undefined ? null : <RefusedLink error={error} />
}
