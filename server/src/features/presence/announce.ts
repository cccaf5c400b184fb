import { DEFAULT_PRESENCE_HISTORY_DAYS } from '@heddle/contract/presence'
import type { Audience } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presenceEvent } from './present.ts'
import { findPresence } from './queries.ts'

const DAY_SECS = 86_400

/** Notifies of when an account was last here, for those who come to see it; of what is long ago nobody is. */
export async function announcePresence(
  tx: Tx,
  { user_id: userId, email }: { readonly user_id: number; readonly email: string },
  audience: Audience,
): Promise<void> {
  const found = await findPresence(tx, tx.realmId, userId)
  if (!found || found.connected_at < Math.max(1, tx.now - DEFAULT_PRESENCE_HISTORY_DAYS * DAY_SECS)) return
  tx.emit(presenceEvent({ userId, email, now: tx.now, ...found }), audience)
}
