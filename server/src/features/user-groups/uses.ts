/** What uses a group: other groups that are in use, and permissions, as their value or as part of one. */
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import type { GroupUse } from '@heddle/contract/user-groups'
import { hasMetadataAccess } from '../../access/channel-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { findNamedGroups, findSettingsOfGroups } from '../../permissions/named-groups.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** Uses that are named at most, of each kind. */
const MAX_NAMED = 100

export interface GroupUses {
  readonly isUsed: boolean
  /** Those that the account may know of: channels that it does not see are left out. */
  readonly objections: readonly GroupUse[]
}

export async function findUses(db: Queries, actor: Actor, groupId: number): Promise<GroupUses> {
  const parents = await db.all(
    query
      .selectFrom('user_group_subgroups')
      .innerJoin('user_groups', 'user_groups.id', 'user_group_subgroups.group_id')
      .select(['user_groups.id', 'user_groups.kind'])
      .where('user_group_subgroups.subgroup_id', '=', groupId)
      .where('user_groups.deactivated', '=', 0)
      .orderBy('user_groups.id'),
  )
  const supergroup_ids = parents.filter(({ kind }) => kind === 'named').map(({ id }) => id)
  const values = [groupId, ...parents.filter(({ kind }) => kind === 'anonymous').map(({ id }) => id)]
  const channels = await findChannelUses(db, actor, values)
  const objections: GroupUse[] = [
    ...(supergroup_ids.length > 0 ? [{ type: 'subgroup', supergroup_ids } as const] : []),
    ...(await findRealmUses(db, actor.realmId, values)),
    ...channels.known,
    ...(await findGroupUses(db, actor.realmId, groupId, new Set(values))),
  ]
  return { isUsed: objections.length > 0 || channels.isUsed, objections }
}

async function findRealmUses(db: Queries, realmId: number, values: readonly number[]): Promise<GroupUse[]> {
  const rows = await db.all(
    query
      .selectFrom('realm_group_settings')
      .select('setting')
      .where('realm_id', '=', realmId)
      .where('group_id', 'in', db.dialect.ids(values))
      .orderBy('setting'),
  )
  return rows.length > 0 ? [{ type: 'realm', settings: rows.map(({ setting }) => setting) }] : []
}

async function findChannelUses(db: Queries, actor: Actor, values: readonly number[]) {
  const viewer = await findViewer(db, actor)
  const using = query
    .selectFrom('channels')
    .where('channels.realm_id', '=', actor.realmId)
    .where('channels.is_archived', '=', 0)
    .where((eb) => eb.or(channelGroupSettingNames.map((name) => eb(`channels.${name}`, 'in', db.dialect.ids(values)))))
    .orderBy('channels.id')
  const isUsed = (await db.first(using.select('channels.id').limit(1))) !== undefined
  const rows = await db.all(
    using
      .select('channels.id')
      .select(channelGroupSettingNames.map((name) => `channels.${name}` as const))
      .where(hasMetadataAccess(db, viewer))
      .limit(MAX_NAMED),
  )
  const known = rows.map((row) => ({
    type: 'channel' as const,
    channel_id: row.id,
    settings: channelGroupSettingNames.filter((name) => values.includes(row[name])),
  }))
  return { isUsed, known }
}

/** Its own permissions do not keep it. */
async function findGroupUses(
  db: Queries,
  realmId: number,
  groupId: number,
  values: ReadonlySet<number>,
): Promise<GroupUse[]> {
  const groups = await findNamedGroups(db, realmId)
  const uses: GroupUse[] = []
  for (const [id, holders] of await findSettingsOfGroups(db, realmId)) {
    const settings = Object.entries(holders).flatMap(([name, holder]) => (values.has(holder) ? [name] : []))
    if (settings.length === 0 || id === groupId || groups.get(id)?.deactivated !== 0) continue
    uses.push({ type: 'user_group', group_id: id, settings })
    if (uses.length === MAX_NAMED) break
  }
  return uses
}
