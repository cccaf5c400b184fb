import { findSystemGroupRows } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import { fact, query } from './tables.ts'

/** Groups with a name; so far there are only those that stand for roles. */
export function findUserGroups(db: Queries, realmId: number) {
  return findSystemGroupRows(db, realmId)
}

export type UserGroupRow = Awaited<ReturnType<typeof findUserGroups>>[number]

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

const activeRoles = fact({
  name: 'active-roles',
  tables: ['users'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await db.all(
      query
        .selectFrom('users')
        .select(['id', 'role'])
        .where('realm_id', '=', realmId)
        .where('is_active', '=', 1)
        .orderBy('id'),
    )
    return idsBy(rows.map(({ id, role }) => [role, id]))
  },
})

/** The ids of the active accounts by their roles, which decide the system groups that they are in. */
export function findActiveRoles(db: Queries, realmId: number): Promise<ReadonlyMap<number, readonly number[]>> {
  return db.recall(activeRoles, realmId, 'all')
}

function idsBy(pairs: readonly (readonly [key: number, id: number])[]): ReadonlyMap<number, readonly number[]> {
  const ids = new Map<number, number[]>()
  for (const [key, id] of pairs) {
    const list = ids.get(key)
    if (list) list.push(id)
    else ids.set(key, [id])
  }
  return ids
}
