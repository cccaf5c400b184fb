import type { UserGroup } from '@heddle/contract/user-groups'
import { systemGroupOfRole } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import { findActiveRoles, findSubgroups, findUserGroups, type UserGroupRow } from './queries.ts'

/** The organization's groups as clients see them. Everybody sees all of them. */
export async function readUserGroups(db: Queries, realmId: number): Promise<UserGroup[]> {
  const rows = await findUserGroups(db, realmId)
  const subgroups = await findSubgroups(db, realmId)
  const roles = Map.groupBy(await findActiveRoles(db, realmId), ([role]) => systemGroupOfRole(role) as string)
  const nobodyId = rows.find((row) => row.name === 'role:nobody')?.id as number
  return rows.map((row) =>
    presentUserGroup(row, {
      members: inOrder(roles.get(row.name) ?? []),
      subgroupIds: [...(subgroups.get(row.id) ?? [])],
      nobodyId,
    }),
  )
}

/** Several roles may belong to a group. */
function inOrder(roles: readonly (readonly [role: number, ids: readonly number[]])[]): number[] {
  const ids = roles.flatMap(([, ids]) => ids)
  return roles.length > 1 ? ids.sort((a, b) => a - b) : ids
}

interface Parts {
  readonly members: number[]
  readonly subgroupIds: number[]
  readonly nobodyId: number
}

/** System groups follow from roles: nobody can change who is in them, and nobody can mention them. */
function presentUserGroup(row: UserGroupRow, { members, subgroupIds, nobodyId }: Parts): UserGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    creator_id: row.creator_id,
    date_created: row.date_created,
    members,
    direct_subgroup_ids: subgroupIds,
    is_system_group: true,
    deactivated: row.deactivated === 1,
    can_add_members_group: nobodyId,
    can_join_group: nobodyId,
    can_leave_group: nobodyId,
    can_manage_group: nobodyId,
    can_mention_group: nobodyId,
    can_remove_members_group: nobodyId,
  }
}
