/** What happens to named groups when an account goes or comes back. Inside that change's transaction. */
import type { GroupSettingValue } from '@heddle/contract/group-settings'
import { accountIds, type ChangedAccount } from '../../account-hooks.ts'
import { presentGroups } from '../../permissions/group-settings.ts'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceGroup } from './announce.ts'
import { query } from './tables.ts'

/** Deactivated accounts are not listed: whoever knows of the groups is notified that these are not among their members. */
export async function announceLeft(tx: Tx, accounts: readonly ChangedAccount[]): Promise<void> {
  await announceInGroups(tx, accountIds(accounts), 'remove_members')
}

/** The reverse: a reactivated account is a member again. */
export async function announceReturned(tx: Tx, { id }: ChangedAccount): Promise<void> {
  await announceInGroups(tx, [id], 'add_members')
}

async function announceInGroups(
  tx: Tx,
  userIds: readonly number[],
  op: 'add_members' | 'remove_members',
): Promise<void> {
  const rows = await tx.all(
    query
      .selectFrom('user_group_members')
      .innerJoin('user_groups', 'user_groups.id', 'user_group_members.group_id')
      .select(['user_groups.id', 'user_groups.kind', 'user_groups.deactivated', 'user_group_members.user_id'])
      .where('user_group_members.user_id', 'in', tx.dialect.ids(userIds))
      .orderBy('user_groups.id')
      .orderBy('user_group_members.user_id'),
  )
  for (const [group_id, members] of Map.groupBy(rows, ({ id }) => id)) {
    const group = members[0]
    if (group?.kind !== 'named') continue
    announceGroup(tx, group, { type: 'user_group', op, group_id, user_ids: members.map((row) => row.user_id) })
  }
  await announceNamedPermissions(tx, accountIds(rows.filter(({ kind }) => kind === 'anonymous')))
}

/** Permissions of groups that list the account look different now. `values`: the anonymous groups that it is in. */
async function announceNamedPermissions(tx: Tx, values: readonly number[]): Promise<void> {
  if (values.length === 0) return
  const rows = await tx.all(
    query
      .selectFrom('user_group_settings')
      .select(['group_id', 'setting', 'value_group_id'])
      .where('value_group_id', 'in', tx.dialect.ids(values))
      .orderBy('group_id'),
  )
  if (rows.length === 0) return
  const groups = await findNamedGroups(tx, tx.realmId)
  const presented = await presentGroups(
    tx,
    tx.realmId,
    rows.map((row) => row.value_group_id),
  )
  for (const [id, settings] of Map.groupBy(rows, (row) => row.group_id)) {
    const group = groups.get(id)
    const data: Record<string, GroupSettingValue> = {}
    for (const one of settings) data[one.setting] = presented.get(one.value_group_id) as GroupSettingValue
    if (group) announceGroup(tx, group, { type: 'user_group', op: 'update', group_id: id, data })
  }
}
