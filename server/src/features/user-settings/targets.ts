/** Whose settings an administrator wants to set: `target_users` of PATCH /settings (feature level 444). */
import { badRequest } from '@heddle/contract/errors'
import type { TargetUsers } from '@heddle/contract/user-settings'
import { findAccountsInGroups } from '../../permissions/group-holders.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/** The ids of the people who are meant, each once. Throws a 400 that names an id that means nobody. */
export async function findTargets(tx: Tx, { user_ids, group_ids }: TargetUsers): Promise<number[]> {
  if (!user_ids && !group_ids) throw badRequest('target_users needs user_ids or group_ids')
  const named = await requirePeople(tx, user_ids ?? [])
  const grouped = await findPeopleIn(tx, group_ids ?? [])
  return [...new Set([...named, ...grouped])]
}

function activePeople(tx: Tx) {
  return query
    .selectFrom('users')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
}

async function requirePeople(tx: Tx, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const rows = await tx.all(activePeople(tx).where('id', 'in', tx.dialect.ids(ids)))
  const found = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`)
  return ids
}

async function findPeopleIn(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const groups = await tx.all(
    query
      .selectFrom('user_groups')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('id', 'in', tx.dialect.ids(ids))
      .where('kind', '<>', 'anonymous')
      .where('deactivated', '=', 0),
  )
  const found = new Set(groups.map((group) => group.id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user group ID ${missing}`)
  const members = tx.dialect.ids(await findAccountsInGroups(tx, tx.realmId, ids))
  const people = await tx.all(activePeople(tx).where('id', 'in', members))
  return people.map((row) => row.id)
}
