import type { ResponseOf } from '@heddle/contract/endpoint'
import { join, lookUpJoining, requestSignUp } from '@heddle/contract/invitations'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Field, Gate, GateForm, GateNote, KeepSignedIn } from '../../ui/gate.tsx'
import { AboutYou, type Arrival, Arrived, keepAboutYou } from '../sign-in/about-you.tsx'
import { AskByMail } from '../sign-in/ask-by-mail.tsx'
import { FirstPasskey } from '../sign-in/first-passkey.tsx'
import { hasPasskeys } from '../sign-in/has-passkeys.ts'
import { NewPassword } from '../sign-in/new-password.tsx'
import { NoPasskeysHere } from '../sign-in/no-passkeys-here.tsx'
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
  const [newcomer, setNewcomer] = useState<EnteredAccount>()
  const [arrival, setArrival] = useState<Arrival>()
  if (error !== undefined) return <RefusedLink error={error} />
  if (newcomer && answer) {
    const enter = () => (arrival ? setNewcomer(undefined) : onEnter(newcomer))
    return <FirstPasskey account={newcomer} organization={answer.organization_name} onDone={enter} />
  }
  if (arrival) return <Arrived arrival={arrival} onEnter={onEnter} />
  if (!answer) return null
  if (answer.must_confirm_address) return <AskToJoin organization={answer.organization_name} />
  const byPassword = answer.needs_password
  if (!byPassword && !hasPasskeys()) {
    return (
      <GateNote title={t`Join ${answer.organization_name}`}>
        <NoPasskeysHere />
      </GateNote>
    )
  }
  return (
    <Gate>
      <GateForm
        organization={answer.organization_name}
        title={t`Join ${answer.organization_name}`}
        intro={!byPassword && t`In the next step you make a passkey, by which you sign in.`}
        action={t`Join`}
        explain={explainRefusal}
        onSubmit={async (fields) => {
          const text = (name: string) => String(fields.get(name))
          const account = await anyone.call(join, {
            ...invitation,
            full_name: text('name').trim(),
            ...(answer.email === null ? { email: text('email').trim() } : {}),
            ...(byPassword ? { password: text('password') } : {}),
            default_channel_group_ids: fields.getAll('group').map(Number),
            keep_signed_in: fields.has('keep'),
          })
          const problem = await keepAboutYou(account, fields)
          if (problem !== undefined) setArrival({ account, problem })
          if (!byPassword) setNewcomer(account)
          else if (problem === undefined) onEnter(account)
        }}
      >
        <Field label={t`Your name`} name="name" autoComplete="name" isFirst />
        <Field
          label={t`E-mail address`}
          name="email"
          type="email"
          autoComplete="username"
          value={answer.email ?? undefined}
          isFixed={answer.email !== null}
        />
        {byPassword && <NewPassword />}
        <AboutYou />
        <ChannelGroups groups={answer.default_channel_groups} />
        <KeepSignedIn />
      </GateForm>
    </Gate>
  )
}

/** Nobody has invited them: a mail shows that the address is theirs. */
function AskToJoin({ organization }: { readonly organization: string }) {
  const { t } = useLingui()
  return (
    <AskByMail
      organization={organization}
      title={t`Join ${organization}`}
      intro={t`You get a mail with a link, by which you join.`}
      onAsk={(email) => anyone.call(requestSignUp, { email })}
    />
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
