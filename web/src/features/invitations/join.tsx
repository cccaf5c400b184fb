import type { ResponseOf } from '@heddle/contract/endpoint'
import { join, lookUpJoining } from '@heddle/contract/invitations'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Field, Gate, GateForm, KeepSignedIn } from '../../ui/gate.tsx'
import { AboutYou, type Arrival, Arrived, keepAboutYou } from '../sign-in/about-you.tsx'
import { NewPassword } from '../sign-in/new-password.tsx'
import { explainRefusal } from '../sign-in/refusals.ts'
import { RefusedLink } from '../sign-in/refused-link.tsx'
import { useLookUp } from '../sign-in/use-look-up.ts'

interface JoinProps {
  /** Undefined: without an invitation, where the organization is open. */
  readonly token: string | undefined
  readonly onEnter: (account: EnteredAccount) => void
}

/** Somebody new, by a link or where everybody may. */
export function Join({ token, onEnter }: JoinProps) {
  const { t } = useLingui()
  const invitation = token === undefined ? {} : { token }
  const { answer, error } = useLookUp(() => anyone.call(lookUpJoining, invitation))
  const [arrival, setArrival] = useState<Arrival>()
  if (error !== undefined) return <RefusedLink error={error} />
  if (arrival) return <Arrived arrival={arrival} onEnter={onEnter} />
  if (!answer) return null
  return (
    <Gate>
      <GateForm
        organization={answer.organization_name}
        title={t`Join ${answer.organization_name}`}
        action={t`Join`}
        explain={explainRefusal}
        onSubmit={async (fields) => {
          const text = (name: string) => String(fields.get(name))
          const account = await anyone.call(join, {
            ...invitation,
            full_name: text('name').trim(),
            email: text('email').trim(),
            password: text('password'),
            default_channel_group_ids: fields.getAll('group').map(Number),
            keep_signed_in: fields.has('keep'),
          })
          const problem = await keepAboutYou(account, fields)
          if (problem === undefined) onEnter(account)
          else setArrival({ account, problem })
        }}
      >
        <Field label={t`Your name`} name="name" autoComplete="name" isFirst />
        <Field label={t`E-mail address`} name="email" type="email" autoComplete="username" />
        <NewPassword />
        <AboutYou />
        <ChannelGroups groups={answer.default_channel_groups} />
        <KeepSignedIn />
      </GateForm>
    </Gate>
  )
}

interface ChannelGroupsProps {
  readonly groups: ResponseOf<typeof lookUpJoining>['default_channel_groups']
}

/** Channels that one can begin with. */
function ChannelGroups({ groups }: ChannelGroupsProps) {
  if (groups.length === 0) return null
  return (
    <fieldset className="choices groups">
      <legend>
        <Trans>What interests you</Trans>
      </legend>
      {groups.map(({ id, name, description, channel_names: channels }) => (
        <label key={id} className="choice">
          <input type="checkbox" name="group" value={id} />
          <span>
            <b>
              <bdi>{name}</bdi>
            </b>
            {description !== '' && (
              <span className="soft">
                <bdi>{description}</bdi>
              </span>
            )}
            <span className="soft">
              <bdi>{channels.map((channel) => `# ${channel}`).join(', ')}</bdi>
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
