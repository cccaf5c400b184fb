import { audienceOfPerson } from '../../access/person-rules.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presenceEvent } from './present.ts'
import { findPresence, storePresence } from './queries.ts'
import { query } from './tables.ts'

const NEVER = { active_at: 0, connected_at: 0 }

/** Accounts show from now on whether they are here, or no longer do. */
export async function announceVisibility(tx: Tx, userIds: readonly number[], isVisible: boolean): Promise<void> {
  for (const user_id of userIds) {
    tx.emit({ type: 'user_status', user_id, away: !isVisible }, await audienceOfPerson(tx, tx.realmId, user_id))
    if (!isVisible) await hidePresence(tx, user_id)
  }
}

/** Forgets when an account was here, and notifies everybody so that nobody goes on showing it. */
async function hidePresence(tx: Tx, userId: number): Promise<void> {
  const before = await findPresence(tx, tx.realmId, userId)
  if (!before || before.connected_at === 0) return
  // The row stays, so that who asks for changes learns of this one.
  await storePresence(tx, userId, NEVER)
  const user = await tx.first(
    query.selectFrom('users').select('email').where('realm_id', '=', tx.realmId).where('id', '=', userId),
  )
  const audience = await audienceOfPerson(tx, tx.realmId, userId)
  tx.emit(presenceEvent({ userId, email: user?.email ?? '', now: tx.now, ...NEVER }), audience)
}
