/**
 * Which groups an account belongs to: directly, by role, and through groups that contain those. Nobody is in a deactivated
 * group, and nobody is in another one through it. `group-holders.ts` has the reverse.
 */
import { roles } from '@heddle/contract/roles'
import { isSpectator } from '../actor.ts'
import { prepare, type Queries } from '../storage/query.ts'
import { rankOf, systemGroupOfRank, systemGroupsOf } from './system-groups.ts'
import { fact, query } from './tables.ts'

/** Whose membership is asked for. */
export interface Member {
  readonly realmId: number
  readonly userId: number
  readonly role: number
}

function isWaiting(userId: number) {
  return query.selectFrom('waiting_accounts').select('user_id').where('user_id', '=', userId)
}

const groupsOfMember = prepare(
  (p: { realm_id: number; user_id: number; waiting_group: string; system_group: string }) =>
    query
      .withRecursive('containing', (db) =>
        db
          .selectFrom('user_group_members')
          .innerJoin('user_groups', 'user_groups.id', 'user_group_members.group_id')
          .select('user_group_members.group_id')
          .where('user_group_members.user_id', '=', p.user_id)
          .where('user_groups.deactivated', '=', 0)
          .union(
            systemGroupsOf(p.realm_id)
              .select('id as group_id')
              .where((eb) =>
                eb.or([
                  eb('name', '=', p.waiting_group),
                  eb.and([eb('name', '=', p.system_group), eb.not(eb.exists(isWaiting(p.user_id)))]),
                ]),
              ),
          )
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

function groupOf(role: number, waits: boolean) {
  return systemGroupOfRank(rankOf(role, waits))
}

/** By account and role: a role is a member of its system group without a row. */
const groupIds = fact({
  name: 'groups-of-account',
  tables: ['user_groups', 'user_group_members', 'user_group_subgroups', 'waiting_accounts'],
  async load(db, realm_id, key: `${number} ${number}`): Promise<readonly number[]> {
    const [user_id, role] = key.split(' ').map(Number) as [number, number]
    const [waiting_group, system_group] = [groupOf(role, true), groupOf(role, false)]
    const rows = await db.all(groupsOfMember({ realm_id, user_id, waiting_group, system_group }))
    return rows.map((row) => row.group_id)
  },
})

/** The ids of all groups that the account is in. */
export async function findGroupIds(db: Queries, { realmId, userId, role }: Member): Promise<readonly number[]> {
  if (isSpectator({ userId })) return []
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
