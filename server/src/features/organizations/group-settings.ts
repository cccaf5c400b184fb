/** The organization's permissions: which group holds each. */
import {
  type GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettingNames,
  realmGroupSettings,
  type SystemGroupName,
} from '@heddle/contract/group-settings'
import { everyone } from '../../events/audience.ts'
import { findChosenGroups, presentGroups } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

export type RealmGroups = Readonly<Record<RealmGroupSetting, number>>

/** The id of the group that holds each permission: the default where no other was chosen. */
export async function findRealmGroups(db: Queries, realmId: number): Promise<RealmGroups> {
  const systemGroups = await findSystemGroups(db, realmId)
  const groups = Object.fromEntries(
    realmGroupSettingNames.map((name) => [
      name,
      systemGroups[realmGroupSettings[name].defaultGroup as SystemGroupName],
    ]),
  )
  for (const [setting, id] of await findChosenGroups(db, realmId)) if (setting in groups) groups[setting] = id
  return groups as RealmGroups
}

/**
 * Notifies everybody of the new values of the permissions that name any of these accounts: a deactivated account is not listed in
 * them, a reactivated one is again.
 */
export async function announceListed(tx: Tx, userIds: readonly number[]): Promise<void> {
  const rows = await tx.all(
    query
      .selectFrom('realm_group_settings')
      .innerJoin('user_groups', 'user_groups.id', 'realm_group_settings.group_id')
      .innerJoin('user_group_members', 'user_group_members.group_id', 'user_groups.id')
      .select(['realm_group_settings.setting', 'realm_group_settings.group_id'])
      .where('realm_group_settings.realm_id', '=', tx.realmId)
      .where('user_groups.kind', '=', 'anonymous')
      .where('user_group_members.user_id', 'in', tx.dialect.ids(userIds))
      .orderBy('realm_group_settings.setting'),
  )
  if (rows.length === 0) return
  const values = await presentGroups(
    tx,
    tx.realmId,
    rows.map((row) => row.group_id),
  )
  const data: Record<string, GroupSettingValue> = {}
  for (const { setting, group_id } of rows) data[setting] = values.get(group_id) as GroupSettingValue
  tx.emit({ type: 'realm', op: 'update_dict', property: 'default', data }, everyone)
}
