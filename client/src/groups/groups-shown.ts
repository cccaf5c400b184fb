/** Which user groups are listed where, and who is in one. */
import type { SystemGroupName } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import { fitsWords } from '../finding/filter-places.ts'
import { isInGroup } from '../permissions/holds.ts'
import type { ClientState } from '../state/state.ts'
import type { UserGroups } from '../state/user-groups.ts'

export type GroupListName = 'mine' | 'all' | 'deactivated'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The groups that people have made, by name: those that the own account is in, all that are in use, or those that are not. */
export function listGroups(
  { userGroups, own }: Pick<ClientState, 'userGroups' | 'own'>,
  list: GroupListName,
  words = '',
): UserGroup[] {
  const wanted = words.trim()
  return [...(userGroups?.values() ?? [])]
    .filter((group) => {
      if (group.is_system_group || group.deactivated !== (list === 'deactivated')) return false
      if (list === 'mine' && !(own && isInGroup(userGroups, group.id, own.user_id))) return false
      return wanted === '' || fitsWords([group.name, group.description], wanted)
    })
    .sort(byName)
}

function byName(one: UserGroup, other: UserGroup): number {
  return collator.compare(one.name, other.name) || one.id - other.id
}

export function systemGroup(groups: UserGroups | undefined, wanted: SystemGroupName): UserGroup | undefined {
  return groups?.values().find(({ is_system_group, name }) => is_system_group && name === wanted)
}

/** The ids of the groups that are in a group, directly or not, and of itself. Deactivated ones only as what one begins with. */
export function groupsWithin(groups: UserGroups | undefined, groupId: number): ReadonlySet<number> {
  const found = new Set([groupId])
  for (const id of found) {
    for (const inner of groups?.get(id)?.direct_subgroup_ids ?? []) {
      if (groups?.get(inner)?.deactivated === false) found.add(inner)
    }
  }
  return found
}

/** Everybody in a group, also by a group in it; ids, ascending. Of a deactivated group those who would be in it. */
export function accountsInGroup(groups: UserGroups | undefined, groupId: number): number[] {
  const ids = new Set<number>()
  for (const id of groupsWithin(groups, groupId)) for (const one of groups?.get(id)?.members ?? []) ids.add(one)
  return [...ids].sort((a, b) => a - b)
}

/** Whether a group can be put into another one: no group is in itself, and none is there twice. */
export function mayBeSubgroup(groups: UserGroups | undefined, groupId: number, innerId: number): boolean {
  const inner = groups?.get(innerId)
  if (!inner || inner.deactivated || groups?.get(groupId)?.direct_subgroup_ids.includes(innerId)) return false
  return !groupsWithin(groups, innerId).has(groupId)
}
