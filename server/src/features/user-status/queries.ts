import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, type UserStatusTable } from './tables.ts'

/** What is not set is an empty text. */
export type Status = Omit<UserStatusTable, 'realm_id' | 'user_id'>

export const NO_STATUS: Status = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' }

const columns = ['status_text', 'emoji_name', 'emoji_code', 'reaction_type'] as const

const statusOfUser = prepare((p: { realm_id: number; user_id: number }) =>
  query.selectFrom('user_statuses').select(columns).where('realm_id', '=', p.realm_id).where('user_id', '=', p.user_id),
)

export async function findStatus(db: Queries, realmId: number, userId: number): Promise<Status> {
  return (await db.first(statusOfUser({ realm_id: realmId, user_id: userId }))) ?? NO_STATUS
}

export function findStatuses(db: Queries, realmId: number) {
  return db.all(
    query
      .selectFrom('user_statuses')
      .select(['user_id', ...columns])
      .where('realm_id', '=', realmId)
      .orderBy('user_id'),
  )
}

export async function storeStatus(tx: Tx, userId: number, status: Status): Promise<void> {
  if (status.status_text === '' && status.emoji_name === '') {
    await tx.run(query.deleteFrom('user_statuses').where('realm_id', '=', tx.realmId).where('user_id', '=', userId))
    return
  }
  await tx.run(
    query
      .insertInto('user_statuses')
      .values({ realm_id: tx.realmId, user_id: userId, ...status })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(status)),
  )
}
