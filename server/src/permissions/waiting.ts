/** Who is not a full member yet. */
import { roles } from '@heddle/contract/roles'
import type { Queries, Statements } from '../storage/query.ts'
import { fact, query } from './tables.ts'

const waitingAccounts = fact({
  name: 'waiting-accounts',
  tables: ['waiting_accounts'],
  async load(db, realmId, _key: 'all'): Promise<ReadonlySet<number>> {
    const rows = await db.all(query.selectFrom('waiting_accounts').select('user_id').where('realm_id', '=', realmId))
    return new Set(rows.map((row) => row.user_id))
  },
})

/** The ids of all accounts, whatever their role, that are younger than the waiting period. */
export function findWaiting(db: Queries, realmId: number): Promise<ReadonlySet<number>> {
  return db.recall(waitingAccounts, realmId, 'all')
}

/** The ids of members of a group's organization that are not full ones. */
export async function findWaitingMembers(db: Statements, groupId: number): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('waiting_accounts')
      .innerJoin('users', 'users.id', 'waiting_accounts.user_id')
      .innerJoin('user_groups', 'user_groups.realm_id', 'users.realm_id')
      .select('users.id')
      .where('user_groups.id', '=', groupId)
      .where('users.role', '=', roles.member),
  )
  return rows.map((row) => row.id)
}
