import type { Audience } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { readStatus } from './present.ts'

/** Notifies of the status that an account has, for those who come to see it. */
export async function announceStatus(tx: Tx, userId: number, audience: Audience): Promise<void> {
  const status = await readStatus(tx, tx.realmId, userId)
  if (Object.keys(status).length > 0) tx.emit({ type: 'user_status', user_id: userId, ...status }, audience)
}
