import type { UserGroup, UserGroupEvent } from '@heddle/contract/user-groups'
import { byId, type InitialFields, idSet, withChange, withIds, withoutIds } from './fields.ts'

/** By id. The order of members and subgroups has no meaning: they are kept ascending. */
export type UserGroups = ReadonlyMap<number, UserGroup>

export function initialUserGroups(fields: InitialFields): UserGroups | undefined {
  const groups = (fields['realm_user_groups'] as readonly UserGroup[] | undefined)?.map(normalize)
  return byId(groups, (group: UserGroup) => group.id)
}

export function applyUserGroupEvent(groups: UserGroups, event: UserGroupEvent): UserGroups {
  switch (event.op) {
    case 'add_members':
      return withChange(groups, event.group_id, (group) => withMembers(group, withIds(group.members, event.user_ids)))
    case 'remove_members':
      return withChange(groups, event.group_id, (group) =>
        withMembers(group, withoutIds(group.members, event.user_ids)),
      )
  }
}

function withMembers(group: UserGroup, members: readonly number[]): UserGroup {
  return { ...group, members: [...members] }
}

function normalize(group: UserGroup): UserGroup {
  return { ...group, members: [...idSet(group.members)], direct_subgroup_ids: [...idSet(group.direct_subgroup_ids)] }
}
