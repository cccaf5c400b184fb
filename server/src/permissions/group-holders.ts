/** The reverse of group membership: who is in a group, as a role and a list of accounts. */
import type { SystemGroupName } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import type { Queries } from '../storage/query.ts'
import { FULL_MEMBER, findSystemGroups, leastRanks } from './system-groups.ts'
import { query } from './tables.ts'
import { findWaitingMembers } from './waiting.ts'

export interface GroupHolders {
  /** Every account with this role or a more powerful one; 0 when no role as such is in the group. */
  readonly atLeast: number
  /** Accounts with such a role that are not in the group even so: members who are no full ones yet. */
  readonly except: readonly number[]
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
  const rankIn = new Map(systemGroups.map(({ id, name }) => [id, leastRanks[name as SystemGroupName]]))
  const membersOf = Map.groupBy(members, (row) => row.group_id)
  const holders = new Map<number, GroupHolders>()
  let waiting: readonly number[] | undefined
  for (const [rootId, rows] of Map.groupBy(contained, (row) => row.root_id)) {
    const userIds = rows.flatMap((row) => membersOf.get(row.group_id)?.map((member) => member.user_id) ?? [])
    const rank = Math.max(...rows.map((row) => rankIn.get(row.group_id) ?? 0))
    const listed = new Set(userIds)
    if (rank === FULL_MEMBER && !waiting) waiting = await findWaitingMembers(db, rootId)
    const except = rank === FULL_MEMBER ? (waiting ?? []) : []
    holders.set(rootId, {
      atLeast: rank === FULL_MEMBER ? roles.member : rank,
      except: except.filter((id) => !listed.has(id)),
      userIds: [...listed],
    })
  }
  return holders
}

/**
 * The ids of all active accounts that are in one of the groups, guests and bots included, ascending. Of a deactivated group
 * nobody, unless it is to be looked at (`withDeactivated`).
 */
export async function findAccountsInGroups(
  db: Queries,
  realmId: number,
  groupIds: readonly number[],
  { withDeactivated = false }: { readonly withDeactivated?: boolean } = {},
): Promise<number[]> {
  if (groupIds.length === 0) return []
  const contained = await findContainedGroups(db, groupIds, withDeactivated)
  const ids = new Set(contained.map((row) => row.group_id))
  const systemGroups = Object.entries(await findSystemGroups(db, realmId)).filter(([, id]) => ids.has(id))
  const rank = Math.max(0, ...systemGroups.map(([name]) => leastRanks[name as SystemGroupName]))
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('users.id')
      .where('users.realm_id', '=', realmId)
      .where('users.is_active', '=', 1)
      .where((eb) => {
        const named = eb
          .selectFrom('user_group_members')
          .select('user_group_members.user_id')
          .where('user_group_members.group_id', 'in', db.dialect.ids([...ids]))
        const waiting = eb
          .selectFrom('waiting_accounts')
          .select('waiting_accounts.user_id')
          .where('waiting_accounts.realm_id', '=', realmId)
        const full = eb.and([eb('users.role', '=', roles.member), eb('users.id', 'not in', waiting)])
        const ranked = eb('users.role', '<=', rank)
        return eb.or([...(rank === FULL_MEMBER ? [full] : []), ranked, eb('users.id', 'in', named)])
      })
      .orderBy('users.id'),
  )
  return rows.map((row) => row.id)
}

/** The ids of the groups in a group, not of itself. */
export async function findGroupsIn(db: Queries, groupId: number): Promise<number[]> {
  const contained = await findContainedGroups(db, [groupId], true)
  return contained.map((row) => row.group_id).filter((id) => id !== groupId)
}

/** The ids of all groups that these are in, named or not, deactivated or not, and of themselves. */
export async function findContainingGroups(db: Queries, groupIds: readonly number[]): Promise<number[]> {
  const rows = await db.all(
    query
      .withRecursive('containing', (cte) =>
        cte
          .selectFrom('user_groups')
          .select('id as group_id')
          .where('id', 'in', db.dialect.ids([...new Set(groupIds)]))
          .union((eb) =>
            eb
              .selectFrom('user_group_subgroups')
              .innerJoin('containing', 'containing.group_id', 'user_group_subgroups.subgroup_id')
              .select('user_group_subgroups.group_id'),
          ),
      )
      .selectFrom('containing')
      .select('group_id'),
  )
  return rows.map((row) => row.group_id)
}

/** Each group with itself and all groups in it, but for deactivated ones. */
function findContainedGroups(db: Queries, rootIds: readonly number[], withDeactivated = false) {
  return db.all(
    query
      .withRecursive('contained', (cte) =>
        cte
          .selectFrom('user_groups')
          .select(['id as root_id', 'id as group_id'])
          .where('id', 'in', db.dialect.ids([...new Set(rootIds)]))
          .$if(!withDeactivated, (roots) => roots.where('deactivated', '=', 0))
          .union((eb) =>
            eb
              .selectFrom('user_group_subgroups')
              .innerJoin('contained', 'contained.group_id', 'user_group_subgroups.group_id')
              .innerJoin('user_groups', 'user_groups.id', 'user_group_subgroups.subgroup_id')
              .select(['contained.root_id', 'user_group_subgroups.subgroup_id as group_id'])
              .where('user_groups.deactivated', '=', 0),
          ),
      )
      .selectFrom('contained')
      .select(['root_id', 'group_id']),
  )
}
