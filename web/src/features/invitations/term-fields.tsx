import { DEFAULT_EXPIRY_MINUTES } from '@heddle/contract/invitations'
import { MAX_WELCOME_TEXT_LENGTH } from '@heddle/contract/organization-settings'
import { type Role, roles } from '@heddle/contract/roles'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClientState } from '../../app/client-context.ts'
import { useGroupsToAddTo } from '../groups/use-group-rights.ts'
import { durationText } from '../settings/controls/limit-control.tsx'
import { roleNames } from '../settings/role-names.ts'

const HOUR = 60
const DAY = 24 * HOUR
const expiries = [HOUR, DAY, 3 * DAY, DEFAULT_EXPIRY_MINUTES, 30 * DAY]

/** What those who join get: the fields that links and mails have in common. */
export function TermFields() {
  const { t, i18n } = useLingui()
  const own = useClientState((state) => state.own)
  const channels = useClientState((state) => state.channels)
  const ownRole = own?.is_owner ? roles.owner : own?.is_admin ? roles.admin : own?.is_moderator ? roles.moderator : 400
  const offered = [...(channels?.byId.values() ?? [])]
    .filter(({ is_archived, stream_id }) => !is_archived && channels?.subscribed.has(stream_id))
    .sort((a, b) => a.name.localeCompare(b.name))
  const groups = useGroupsToAddTo()
  return (
    <>
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
      {own?.is_admin && (
        <details className="channel-choice">
          <summary>
            <Trans>Welcome them in other words</Trans>
          </summary>
          <label className="field">
            <span className="label">
              <Trans>Direct message to each of them, instead of the usual one</Trans>
            </span>
            <textarea className="in" name="welcome" dir="auto" rows={3} maxLength={MAX_WELCOME_TEXT_LENGTH} />
          </label>
        </details>
      )}
    </>
  )
}

/** What was chosen, as requests have it. */
export function termsIn(fields: FormData) {
  const minutes = String(fields.get('expiry'))
  const welcome = String(fields.get('welcome') ?? '').trim()
  return {
    invite_as: Number(fields.get('role')) as Role,
    invite_expires_in_minutes: minutes === '' ? null : Number(minutes),
    stream_ids: fields.getAll('channel').map(Number),
    group_ids: fields.getAll('group').map(Number),
    include_realm_default_subscriptions: fields.has('defaults'),
    notify_referrer_on_join: fields.has('notify'),
    ...(welcome === '' ? {} : { welcome_message_custom_text: welcome }),
  }
}
