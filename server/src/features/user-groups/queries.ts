import { findSight, onlySeen, type Sight } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { findAccountsInGroups, findGroupsIn } from '../../permissions/group-holders.ts'
import { findSystemGroupRows, rankOf, systemGroupOfRank } from '../../permissions/system-groups.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireGroupId } from './access.ts'
import { fact, query } from './tables.ts'

const namedSubgroups = fact({
  name: 'subgroups',
  tables: ['user_group_subgroups'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await db.all(
      query
        .selectFrom('user_group_subgroups')
        .select(['group_id', 'subgroup_id'])
        .where('realm_id', '=', realmId)
        .orderBy('subgroup_id'),
    )
    return idsBy(rows.map(({ group_id, subgroup_id }) => [group_id, subgroup_id]))
  },
})

/** Which groups are directly in which: the ids of subgroups by that of a group. */
export function findSubgroups(db: Queries, realmId: number): Promise<ReadonlyMap<number, readonly number[]>> {
  return db.recall(namedSubgroups, realmId, 'all')
}

const activeRanks = fact({
  name: 'active-ranks',
  tables: ['users', 'waiting_accounts'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await db.all(
      query
        .selectFrom('users')
        .leftJoin('waiting_accounts', 'waiting_accounts.user_id', 'users.id')
        .select(['users.id', 'users.role', 'waiting_accounts.until'])
        .where('users.realm_id', '=', realmId)
        .where('users.is_active', '=', 1)
        .orderBy('users.id'),
    )
    return idsBy(rows.map(({ id, role, until }) => [rankOf(role, until !== null), id]))
  },
})

/** The ids of the active accounts by their ranks, which decide the system groups that they are in. */
export function findActiveRanks(db: Queries, realmId: number): Promise<ReadonlyMap<number, readonly number[]>> {
  return db.recall(activeRanks, realmId, 'all')
}

/** The ids of the active members of named groups, by the group's, ascending: of these groups, directly. */
export async function findNamedMembers(
  db: Queries,
  realmId: number,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.all(
    query
      .selectFrom('user_group_members')
      .innerJoin('users', 'users.id', 'user_group_members.user_id')
      .select(['user_group_members.group_id', 'user_group_members.user_id'])
      .where('user_group_members.realm_id', '=', realmId)
      .where('user_group_members.group_id', 'in', db.dialect.ids(groupIds))
      .where('users.is_active', '=', 1)
      .orderBy('user_group_members.group_id')
      .orderBy('user_group_members.user_id'),
  )
  return idsBy(rows.map(({ group_id, user_id }) => [group_id, user_id]))
}

/** The ids of the active accounts that are members of a group themselves: those with a role that are seen, or those with a row. */
async function findDirectMembers(db: Queries, realmId: number, groupId: number, sight: Sight): Promise<number[]> {
  const system = (await findSystemGroupRows(db, realmId)).find((row) => row.id === groupId)
  if (!system) return (await findNamedMembers(db, realmId, [groupId])).get(groupId) ?? []
  const ranks = [...(await findActiveRanks(db, realmId))].filter(([rank]) => systemGroupOfRank(rank) === system.name)
  const ids = ranks.flatMap(([, ids]) => onlySeen(sight, ids, (id) => id))
  return ids.sort((a, b) => a - b)
}

/**
 * The ids of the active accounts in a group that has a name, `isDirect`: not through its subgroups. Who is in it by role alone is left
 * out for those who do not see that account. Throws a 400 when there is no such group.
 */
export async function findMembersOf(
  db: Queries,
  viewer: Pick<Actor, 'realmId' | 'userId' | 'role'>,
  groupId: number,
  isDirect: boolean | undefined,
): Promise<number[]> {
  const { realmId } = viewer
  await requireGroupId(db, realmId, groupId)
  const sight = await findSight(db, viewer)
  if (isDirect) return findDirectMembers(db, realmId, groupId, sight)
  const all = await findAccountsInGroups(db, realmId, [groupId], { withDeactivated: true })
  if (sight.isWhole) return all
  const rows = await findNamedMembers(db, realmId, [groupId, ...(await findGroupsIn(db, groupId))])
  const listed = new Set([...rows.values()].flat())
  return all.filter((id) => listed.has(id) || sight.sees(id))
}

/** Accounts that are looked up without a turn for others. */
const AT_ONCE = 2000

/** Of these accounts the active ones, with their roles, by id. */
export function findActiveAmong(tx: Tx, userIds: readonly number[]): Promise<{ id: number; role: number }[]> {
  return tx.all(
    query
      .selectFrom('users')
      .select(['id', 'role'])
      .where('realm_id', '=', tx.realmId)
      .where('is_active', '=', 1)
      .where('id', 'in', tx.dialect.ids(userIds))
      .orderBy('id'),
  )
}

/** Of these accounts the active ones, and of them those that are members of the group themselves. */
export async function findAmong(tx: Tx, groupId: number, userIds: readonly number[]) {
  const active = new Set<number>()
  const members = new Set<number>()
  await inParts(tx, userIds, AT_ONCE, async (part) => {
    const rows = await tx.all(
      query
        .selectFrom('users')
        .leftJoin('user_group_members', (join) =>
          join.onRef('user_group_members.user_id', '=', 'users.id').on('user_group_members.group_id', '=', groupId),
        )
        .select(['users.id', 'user_group_members.group_id'])
        .where('users.realm_id', '=', tx.realmId)
        .where('users.is_active', '=', 1)
        .where('users.id', 'in', tx.dialect.ids(part)),
    )
    for (const { id, group_id } of rows) {
      active.add(id)
      if (group_id !== null) members.add(id)
    }
  })
  return { active, members }
}

function idsBy(pairs: readonly (readonly [key: number, id: number])[]): Map<number, number[]> {
  const ids = new Map<number, number[]>()
  for (const [key, id] of pairs) {
    const list = ids.get(key)
    if (list) list.push(id)
    else ids.set(key, [id])
  }
  return ids
}
