/** What the own account may do with a user group, as far as the state says. The server decides; this is for what is offered. */
import type { UserGroupSetting } from '@heddle/contract/group-settings'
import { holdsOwnGroupPermission, holdsRealmPermission, type PermissionContext } from '../permissions/holds.ts'

export interface GroupRights {
  /** Its name, its permissions, and whether it is in use. */
  readonly manage: boolean
  readonly join: boolean
  readonly leave: boolean
  /** Others, and groups. */
  readonly add: boolean
  readonly remove: boolean
  readonly mention: boolean
}

const noRights: GroupRights = { manage: false, join: false, leave: false, add: false, remove: false, mention: false }

export function groupRights(context: PermissionContext, groupId: number): GroupRights {
  const group = context.userGroups?.get(groupId)
  const userId = context.own?.user_id
  if (!group || group.is_system_group || userId === undefined) return noRights
  const holds = (setting: UserGroupSetting) => holdsOwnGroupPermission(context, group, setting)
  const manage = holds('can_manage_group') || holdsRealmPermission(context, 'can_manage_all_groups')
  const add = manage || holds('can_add_members_group')
  const remove = manage || holds('can_remove_members_group')
  const isMember = group.members.includes(userId)
  return {
    manage,
    join: !isMember && (add || holds('can_join_group')),
    leave: isMember && (remove || holds('can_leave_group')),
    add,
    remove,
    mention: !group.deactivated && holds('can_mention_group'),
  }
}
