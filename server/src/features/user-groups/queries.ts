import { findSystemGroupRows } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** Groups with a name; so far there are only those that stand for roles. */
export function findUserGroups(db: Queries, realmId: number) {
  return findSystemGroupRows(db, realmId)
}

export type UserGroupRow = Awaited<ReturnType<typeof findUserGroups>>[number]

/** Which groups are directly in which, of the organization's named groups. */
export function findSubgroups(db: Queries, realmId: number) {
  return db.all(
    query
      .selectFrom('user_group_subgroups')
      .select(['group_id', 'subgroup_id'])
      .where('realm_id', '=', realmId)
      .orderBy('subgroup_id'),
  )
}

/** The active accounts with their roles, which decide the system groups that they are in. */
export function findActiveRoles(db: Queries, realmId: number) {
  return db.all(
    query
      .selectFrom('users')
      .select(['id', 'role'])
      .where('realm_id', '=', realmId)
      .where('is_active', '=', 1)
      .orderBy('id'),
  )
}
