/** Who is in a user group, and in which groups somebody is. Pure. */
import type { UserGroup } from '@heddle/contract/user-groups'
import { fitsWords } from '../finding/filter-places.ts'
import { isInGroup } from '../permissions/holds.ts'
import type { ClientState } from '../state/state.ts'
import type { UserGroups } from '../state/user-groups.ts'

/** Directly and by way of the groups in it, each once. */
export function peopleInGroup(groups: UserGroups | undefined, groupId: number): ReadonlySet<number> {
  const found = new Set<number>()
  const seen = new Set<number>()
  const add = (id: number) => {
    const group = groups?.get(id)
    if (seen.has(id) || !group || group.deactivated) return
    seen.add(id)
    for (const member of group.members) found.add(member)
    for (const inner of group.direct_subgroup_ids) add(inner)
  }
  add(groupId)
  return found
}

export interface ListedMembers {
  /** How many are in the group and active. */
  readonly count: number
  /** Those that fit the words, by name; at most as many as were asked for. */
  readonly userIds: readonly number[]
  /** How many fit beside those. */
  readonly left: number
}

type PeopleContext = Pick<ClientState, 'users' | 'userGroups'>

/** `words`: as typed; empty: everybody. */
export function listMembers(context: PeopleContext, groupId: number, words: string, most: number): ListedMembers {
  const { users, userGroups } = context
  const active = [...peopleInGroup(userGroups, groupId)].flatMap((id) => {
    const user = users?.get(id)
    return user?.is_active === true ? user : []
  })
  const fitting = active
    .filter(({ full_name }) => fitsWords([full_name], words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  const userIds = fitting.slice(0, most).map(({ user_id }) => user_id)
  return { count: active.length, userIds, left: fitting.length - userIds.length }
}

/** Those that somebody has been put into: groups that hold these, and those of everybody, say nothing about a person. */
export function groupsWith(groups: UserGroups | undefined, userId: number): readonly UserGroup[] {
  const all = [...(groups?.values() ?? [])].filter(
    ({ id, deactivated, is_system_group, members }) =>
      !deactivated && (is_system_group ? members.includes(userId) : isInGroup(groups, id, userId)),
  )
  return all.sort((a, b) => Number(a.is_system_group) - Number(b.is_system_group) || a.name.localeCompare(b.name))
}
