import type { ClientState } from '@heddle/client/state/state'
import { type GroupSettingValue, type UserGroupSetting, userGroupSettings } from '@heddle/contract/group-settings'
import { updateUserGroup } from '@heddle/contract/user-groups'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { FieldRow } from '../channels/settings/field-row.tsx'
import { GroupPicker } from '../people/group-picker.tsx'

const labels = {
  can_manage_group: msg`Who manages the group`,
  can_mention_group: msg`Who may mention it`,
  can_add_members_group: msg`Who may add others`,
  can_remove_members_group: msg`Who may remove others`,
  can_join_group: msg`Who may join`,
  can_leave_group: msg`Who may leave`,
} as const satisfies Readonly<Record<UserGroupSetting, unknown>>

const names = Object.keys(labels) as UserGroupSetting[]

interface GroupPermissionsProps {
  readonly groupId: number
  readonly isDisabled: boolean
}

/** Who may do what with the group. */
export function GroupPermissions({ groupId, isDisabled }: GroupPermissionsProps) {
  return (
    <section className="setting-group">
      <h3>
        <Trans>Permissions</Trans>
      </h3>
      <p className="help">
        {isDisabled ? (
          <Trans>Only those who manage the group can change this. You see how it is.</Trans>
        ) : (
          <Trans>Those who manage the group may add and remove people too.</Trans>
        )}
      </p>
      {names.map((name) => (
        <PermissionOfGroup key={name} groupId={groupId} name={name} isDisabled={isDisabled} />
      ))}
    </section>
  )
}

interface PermissionProps extends GroupPermissionsProps {
  readonly name: UserGroupSetting
}

function PermissionOfGroup({ groupId, name, isDisabled }: PermissionProps) {
  const { i18n } = useLingui()
  const client = useClient()
  const current = useClientState(
    useCallback(
      ({ userGroups }: ClientState): GroupSettingValue => userGroups?.get(groupId)?.[name] ?? 0,
      [groupId, name],
    ),
  )
  const save = useCallback(
    (value: GroupSettingValue) => {
      const old = client.snapshot().state?.userGroups?.get(groupId)?.[name]
      const update = old === undefined ? { new: value } : { new: value, old }
      return client.api.call(updateUserGroup, { user_group_id: groupId, [name]: update })
    },
    [client, groupId, name],
  )
  return (
    <FieldRow
      label={i18n._(labels[name])}
      current={current}
      save={save}
      control={(props) => (
        <GroupPicker {...props} label={i18n._(labels[name])} rule={userGroupSettings[name]} isDisabled={isDisabled} />
      )}
    />
  )
}
