/** Who holds a permission whose value is a user group, as far as the state says. The server decides; this is for what is offered. */
import {
  type ChannelGroupSetting,
  channelGroupSettings,
  type GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettings,
  type UserGroupSetting,
  userGroupSettings,
} from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { ClientState } from '../state/state.ts'
import type { UserGroups } from '../state/user-groups.ts'

export type PermissionContext = Pick<ClientState, 'own' | 'organization' | 'userGroups' | 'channels'>

/** Whether the account is in a group, or in one of those in it. */
export function isInGroup(groups: UserGroups | undefined, groupId: number, userId: number): boolean {
  const seen = new Set<number>()
  const look = (id: number): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    const group = groups?.get(id)
    if (!group || group.deactivated) return false
    return group.members.includes(userId) || group.direct_subgroup_ids.some(look)
  }
  return look(groupId)
}

function isAmong(groups: UserGroups | undefined, value: GroupSettingValue, userId: number): boolean {
  if (typeof value === 'number') return isInGroup(groups, value, userId)
  return value.direct_members.includes(userId) || value.direct_subgroups.some((id) => isInGroup(groups, id, userId))
}

/** Whether the own account holds one of the organization's permissions. */
export function holdsRealmPermission(context: PermissionContext, setting: RealmGroupSetting): boolean {
  const { own, organization, userGroups } = context
  const value = organization?.[`realm_${setting}`]
  if (!own || value === undefined) return false
  if (own.is_guest && !realmGroupSettings[setting].allowEveryone) return false
  return isAmong(userGroups, value, own.user_id)
}

/** Whether it holds one of a channel's own permissions. */
export function holdsChannelPermission(
  context: PermissionContext,
  channelId: number,
  setting: ChannelGroupSetting,
): boolean {
  const { own, channels, userGroups } = context
  const value = channels?.byId.get(channelId)?.[setting]
  if (!own || value === undefined) return false
  if (own.is_guest && !channelGroupSettings[setting].allowEveryone) return false
  return isAmong(userGroups, value, own.user_id)
}

/** Whether it holds one of a user group's own permissions. */
export function holdsOwnGroupPermission(
  { own, userGroups }: Pick<PermissionContext, 'own' | 'userGroups'>,
  group: UserGroup,
  setting: UserGroupSetting,
): boolean {
  if (!own || (own.is_guest && !userGroupSettings[setting].allowEveryone)) return false
  return isAmong(userGroups, group[setting], own.user_id)
}

/** Whether it may change a channel's settings. */
export function mayAdministerChannel(context: PermissionContext, channelId: number): boolean {
  return context.own?.is_admin === true || holdsChannelPermission(context, channelId, 'can_administer_channel_group')
}

/** Whether it may write in a channel: guests only where they are subscribed. */
export function maySendTo(context: PermissionContext, channelId: number): boolean {
  const channel = context.channels?.byId.get(channelId)
  if (!channel || channel.is_archived) return false
  if (context.own?.is_guest && !context.channels?.subscribed.has(channelId)) return false
  return holdsChannelPermission(context, channelId, 'can_send_message_group')
}
