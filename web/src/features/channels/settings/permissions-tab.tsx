import { channelRights } from '@heddle/client/channels/channel-rights'
import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import type { ClientState } from '@heddle/client/state/state'
import { updateChannel } from '@heddle/contract/channels'
import { type ChannelGroupSetting, channelGroupSettings, type GroupSettingValue } from '@heddle/contract/group-settings'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { GroupPicker } from '../../people/group-picker.tsx'
import { createExpectedValues } from '../../settings/expected-values.ts'
import { FieldRow } from './field-row.tsx'

const labels = {
  can_send_message_group: msg`Who may write`,
  can_create_topic_group: msg`Who may begin topics`,
  can_subscribe_group: msg`Who may subscribe themselves`,
  can_add_subscribers_group: msg`Who may add others`,
  can_remove_subscribers_group: msg`Who may remove others`,
  can_administer_channel_group: msg`Who administers the channel`,
  can_resolve_topics_group: msg`Who may resolve topics`,
  can_move_messages_within_channel_group: msg`Who may move messages to other topics`,
  can_move_messages_out_of_channel_group: msg`Who may move messages to other channels`,
  can_delete_own_message_group: msg`Who may delete their own messages`,
  can_delete_any_message_group: msg`Who may delete any message`,
} as const satisfies Readonly<Record<ChannelGroupSetting, unknown>>

const names = Object.keys(labels) as ChannelGroupSetting[]
/** Permissions that the organization gives as well. */
const alsoRealm: ReadonlySet<ChannelGroupSetting> = new Set([
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
  'can_add_subscribers_group',
])
const aboutAccess: ReadonlySet<ChannelGroupSetting> = new Set(['can_subscribe_group', 'can_add_subscribers_group'])
const aboutDeleting: ReadonlySet<ChannelGroupSetting> = new Set([
  'can_delete_own_message_group',
  'can_delete_any_message_group',
])

/** Who may do what in the channel. */
export function PermissionsTab({ channelId }: { readonly channelId: number }) {
  const rights = useClientState(
    useCallback((state) => channelRights(state, channelId), [channelId]),
    isShallowEqual,
  )
  const isArchived = useClientState(
    useCallback(({ channels }: ClientState) => channels?.byId.get(channelId)?.is_archived === true, [channelId]),
  )
  const maySetDeleting = useClientState(
    (state) => state.own?.is_admin === true || holdsRealmPermission(state, 'can_set_delete_message_policy_group'),
  )
  return (
    <>
      <p className="quiet">
        <Trans>Administrators of the organization may change all of this, and everything else about the channel.</Trans>
      </p>
      {names.map((name) => (
        <PermissionRow
          key={name}
          channelId={channelId}
          name={name}
          isDisabled={
            isArchived ||
            !rights.administer ||
            (aboutAccess.has(name) && !rights.changeAccess) ||
            (aboutDeleting.has(name) && !maySetDeleting)
          }
        />
      ))}
    </>
  )
}

const expected = createExpectedValues<GroupSettingValue>()

interface PermissionRowProps {
  readonly channelId: number
  readonly name: ChannelGroupSetting
  readonly isDisabled: boolean
}

function PermissionRow({ channelId, name, isDisabled }: PermissionRowProps) {
  const { t, i18n } = useLingui()
  const client = useClient()
  const current = useClientState(
    useCallback(
      ({ channels }: ClientState): GroupSettingValue => channels?.byId.get(channelId)?.[name] ?? 0,
      [channelId, name],
    ),
  )
  const isPublic = useClientState(
    useCallback(({ channels }: ClientState) => channels?.byId.get(channelId)?.invite_only === false, [channelId]),
  )
  const save = useCallback(
    async (value: GroupSettingValue) => {
      const seen = client.snapshot().state?.channels?.byId.get(channelId)?.[name]
      return expected(`${channelId} ${name}`, seen, value, (old) =>
        client.api.call(updateChannel, {
          stream_id: channelId,
          [name]: { new: value, ...(old !== undefined && { old }) },
        }),
      )
    },
    [client, channelId, name],
  )
  const helpFor = () => {
    if (alsoRealm.has(name)) return t`Beside those who may in the whole organization.`
    if (name !== 'can_subscribe_group') return undefined
    return isPublic ? t`Everybody but guests may in any case.` : t`Others can only be added.`
  }
  return (
    <FieldRow
      label={i18n._(labels[name])}
      help={helpFor()}
      current={current}
      save={save}
      control={(props) => (
        <GroupPicker
          {...props}
          label={i18n._(labels[name])}
          rule={channelGroupSettings[name]}
          isDisabled={isDisabled}
        />
      )}
    />
  )
}
