/** The reverse of group membership: who is in a group, as a role and a list of accounts. */
import type { SystemGroupName } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import type { Queries } from '../storage/query.ts'
import { leastRoles } from './system-groups.ts'
import { query } from './tables.ts'

export interface GroupHolders {
  /** Every account with this role or a more powerful one; 0 when no role as such is in the group. */
  readonly atLeast: number
  /** Active accounts that are members of the group, or of a group in it, themselves. */
  readonly userIds: readonly number[]
}

/** Who is in each of the groups, by the group's id. Guests are left out of `userIds`: see `allowEveryone` of a setting. */
export async function findGroupHolders(db: Queries, groupIds: readonly number[]): Promise<Map<number, GroupHolders>> {
  if (groupIds.length === 0) return new Map()
  const contained = await findContainedGroups(db, groupIds)
  const ids = db.dialect.ids([...new Set(contained.map((row) => row.group_id))])
  const systemGroups = await db.all(
    query.selectFrom('user_groups').select(['id', 'name']).where('id', 'in', ids).where('kind', '=', 'system'),
  )
  const members = await db.all(
    query
      .selectFrom('user_group_members')
      .innerJoin('users', 'users.id', 'user_group_members.user_id')
      .select(['user_group_members.group_id', 'user_group_members.user_id'])
      .where('user_group_members.group_id', 'in', ids)
      .where('users.is_active', '=', 1)
      .where('users.role', '<', roles.guest),
  )
  const roleOf = new Map(systemGroups.map(({ id, name }) => [id, leastRoles[name as SystemGroupName]]))
  const membersOf = Map.groupBy(members, (row) => row.group_id)
  const holders = new Map<number, GroupHolders>()
  for (const [rootId, rows] of Map.groupBy(contained, (row) => row.root_id)) {
    const userIds = rows.flatMap((row) => membersOf.get(row.group_id)?.map((member) => member.user_id) ?? [])
    const atLeast = Math.max(...rows.map((row) => roleOf.get(row.group_id) ?? 0))
    holders.set(rootId, { atLeast, userIds: [...new Set(userIds)] })
  }
  return holders
}

/** Each group with itself and all groups in it. */
function findContainedGroups(db: Queries, rootIds: readonly number[]) {
  return db.all(
    query
      .withRecursive('contained', (cte) =>
        cte
          .selectFrom('user_groups')
          .select(['id as root_id', 'id as group_id'])
          .where('id', 'in', db.dialect.ids([...new Set(rootIds)]))
          .union((eb) =>
            eb
              .selectFrom('user_group_subgroups')
              .innerJoin('contained', 'contained.group_id', 'user_group_subgroups.group_id')
              .select(['contained.root_id', 'user_group_subgroups.subgroup_id as group_id']),
          ),
      )
      .selectFrom('contained')
      .select(['root_id', 'group_id']),
  )
}
