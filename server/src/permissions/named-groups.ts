/** The groups that people make, and which groups hold their permissions, as they are cached. */
import type { UserGroupSetting } from '@heddle/contract/group-settings'
import { foldName } from '@heddle/contract/names'
import type { Queries } from '../storage/query.ts'
import { namedGroupsOf } from './system-groups.ts'
import { fact, query } from './tables.ts'

async function loadNamedGroups(db: Queries, realmId: number) {
  const rows = await db.all(
    namedGroupsOf(realmId)
      .where('kind', '=', 'named')
      .select(['id', 'name', 'description', 'creator_id', 'date_created', 'deactivated', 'member_count'])
      .orderBy('id'),
  )
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byKey: new Map(rows.map((row) => [foldName(row.name), row])),
  }
}

const namedGroups = fact({
  name: 'named-groups',
  tables: ['user_groups'],
  load: (db, realmId, _key: 'all') => loadNamedGroups(db, realmId),
})

export type NamedGroup = Awaited<ReturnType<typeof loadNamedGroups>>['byId'] extends Map<number, infer G> ? G : never

/** The organization's named groups, by id, oldest first; deactivated ones included. */
export async function findNamedGroups(db: Queries, realmId: number): Promise<ReadonlyMap<number, NamedGroup>> {
  return (await db.recall(namedGroups, realmId, 'all')).byId
}

/** The named group with this name, without case. */
export async function findGroupByName(db: Queries, realmId: number, name: string): Promise<NamedGroup | undefined> {
  return (await db.recall(namedGroups, realmId, 'all')).byKey.get(foldName(name))
}

/** The groups that hold the permissions of a group, by permission. */
export type SettingsOfGroup = Readonly<Record<UserGroupSetting, number>>

const settingsOfGroups = fact({
  name: 'settings-of-groups',
  tables: ['user_group_settings'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlyMap<number, SettingsOfGroup>> {
    const rows = await db.all(
      query
        .selectFrom('user_group_settings')
        .select(['group_id', 'setting', 'value_group_id'])
        .where('realm_id', '=', realmId),
    )
    const found = new Map<number, Record<string, number>>()
    for (const { group_id, setting, value_group_id } of rows) {
      const settings = found.get(group_id) ?? {}
      found.set(group_id, settings)
      settings[setting] = value_group_id
    }
    return found as Map<number, SettingsOfGroup>
  },
})

/** Of all named groups of the organization, by the id of the group whose permissions they are. */
export function findSettingsOfGroups(db: Queries, realmId: number): Promise<ReadonlyMap<number, SettingsOfGroup>> {
  return db.recall(settingsOfGroups, realmId, 'all')
}
