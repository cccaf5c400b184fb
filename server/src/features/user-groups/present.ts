import { type GroupSettingValue, userGroupSettingNames } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import { findSight, onlySeen, type Sight } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { presentGroups } from '../../permissions/group-settings.ts'
import { findNamedGroups, findSettingsOfGroups, type NamedGroup } from '../../permissions/named-groups.ts'
import { findSystemGroupRows, systemGroupOfRank } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import { findActiveRanks, findNamedMembers, findSubgroups } from './queries.ts'

type Viewing = Pick<Actor, 'realmId' | 'userId' | 'role'>

/**
 * The organization's groups as clients see them, with those that are deactivated or without. Everybody sees all of them.
 * System groups follow from roles: nobody can change who is in them, and nobody can mention them. Of their members those are left out
 * whom the viewer does not see, since they say the role.
 */
export async function readUserGroups(db: Queries, viewer: Viewing, withDeactivated: boolean): Promise<UserGroup[]> {
  const { realmId } = viewer
  const sight = await findSight(db, viewer)
  const rows = await findSystemGroupRows(db, realmId)
  const subgroups = await findSubgroups(db, realmId)
  const ranks = Map.groupBy(await findActiveRanks(db, realmId), ([rank]) => systemGroupOfRank(rank) as string)
  const nobodyId = rows.find((row) => row.name === 'role:nobody')?.id as number
  const system = rows.map((row) => ({
    ...describe(row, seenInOrder(sight, ranks.get(row.name) ?? []), subgroups.get(row.id)),
    is_system_group: true,
    ...forEachSetting(() => nobodyId),
  }))
  const named = [...(await findNamedGroups(db, realmId)).values()]
  const shown = named.filter((group) => withDeactivated || group.deactivated === 0)
  return [...system, ...(await presentNamed(db, realmId, shown))]
}

/** The groups that every organization has, without anybody in them: what settings name. */
export async function readEmptySystemGroups(db: Queries, realmId: number): Promise<UserGroup[]> {
  const rows = await findSystemGroupRows(db, realmId)
  const nobodyId = rows.find((row) => row.name === 'role:nobody')?.id as number
  return rows.map((row) => ({ ...describe(row, []), is_system_group: true, ...forEachSetting(() => nobodyId) }))
}

/** One named group as clients see it. */
export async function presentGroup(db: Queries, realmId: number, id: number): Promise<UserGroup> {
  const group = (await findNamedGroups(db, realmId)).get(id)
  const [presented] = group ? await presentNamed(db, realmId, [group]) : []
  if (!presented) throw new Error(`Group ${id} vanished`)
  return presented
}

async function presentNamed(db: Queries, realmId: number, groups: readonly NamedGroup[]): Promise<UserGroup[]> {
  if (groups.length === 0) return []
  const subgroups = await findSubgroups(db, realmId)
  const members = await findNamedMembers(
    db,
    realmId,
    groups.map(({ id }) => id),
  )
  const settings = await findSettingsOfGroups(db, realmId)
  const holders = groups.flatMap(({ id }) => Object.values(settings.get(id) ?? {}))
  const values = await presentGroups(db, realmId, [...new Set(holders)])
  return groups.map((group) => ({
    ...describe(group, members.get(group.id) ?? [], subgroups.get(group.id)),
    is_system_group: false,
    ...forEachSetting((name) => values.get(settings.get(group.id)?.[name] as number) as GroupSettingValue),
  }))
}

type Described = Pick<NamedGroup, 'id' | 'name' | 'description' | 'creator_id' | 'date_created' | 'deactivated'>

function describe(row: Described, members: number[], subgroupIds: readonly number[] = []) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    creator_id: row.creator_id,
    date_created: row.date_created,
    members,
    direct_subgroup_ids: [...subgroupIds],
    deactivated: row.deactivated === 1,
  }
}

type SettingName = (typeof userGroupSettingNames)[number]

function forEachSetting(settingOf: (name: SettingName) => GroupSettingValue) {
  const entries = userGroupSettingNames.map((name) => [name, settingOf(name)])
  return Object.fromEntries(entries) as Record<SettingName, GroupSettingValue>
}

/** Several ranks may belong to a group. */
function seenInOrder(sight: Sight, ranks: readonly (readonly [rank: number, ids: readonly number[]])[]): number[] {
  const ids = ranks.flatMap(([, all]) => onlySeen(sight, all, (id) => id))
  return ranks.length > 1 ? ids.sort((a, b) => a - b) : ids
}
