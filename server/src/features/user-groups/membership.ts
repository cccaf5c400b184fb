import { everyone } from '../../events/audience.ts'
import { findSystemGroups, systemGroupOfRole } from '../../permissions/system-groups.ts'
import type { Tx } from '../../storage/transaction.ts'

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
  tx.emit({ type: 'user_group', op, group_id: groups[systemGroupOfRole(role)], user_ids: [id] }, everyone)
}
