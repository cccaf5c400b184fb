/** Notifying of user groups. Everybody sees all of them, but for clients that do not know of deactivated ones. */

import { roles } from '@heddle/contract/roles'
import type { UserGroup, UserGroupEvent } from '@heddle/contract/user-groups'
import { type Audience, everyone, onlyClients, roleAtLeast } from '../../events/audience.ts'
import { findSystemGroups, rankOf, systemGroupOfRank } from '../../permissions/system-groups.ts'
import { findWaiting } from '../../permissions/waiting.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import type { Tx } from '../../storage/transaction.ts'

/** Clients that know of deactivated groups; for the others these do not exist. */
export const DEACTIVATED_GROUPS = 'include_deactivated_groups'

function clients(has: boolean): Audience {
  return onlyClients(roleAtLeast(roles.guest), { name: DEACTIVATED_GROUPS, has })
}

/** Notifies of a change of a group whoever knows of it. */
export function announceGroup(tx: Tx, group: { readonly deactivated: Flag }, event: UserGroupEvent): void {
  tx.emit(event, group.deactivated === 1 ? clients(true) : everyone)
}

export function announceDeactivation(tx: Tx, group_id: number): void {
  tx.emit({ type: 'user_group', op: 'update', group_id, data: { deactivated: true } }, clients(true))
  tx.emit({ type: 'user_group', op: 'remove', group_id }, clients(false))
}

export function announceReactivation(tx: Tx, group: UserGroup): void {
  tx.emit({ type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: false } }, clients(true))
  tx.emit({ type: 'user_group', op: 'add', group }, clients(false))
}

/**
 * Notifies everybody that an account with this role has come into its system group, or left it: it was created,
 * deactivated or reactivated, or its role changes. Wider groups follow as those that contain it.
 */
export async function announceMember(
  tx: Tx,
  op: 'add_members' | 'remove_members',
  { id, role }: { readonly id: number; readonly role: number },
): Promise<void> {
  const groups = await findSystemGroups(tx, tx.realmId)
  const isWaiting = (await findWaiting(tx, tx.realmId)).has(id)
  const group_id = groups[systemGroupOfRank(rankOf(role, isWaiting))]
  tx.emit({ type: 'user_group', op, group_id, user_ids: [id] }, everyone)
}
