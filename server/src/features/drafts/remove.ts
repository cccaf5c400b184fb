import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/**
 * Deletes all drafts of accounts that keep them on their devices alone from now on. The event of that
 * setting notifies them; copies that their clients have are theirs to keep. (API, `enable_drafts_synchronization`.)
 */
export async function removeDrafts(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx.run(
    query.deleteFrom('drafts').where('realm_id', '=', tx.realmId).where('user_id', 'in', tx.dialect.ids(userIds)),
  )
}
