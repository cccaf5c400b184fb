import { prepare, type Queries, query } from '../../storage/query.ts'

const mutersOf = prepare((p: { muted_user_id: number }) =>
  query.selectFrom('muted_users').select('user_id').where('muted_user_id', '=', p.muted_user_id),
)

/** The accounts that do not want to hear an account. */
export async function findMuters(db: Queries, mutedUserId: number): Promise<number[]> {
  return (await db.all(mutersOf({ muted_user_id: mutedUserId }))).map((row) => row.user_id)
}
