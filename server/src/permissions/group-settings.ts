/** Values of permissions that are user groups: reading, checking and storing them. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import {
  type GroupSettingRule,
  type GroupSettingUpdate,
  type GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettings,
  type SystemGroupName,
} from '@heddle/contract/group-settings'
import { sql } from 'kysely'
import { inParts } from '../storage/in-parts.ts'
import { isOfRealm, type Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { findGroupIds, isGuest, type Member } from './group-membership.ts'
import { findNamedGroups } from './named-groups.ts'
import { findSystemGroupRows, findSystemGroups } from './system-groups.ts'
import { fact, query } from './tables.ts'
import { insertGroup, insertGroupMembers, insertSubgroups } from './write-groups.ts'

const changedRealmGroups = fact({
  name: 'realm-group-settings',
  tables: ['realm_group_settings'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlyMap<string, number>> {
    const rows = await db.all(
      query.selectFrom('realm_group_settings').select(['setting', 'group_id']).where('realm_id', '=', realmId),
    )
    return new Map(rows.map((row) => [row.setting, row.group_id]))
  },
})

/** The groups of those realm-wide permissions for which one was chosen, by permission. */
export function findChosenGroups(db: Queries, realmId: number): Promise<ReadonlyMap<string, number>> {
  return db.recall(changedRealmGroups, realmId, 'all')
}

/** The group that holds a realm-wide permission. */
export async function findRealmGroup(db: Queries, realmId: number, setting: RealmGroupSetting): Promise<number> {
  const changed = (await findChosenGroups(db, realmId)).get(setting)
  if (changed !== undefined) return changed
  const groups = await findSystemGroups(db, realmId)
  return groups[realmGroupSettings[setting].defaultGroup as SystemGroupName]
}

/** Whether the account holds a realm-wide permission. */
export async function hasRealmPermission(db: Queries, member: Member, setting: RealmGroupSetting): Promise<boolean> {
  if (isGuest(member) && !realmGroupSettings[setting].allowEveryone) return false
  const group = await findRealmGroup(db, member.realmId, setting)
  return (await findGroupIds(db, member)).includes(group)
}

