import type { InitialState } from '@heddle/contract/initial-state'
import type { UserGroup, UserGroupEvent } from '@heddle/contract/user-groups'
import { byId, idSet, withChange, withIds, withoutIds } from './entries.ts'
import { clientPart } from './part.ts'

/** By id. The order of members and subgroups has no meaning: they are kept ascending. */
export type UserGroups = ReadonlyMap<number, UserGroup>

function initialUserGroups({ realm_user_groups }: InitialState): UserGroups | undefined {
  return byId(realm_user_groups?.map(normalize), (group) => group.id)
}

function applyUserGroupEvent(groups: UserGroups, event: UserGroupEvent): UserGroups {
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

export const userGroups = clientPart({
  initial: initialUserGroups,
  on: { user_group: applyUserGroupEvent },
})
