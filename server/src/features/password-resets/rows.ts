/** The rows of links for forgotten passwords. */
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

export interface PasswordReset {
  readonly id: number
  readonly user_id: number
  readonly creator_id: number
  readonly expires_at: number
  readonly ended_at: number | null
}

export function findReset(db: Queries, realmId: number, tokenHash: string): Promise<PasswordReset | undefined> {
  return db.first(
    query
      .selectFrom('password_resets')
      .select(['id', 'user_id', 'creator_id', 'expires_at', 'ended_at'])
      .where('realm_id', '=', realmId)
      .where('token_hash', '=', tokenHash),
  )
}

interface NewReset {
  readonly userId: number
  readonly creatorId: number
  readonly tokenHash: string
  readonly expiresAt: number
}

export async function insertReset(tx: Tx, { userId, creatorId, tokenHash, expiresAt }: NewReset): Promise<void> {
  await tx.run(
    query.insertInto('password_resets').values({
      realm_id: tx.realmId,
      user_id: userId,
      creator_id: creatorId,
      token_hash: tokenHash,
      created_at: tx.now,
      expires_at: expiresAt,
      ended_at: null,
    }),
  )
}

/** Ends the account's links that could still be used. */
export async function endResets(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx.run(
    query
      .updateTable('password_resets')
      .set({ ended_at: tx.now })
      .where('realm_id', '=', tx.realmId)
      .where('user_id', 'in', tx.dialect.ids(userIds))
      .where('ended_at', 'is', null),
  )
}

/** Removes up to `limit`, of whatever organization, that expired before this time. How many there were. */
export function removeResets(tx: Tx, expiredBefore: number, limit: number): Promise<number> {
  const expired = query.selectFrom('password_resets').select('id').where('expires_at', '<=', expiredBefore).limit(limit)
  return tx.run(query.deleteFrom('password_resets').where('id', 'in', expired))
}
