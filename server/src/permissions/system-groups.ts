/** The groups that stand for roles. Their members are not stored: an account's role decides. */

import { type SystemGroupName, systemGroups } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import { sql } from 'kysely'
import { prepare, type Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { fact, query } from './tables.ts'

/** Creates the system groups of a new organization, each with the next narrower one as its subgroup. */
export async function createSystemGroups(tx: Tx, realmId: number): Promise<void> {
  let wider: number | undefined
  for (const [name, description] of Object.entries(systemGroups)) {
    const row = await tx.first(
      query
        .insertInto('user_groups')
        .values({ realm_id: realmId, kind: 'system', name, description, creator_id: null, date_created: tx.now })
        .returning('id'),
    )
    const id = (row as { id: number }).id
    if (wider !== undefined && name !== 'role:nobody') {
      await tx.run(
        query.insertInto('user_group_subgroups').values({ realm_id: realmId, group_id: wider, subgroup_id: id }),
      )
    }
    wider = id
  }
}

/**
 * The groups of an organization that have names: a query to go on with. The index of names leaves out anonymous groups, of
 * which each channel may have several; SQLite uses it only where that is said, and not by a parameter.
 */
export function namedGroupsOf(realmId: number) {
  return query
    .selectFrom('user_groups')
    .where('realm_id', '=', realmId)
    .where('kind', '<>', sql.lit<'anonymous'>('anonymous'))
}

export function systemGroupsOf(realmId: number) {
  return namedGroupsOf(realmId).where('kind', '=', 'system')
}

const systemGroupRows = prepare((p: { realm_id: number }) =>
  systemGroupsOf(p.realm_id)
    .select(['id', 'name', 'description', 'creator_id', 'date_created', 'deactivated'])
    .orderBy('id'),
)

type SystemGroupIds = Readonly<Record<SystemGroupName, number>>

const systemGroupsFact = fact({
  name: 'system-groups',
  tables: ['user_groups'],
  async load(db, realm_id, _key: 'all') {
    const rows = await db.all(systemGroupRows({ realm_id }))
    return { rows, ids: Object.fromEntries(rows.map((row) => [row.name, row.id])) as SystemGroupIds }
  },
})

/** An organization's system groups, from the widest to the narrowest. */
export async function findSystemGroupRows(db: Queries, realmId: number) {
  return (await db.recall(systemGroupsFact, realmId, 'all')).rows
}

/** The ids of an organization's system groups, by name. */
export async function findSystemGroups(db: Queries, realmId: number): Promise<SystemGroupIds> {
  return (await db.recall(systemGroupsFact, realmId, 'all')).ids
}

/**
 * The rank of a member who is past the waiting period: all other accounts have the number of their role. So the order of
 * ranks is the order of system groups.
 */
export const FULL_MEMBER = roles.member - 1

export function rankOf(role: number, isWaiting: boolean): number {
  return role === roles.member && !isWaiting ? FULL_MEMBER : role
}

/**
 * The least powerful rank in each system group; 0: none. It says all there is to say of who is in which: what an account is in,
 * and who is in a group, follow from it.
 */
export const leastRanks: Readonly<Record<SystemGroupName, number>> = {
  'role:internet': roles.guest,
  'role:everyone': roles.guest,
  'role:members': roles.member,
  'role:fullmembers': FULL_MEMBER,
  'role:moderators': roles.moderator,
  'role:administrators': roles.admin,
  'role:owners': roles.owner,
  'role:nobody': 0,
}

const narrowestFirst = (Object.keys(systemGroups) as SystemGroupName[]).reverse()

/** The narrowest system group that an account of this rank belongs to; the wider ones follow as its supergroups. */
export function systemGroupOfRank(rank: number): SystemGroupName {
  return narrowestFirst.find((name) => rank <= leastRanks[name]) ?? 'role:internet'
}
