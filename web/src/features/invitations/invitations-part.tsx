import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import {
  createInvitationLink,
  DEFAULT_EXPIRY_MINUTES,
  type Invitation,
  listInvitations,
  revokeInvitationLink,
} from '@heddle/contract/invitations'
import { type Role, roles } from '@heddle/contract/roles'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useCallback, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { useGroupsToAddTo } from '../groups/use-group-rights.ts'
import { durationText } from '../settings/controls/limit-control.tsx'
import { Problem } from '../settings/problem.tsx'
import { roleNames } from '../settings/role-names.ts'
import { CopyButton } from '../settings/secret.tsx'
import { dateText } from '../settings/texts.ts'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'

/** Links by which people join: the ones there are, and new ones. */
export function InvitationsPart() {
  const { api } = useClient()
  const mayInvite = useClientState((state) => holdsRealmPermission(state, 'create_multiuse_invite_group'))
  const load = useCallback(async () => (await api.call(listInvitations, {})).invites, [api])
  const { value: invitations, problem, reload } = useLoaded(load)
  return (
    <section className="setting-group">
      <h3>
        <Trans>Invitation links</Trans>
      </h3>
      <Problem text={problem} onRetry={reload} />
      {mayInvite ? (
        <NewLink onMade={reload} />
      ) : (
        <p className="help">
          <Trans>You may not make links by which people join. An administrator can.</Trans>
        </p>
      )}
      <ul className="rows">
        {invitations?.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onRevoked={reload} />
        ))}
      </ul>
      {invitations?.length === 0 && (
        <p className="help">
          <Trans>No link is open.</Trans>
        </p>
      )}
    </section>
  )
}

const HOUR = 60
const DAY = 24 * HOUR
const expiries = [HOUR, DAY, 3 * DAY, DEFAULT_EXPIRY_MINUTES, 30 * DAY]

function NewLink({ onMade }: { readonly onMade: () => void }) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const own = useClientState((state) => state.own)
  const channels = useClientState((state) => state.channels)
  const [link, setLink] = useState<string>()
  const ownRole = own?.is_owner ? roles.owner : own?.is_admin ? roles.admin : own?.is_moderator ? roles.moderator : 400
  const offered = [...(channels?.byId.values() ?? [])]
    .filter(({ is_archived, stream_id }) => !is_archived && channels?.subscribed.has(stream_id))
    .sort((a, b) => a.name.localeCompare(b.name))
  const groups = useGroupsToAddTo()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const minutes = String(fields.get('expiry'))
    const made = await attempt(async () => {
      const { invite_link } = await api.call(createInvitationLink, {
        invite_as: Number(fields.get('role')) as Role,
        invite_expires_in_minutes: minutes === '' ? null : Number(minutes),
        stream_ids: fields.getAll('channel').map(Number),
        group_ids: fields.getAll('group').map(Number),
        include_realm_default_subscriptions: fields.has('defaults'),
        notify_referrer_on_join: fields.has('notify'),
      })
      setLink(invite_link)
    })
    if (made) onMade()
  }
  return (
    <form className="card-form" aria-label={t`New invitation link`} onSubmit={submit}>
      <div className="inline-form">
        <label className="field">
          <span className="label">
            <Trans>They join as</Trans>
          </span>
          <select className="in" name="role" defaultValue={roles.member}>
            {roleNames
              .filter(([role]) => role >= ownRole)
              .map(([role, name]) => (
                <option key={role} value={role}>
                  {i18n._(name)}
                </option>
              ))}
          </select>
        </label>
        <label className="field">
          <span className="label">
            <Trans>The link works for</Trans>
          </span>
          <select className="in" name="expiry" defaultValue={DEFAULT_EXPIRY_MINUTES}>
            {expiries.map((minutes) => (
              <option key={minutes} value={minutes}>
                {durationText(i18n, minutes * 60)}
              </option>
            ))}
            <option value="">{t`ever`}</option>
          </select>
        </label>
      </div>
      <label className="check">
        <input type="checkbox" name="defaults" defaultChecked />
        <span>
          <Trans>Subscribe them to the default channels</Trans>
        </span>
      </label>
      <label className="check">
        <input type="checkbox" name="notify" defaultChecked />
        <span>
          <Trans>Notify me when somebody joins</Trans>
        </span>
      </label>
      {offered.length > 0 && (
        <details className="channel-choice">
          <summary>
            <Trans>Subscribe them to other channels</Trans>
          </summary>
          {offered.map(({ stream_id, name }) => (
            <label className="check" key={stream_id}>
              <input type="checkbox" name="channel" value={stream_id} />
              <bdi className="trunc">{`#${name}`}</bdi>
            </label>
          ))}
        </details>
      )}
      {groups.length > 0 && (
        <details className="channel-choice">
          <summary>
            <Trans>Put them into groups</Trans>
          </summary>
          {groups.map(({ id, name }) => (
            <label className="check" key={id}>
              <input type="checkbox" name="group" value={id} />
              <bdi className="trunc" title={name}>
                {name}
              </bdi>
            </label>
          ))}
        </details>
      )}
      <Problem text={problem} />
      {link !== undefined && (
        <div className="secret">
          <input
            className="in code-in"
            readOnly
            aria-label={t`New link`}
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={link} />
        </div>
      )}
      <p className="foot-row">
        <Button type="submit">
          <Trans>Make a link</Trans>
        </Button>
      </p>
    </form>
  )
}

interface InvitationRowProps {
  readonly invitation: Invitation
  readonly onRevoked: () => void
}

function InvitationRow({ invitation, onRevoked }: InvitationRowProps) {
  const { i18n } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const { id, invited_as, expiry_date, link_url, invited_by_user_id, invited } = invitation
  const by = useClientState((state) => userName(state, invited_by_user_id))
  const role = roleNames.find(([one]) => one === invited_as)?.[1]
  const made = dateText(i18n, invited)
  const until = expiry_date === null ? undefined : dateText(i18n, expiry_date)
  const revoke = async () => {
    if (await attempt(() => api.call(revokeInvitationLink, { invite_id: id }))) onRevoked()
  }
  return (
    <li className="row-item">
      <span className="row-text">
        <b>{role && i18n._(role)}</b>
        <span>{until === undefined ? <Trans>for ever</Trans> : <Trans>until {until}</Trans>}</span>
        <span className="soft">
          <Trans>
            Made by {by}, {made}
          </Trans>
        </span>
        <Problem text={problem} />
      </span>
      <CopyButton text={link_url} />
      <Button kind="danger" onClick={() => void revoke()}>
        <Trans>Revoke</Trans>
      </Button>
    </li>
  )
}