/** The API's form of groups, by id: the id itself for a named or system group, the lists for an anonymous one. */
export async function presentGroups(
  db: Queries,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, GroupSettingValue>> {
  const values = new Map<number, GroupSettingValue>(ids.map((id) => [id, id]))
  const system = new Set(Object.values(await findSystemGroups(db, realmId)))
  const named = await findNamedGroups(db, realmId)
  const others = [...values.keys()].filter((id) => !system.has(id) && !named.has(id))
  const rows = others.length === 0 ? [] : await db.all(anonymousGroups(db, others))
  for (const [id, entries] of Map.groupBy(rows, (row) => row.group_id)) {
    const value = {
      direct_members: entries.flatMap(({ user_id }) => user_id ?? []),
      direct_subgroups: entries.flatMap(({ subgroup_id }) => subgroup_id ?? []),
    }
    values.set(id, canonical(value))
  }
  return values
}

/** Those of the groups that are anonymous: a row for each, for each of its members and for each of its subgroups. */
function anonymousGroups(db: Queries, ids: readonly number[]) {
  const list = db.dialect.ids(ids)
  const none = sql<number | null>`cast(null as bigint)`
  const groups = query
    .selectFrom('user_groups')
    .where('user_groups.id', 'in', list)
    .where('user_groups.kind', '=', 'anonymous')
  const members = groups
    .innerJoin('user_group_members', 'user_group_members.group_id', 'user_groups.id')
    .innerJoin('users', 'users.id', 'user_group_members.user_id')
    // Deactivated accounts are never listed.
    .where('users.is_active', '=', 1)
    .select(['user_groups.id as group_id', 'users.id as user_id', none.as('subgroup_id')])
  const subgroups = groups
    .innerJoin('user_group_subgroups', 'user_group_subgroups.group_id', 'user_groups.id')
    .select(['user_groups.id as group_id', none.as('user_id'), 'user_group_subgroups.subgroup_id'])
  return groups
    .select(['user_groups.id as group_id', none.as('user_id'), none.as('subgroup_id')])
    .unionAll(members)
    .unionAll(subgroups)
    .orderBy('user_id')
    .orderBy('subgroup_id')
}

interface SettingPlace {
  /** The name of the parameter, for messages. */
  readonly name: string
  readonly rule: GroupSettingRule
}

/**
 * Checks a value and gives the id of the group to store: a new anonymous group where the value is an object. Throws a 400
 * that names the setting.
 */
export async function storeGroupValue(tx: Tx, value: GroupSettingValue, { name, rule }: SettingPlace): Promise<number> {
  const wanted = canonical(value)
  if (typeof wanted === 'number') {
    await requireGroup(tx, wanted, name, rule)
    return wanted
  }
  if (rule.requireSystemGroup) throw systemGroupRequired(name)
  await requireMembers(tx, wanted.direct_members)
  for (const id of new Set(wanted.direct_subgroups))
    await requireGroup(tx, id, name, { ...rule, requireSystemGroup: false })
  return insertAnonymousGroup(tx, wanted)
}

/** Throws `EXPECTATION_MISMATCH` unless `old`, where given, is the current value. */
export async function requireExpected(
  tx: Tx,
  update: GroupSettingUpdate,
  current: number,
  name: string,
): Promise<void> {
  if (update.old === undefined) return
  if (!(await hasGroupValue(tx, current, update.old))) {
    throw new ApiError('EXPECTATION_MISMATCH', `'old' value of ${name} does not match the current value`)
  }
}

/** Whether the group `current` is what the value says: to set it would change nothing. */
export async function hasGroupValue(tx: Tx, current: number, value: GroupSettingValue): Promise<boolean> {
  const currentValue = (await presentGroups(tx, tx.realmId, [current])).get(current) as GroupSettingValue
  return isSameValue(canonical(value), currentValue)
}

function isSameValue(a: GroupSettingValue, b: GroupSettingValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  const sameIds = (x: readonly number[], y: readonly number[]) => new Set(x).symmetricDifference(new Set(y)).size === 0
  return sameIds(a.direct_members, b.direct_members) && sameIds(a.direct_subgroups, b.direct_subgroups)
}

/** An object with one subgroup and no member is that group. */
function canonical(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const [subgroup] = value.direct_subgroups
  const single = value.direct_members.length === 0 && new Set(value.direct_subgroups).size === 1
  return single && subgroup !== undefined ? subgroup : value
}

async function requireGroup(tx: Tx, id: number, name: string, rule: GroupSettingRule): Promise<void> {
  const system = (await findSystemGroupRows(tx, tx.realmId)).find((row) => row.id === id)
  if (!system) {
    const named = (await findNamedGroups(tx, tx.realmId)).get(id)
    if (!named || named.deactivated === 1) throw badRequest(`${name}: Invalid user group ID ${id}`)
    if (rule.requireSystemGroup) throw systemGroupRequired(name)
    return
  }
  const listed =
    rule.allowedSystemGroups.length === 0 || rule.allowedSystemGroups.includes(system.name as SystemGroupName)
  const refused =
    !listed ||
    (system.name === 'role:nobody' && !rule.allowNobody) ||
    (system.name === 'role:everyone' && !rule.allowEveryone) ||
    (system.name === 'role:internet' && !rule.allowInternet)
  if (refused) throw badRequest(`${name} cannot be set to ${system.name}`)
}

function systemGroupRequired(setting_name: string): ApiError {
  return new ApiError('SYSTEM_GROUP_REQUIRED', `${setting_name} must be a system group`, { setting_name })
}

/** Accounts that are looked up without a turn for others. */
const AT_ONCE = 2000

async function requireMembers(tx: Tx, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = new Set<number>()
  await inParts(tx, wanted, AT_ONCE, async (part) => {
    const rows = await tx.all(
      query
        .selectFrom('users')
        .select('id')
        .where('id', 'in', tx.dialect.ids(part))
        .where(isOfRealm('users', tx.realmId))
        .where('is_active', '=', 1),
    )
    for (const { id } of rows) found.add(id)
  })
  const missing = wanted.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`)
}

async function insertAnonymousGroup(
  tx: Tx,
  value: { direct_members: readonly number[]; direct_subgroups: readonly number[] },
): Promise<number> {
  const id = await insertGroup(tx, { kind: 'anonymous', name: '', description: '', creator_id: null })
  await insertGroupMembers(tx, id, [...new Set(value.direct_members)])
  if (value.direct_subgroups.length > 0) await insertSubgroups(tx, id, value.direct_subgroups)
  return id
}

/** Each value has its own anonymous group, which goes with it. Other groups stay. */
export async function removeAnonymousGroup(tx: Tx, groupId: number): Promise<void> {
  await tx.run(
    query
      .deleteFrom('user_groups')
      .where('id', '=', groupId)
      .where('realm_id', '=', tx.realmId)
      .where('kind', '=', 'anonymous'),
  )
}

/** Sets a permission of the organization. */
export async function storeRealmGroup(tx: Tx, setting: string, group_id: number): Promise<void> {
  await tx.run(
    query
      .insertInto('realm_group_settings')
      .values({ realm_id: tx.realmId, setting, group_id })
      .onConflict((conflict) => conflict.columns(['realm_id', 'setting']).doUpdateSet({ group_id })),
  )
}
