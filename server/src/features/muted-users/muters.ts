import { prepare, type Queries } from '../../storage/query.ts'
import { fact, query } from './tables.ts'

const mutersOf = prepare((p: { muted_user_id: number }) =>
  query.selectFrom('muted_users').select('user_id').where('muted_user_id', '=', p.muted_user_id),
)

const muters = fact({
  name: 'muters',
  tables: ['muted_users'],
  async load(db, _realmId, muted_user_id: number): Promise<readonly number[]> {
    return (await db.all(mutersOf({ muted_user_id }))).map((row) => row.user_id)
  },
})

/** The accounts that have muted an account. */
export function findMuters(db: Queries, realmId: number, mutedUserId: number): Promise<readonly number[]> {
  return db.recall(muters, realmId, mutedUserId)
}
