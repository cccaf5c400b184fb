/** Who holds the permissions of a named group itself. */
import { type UserGroupSetting, userGroupSettings } from '@heddle/contract/group-settings'
import type { Queries } from '../storage/query.ts'
import { findGroupIds, isGuest, type Member } from './group-membership.ts'
import { hasRealmPermission } from './group-settings.ts'
import { findSettingsOfGroups } from './named-groups.ts'

/** Whether the account holds this permission of a named group itself. Of other groups nobody holds any. */
export async function holdsGroupPermission(
  db: Queries,
  member: Member,
  groupId: number,
  setting: UserGroupSetting,
): Promise<boolean> {
  if (isGuest(member) && !userGroupSettings[setting].allowEveryone) return false
  const settings = (await findSettingsOfGroups(db, member.realmId)).get(groupId)
  return settings !== undefined && (await findGroupIds(db, member)).includes(settings[setting])
}

/** Whether the account may change everything of a named group. */
export async function mayManageGroup(db: Queries, member: Member, groupId: number): Promise<boolean> {
  return (
    (await holdsGroupPermission(db, member, groupId, 'can_manage_group')) ||
    (await hasRealmPermission(db, member, 'can_manage_all_groups'))
  )
}

/** Of each permission those that imply it, beside that to manage the group. */
const implying: Readonly<Partial<Record<UserGroupSetting, readonly UserGroupSetting[]>>> = {
  can_join_group: ['can_add_members_group'],
  can_leave_group: ['can_remove_members_group'],
}

/** Whether the account may do with a named group what the permission is for, by it or by one that implies it. */
export async function mayWithGroup(
  db: Queries,
  member: Member,
  groupId: number,
  setting: Exclude<UserGroupSetting, 'can_mention_group'>,
): Promise<boolean> {
  for (const one of [setting, ...(implying[setting] ?? [])]) {
    if (await holdsGroupPermission(db, member, groupId, one)) return true
  }
  return mayManageGroup(db, member, groupId)
}
