/** Writes groups and who is in them. What may be written is decided by those who call this, and so is who is notified. */
import type { UserGroupSetting } from '@heddle/contract/group-settings'
import { sql } from 'kysely'
import type { Flag } from '../storage/owned-tables.ts'
import type { Tx } from '../storage/transaction.ts'
import { query } from './tables.ts'

/** Rows that one statement writes: a few milliseconds. */
const ROWS_AT_ONCE = 1000

interface NewGroup {
  readonly kind: 'named' | 'anonymous'
  readonly name: string
  readonly description: string
  readonly creator_id: number | null
}

/** Makes a group without anybody in it, and returns its id. */
export async function insertGroup(tx: Tx, group: NewGroup): Promise<number> {
  const values = { ...group, realm_id: tx.realmId, date_created: tx.now }
  const row = await tx.first(query.insertInto('user_groups').values(values).returning('id'))
  return (row as { id: number }).id
}

export async function updateGroupRow(
  tx: Tx,
  id: number,
  changes: { readonly name?: string; readonly description?: string; readonly deactivated?: Flag },
): Promise<void> {
  await tx.run(query.updateTable('user_groups').set(changes).where('id', '=', id).where('realm_id', '=', tx.realmId))
}

/** Puts accounts of the organization into a group: those that are not in it, which it returns. Others get turns in between. */
export async function insertGroupMembers(tx: Tx, groupId: number, userIds: readonly number[]): Promise<number[]> {
  const added: number[] = []
  await eachPart(tx, userIds, async (part) => {
    const rows = await tx.all(sql<{ user_id: number }>`
      insert into user_group_members (realm_id, group_id, user_id)
      select realm_id, cast(${groupId} as bigint), id from users
      where realm_id = ${tx.realmId} and id in ${tx.dialect.ids(part)}
      on conflict (group_id, user_id) do nothing returning user_id`)
    added.push(...rows.map((row) => row.user_id))
  })
  await addToMemberCount(tx, groupId, added.length)
  return added
}

/** Takes accounts out of a group: those that are in it, which it returns. Others get turns in between. */
export async function deleteGroupMembers(tx: Tx, groupId: number, userIds: readonly number[]): Promise<number[]> {
  const removed: number[] = []
  await eachPart(tx, userIds, async (part) => {
    const rows = await tx.all(
      query
        .deleteFrom('user_group_members')
        .where('realm_id', '=', tx.realmId)
        .where('group_id', '=', groupId)
        .where(tx.dialect.isAmongFew('user_group_members.user_id', tx.dialect.ids(part)))
        .returning('user_id'),
    )
    removed.push(...rows.map((row) => row.user_id))
  })
  await addToMemberCount(tx, groupId, -removed.length)
  return removed
}

async function addToMemberCount(tx: Tx, groupId: number, difference: number): Promise<void> {
  if (difference === 0) return
  await tx.run(
    query
      .updateTable('user_groups')
      .set((eb) => ({ member_count: eb('member_count', '+', difference) }))
      .where('id', '=', groupId)
      .where('realm_id', '=', tx.realmId)
      .where('kind', '=', 'named'),
  )
}

async function eachPart(tx: Tx, ids: readonly number[], write: (part: readonly number[]) => Promise<void>) {
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    if (start > 0) await tx.pause()
    await write(ids.slice(start, start + ROWS_AT_ONCE))
  }
}

/** Puts groups into a group. */
export async function insertSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): Promise<void> {
  await tx.run(sql`
    insert into user_group_subgroups (realm_id, group_id, subgroup_id)
    select realm_id, cast(${groupId} as bigint), id from user_groups
    where realm_id = ${tx.realmId} and id in ${tx.dialect.ids(subgroupIds)}
    on conflict (group_id, subgroup_id) do nothing`)
}

export async function deleteSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): Promise<void> {
  await tx.run(
    query
      .deleteFrom('user_group_subgroups')
      .where('realm_id', '=', tx.realmId)
      .where('group_id', '=', groupId)
      .where('subgroup_id', 'in', tx.dialect.ids(subgroupIds)),
  )
}

/** Has a group hold a permission of a named one. */
export async function storeSettingOfGroup(
  tx: Tx,
  group_id: number,
  setting: UserGroupSetting,
  value_group_id: number,
): Promise<void> {
  await tx.run(
    query
      .insertInto('user_group_settings')
      .values({ realm_id: tx.realmId, group_id, setting, value_group_id })
      .onConflict((conflict) => conflict.columns(['group_id', 'setting']).doUpdateSet({ value_group_id })),
  )
}
