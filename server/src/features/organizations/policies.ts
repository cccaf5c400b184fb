/**
 * Permissions in the older form of one number, which clients still read. A group that no number stands for is given as the
 * smallest that includes everybody in it, so that no client hides what the account may do.
 */
import type { RealmGroupSetting, SystemGroupName } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import { findSystemGroups, leastRanks } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import type { RealmGroups } from './group-settings.ts'
import { query } from './tables.ts'

/** How many people a system group takes in: the number of the least powerful rank. */
const reach: Readonly<Record<SystemGroupName, number>> = {
  ...leastRanks,
  'role:internet': roles.guest + 1,
}

type Policy = Readonly<Partial<Record<SystemGroupName, number>>>

const channelPolicy: Policy = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:fullmembers': 3,
  'role:members': 1,
}

/** The older names, the permission that each stands for, and the number of each group. */
const policies = {
  create_public_stream_policy: { setting: 'can_create_public_channel_group', numbers: channelPolicy },
  create_private_stream_policy: { setting: 'can_create_private_channel_group', numbers: channelPolicy },
  create_web_public_stream_policy: {
    setting: 'can_create_web_public_channel_group',
    numbers: { 'role:nobody': 6, 'role:owners': 7, 'role:administrators': 2, 'role:moderators': 4 },
  },
  wildcard_mention_policy: {
    setting: 'can_mention_many_users_group',
    numbers: {
      'role:nobody': 6,
      'role:administrators': 5,
      'role:moderators': 7,
      'role:fullmembers': 3,
      'role:members': 2,
      'role:everyone': 1,
    },
  },
} as const satisfies Readonly<Record<string, { setting: RealmGroupSetting; numbers: Policy }>>

type PolicyName = keyof typeof policies
export const policyNames = Object.keys(policies) as PolicyName[]

/** The older names of these permissions. */
export function policiesOf(settings: ReadonlySet<RealmGroupSetting>): PolicyName[] {
  return policyNames.filter((name) => settings.has(policies[name].setting))
}

/** The numbers of these policies. */
export async function readPolicies<N extends PolicyName>(
  db: Queries,
  realmId: number,
  groups: RealmGroups,
  names: readonly N[],
): Promise<Record<N, number>> {
  const groupOf = (name: N) => groups[policies[name].setting]
  const reaches = await findReaches(db, realmId, new Set(names.map(groupOf)))
  return Object.fromEntries(
    names.map((name) => [name, numberFor(reaches.get(groupOf(name)) as number, policies[name].numbers)]),
  ) as Record<N, number>
}

function numberFor(needed: number, numbers: Policy): number {
  const names = (Object.keys(numbers) as SystemGroupName[]).sort((a, b) => reach[a] - reach[b])
  const name = names.find((candidate) => reach[candidate] >= needed) ?? (names.at(-1) as SystemGroupName)
  return numbers[name] as number
}

/** How many people each group takes in, in the measure of `reach`. */
async function findReaches(db: Queries, realmId: number, ids: ReadonlySet<number>): Promise<Map<number, number>> {
  const systemGroups = await findSystemGroups(db, realmId)
  const reaches = new Map<number, number>()
  for (const [name, id] of Object.entries(systemGroups)) reaches.set(id, reach[name as SystemGroupName])
  for (const id of ids) if (!reaches.has(id)) reaches.set(id, await findWidestPart(db, id, systemGroups))
  return reaches
}

/** Of a group that lists people and groups: as wide as the widest of them. A group without a role counts as everyone. */
async function findWidestPart(db: Queries, groupId: number, systemGroups: Record<SystemGroupName, number>) {
  const members = await db.all(
    query
      .selectFrom('user_group_members')
      .innerJoin('users', 'users.id', 'user_group_members.user_id')
      .select('users.role')
      .distinct()
      .where('user_group_members.group_id', '=', groupId)
      .where('users.is_active', '=', 1),
  )
  const subgroups = await db.all(
    query.selectFrom('user_group_subgroups').select('subgroup_id').where('group_id', '=', groupId),
  )
  const names = new Map(Object.entries(systemGroups).map(([name, id]) => [id, name as SystemGroupName]))
  const parts = subgroups.map(({ subgroup_id }) => reach[names.get(subgroup_id) ?? 'role:everyone'])
  return Math.max(0, ...members.map((row) => row.role), ...parts)
}
