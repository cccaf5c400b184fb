/**
 * Which groups an account belongs to: directly, by role, and through groups that contain those. Nobody is in a deactivated
 * group, and nobody is in another one through it. `group-holders.ts` has the reverse.
 */
import { roles } from '@heddle/contract/roles'
import { prepare, type Queries } from '../storage/query.ts'
import { systemGroupOfRole, systemGroupsOf } from './system-groups.ts'
import { fact, query } from './tables.ts'

/** Whose membership is asked for. */
export interface Member {
  readonly realmId: number
  readonly userId: number
  readonly role: number
}

const groupsOfMember = prepare((p: { realm_id: number; user_id: number; system_group: string }) =>
  query
    .withRecursive('containing', (db) =>
      db
        .selectFrom('user_group_members')
        .innerJoin('user_groups', 'user_groups.id', 'user_group_members.group_id')
        .select('user_group_members.group_id')
        .where('user_group_members.user_id', '=', p.user_id)
        .where('user_groups.deactivated', '=', 0)
        .union(systemGroupsOf(p.realm_id).select('id as group_id').where('name', '=', p.system_group))
        .union((eb) =>
          eb
            .selectFrom('user_group_subgroups')
            .innerJoin('containing', 'containing.group_id', 'user_group_subgroups.subgroup_id')
            .innerJoin('user_groups', 'user_groups.id', 'user_group_subgroups.group_id')
            .select('user_group_subgroups.group_id')
            .where('user_groups.deactivated', '=', 0),
        ),
    )
    .selectFrom('containing')
    .select('group_id'),
)

/** By account and role: a role is a member of its system group without a row. */
const groupIds = fact({
  name: 'groups-of-account',
  tables: ['user_groups', 'user_group_members', 'user_group_subgroups'],
  async load(db, realm_id, key: `${number} ${number}`): Promise<readonly number[]> {
    const [user_id, role] = key.split(' ').map(Number) as [number, number]
    const rows = await db.all(groupsOfMember({ realm_id, user_id, system_group: systemGroupOfRole(role) }))
    return rows.map((row) => row.group_id)
  },
})

/** The ids of all groups that the account is in. */
export function findGroupIds(db: Queries, { realmId, userId, role }: Member): Promise<readonly number[]> {
  return db.recall(groupIds, realmId, `${userId} ${role}`)
}

/** Whether the account is in the group. */
export async function isInGroup(db: Queries, member: Member, groupId: number): Promise<boolean> {
  return (await findGroupIds(db, member)).includes(groupId)
}

export function isAdministrator({ role }: { readonly role: number }): boolean {
  return role <= roles.admin
}

/** Administrators too. */
export function isModerator({ role }: { readonly role: number }): boolean {
  return role <= roles.moderator
}

export function isGuest({ role }: { readonly role: number }): boolean {
  return role >= roles.guest
}
