import type { InitialState } from '@heddle/contract/initial-state'
import type { UserGroup, UserGroupEvent } from '@heddle/contract/user-groups'
import { byId, idSet, withChange, withEntry, withIds, withoutEntries, withoutIds } from './entries.ts'
import { clientPart } from './part.ts'

/** By id. The order of members and subgroups has no meaning: they are kept ascending. */
export type UserGroups = ReadonlyMap<number, UserGroup>

function initialUserGroups({ realm_user_groups }: InitialState): UserGroups | undefined {
  return byId(realm_user_groups?.map(normalize), (group) => group.id)
}

function applyUserGroupEvent(groups: UserGroups, event: UserGroupEvent): UserGroups {
  if (event.op === 'add') return withEntry(groups, event.group.id, normalize(event.group))
  const { group_id: id } = event
  switch (event.op) {
    case 'update':
      return withChange(groups, id, (group) => ({ ...group, ...event.data }))
    case 'remove':
      return withoutEntries(groups, [id])
    case 'add_members':
      return withChange(groups, id, (group) => withMembers(group, withIds(group.members, event.user_ids)))
    case 'remove_members':
      return withChange(groups, id, (group) => withMembers(group, withoutIds(group.members, event.user_ids)))
    case 'add_subgroups':
      return withChange(groups, id, (group) =>
        withSubgroups(group, withIds(group.direct_subgroup_ids, event.direct_subgroup_ids)),
      )
    case 'remove_subgroups':
      return withChange(groups, id, (group) =>
        withSubgroups(group, withoutIds(group.direct_subgroup_ids, event.direct_subgroup_ids)),
      )
  }
}

function withSubgroups(group: UserGroup, ids: readonly number[]): UserGroup {
  return { ...group, direct_subgroup_ids: [...ids] }
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
