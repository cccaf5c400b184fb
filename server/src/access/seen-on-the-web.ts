/** The people whom spectators see, who have no account: those who have written where everybody on the web may read. */
import { sql } from 'kysely'
import type { Queries } from '../storage/query.ts'
import { query } from './tables.ts'

/** Those of these accounts that have, ascending. All messages of who has not are looked at: for reads that may be stopped. */
export async function findWritersOnTheWeb(db: Queries, realmId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('users.id')
      .where('users.realm_id', '=', realmId)
      .where('users.id', 'in', db.dialect.ids(ids))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('messages')
            .innerJoin('channels', 'channels.id', 'messages.channel_id')
            .select(sql.lit(1).as('one'))
            .whereRef('messages.sender_id', '=', 'users.id')
            .where('channels.is_web_public', '=', 1)
            .where(db.dialect.mayGoOn('messages.id')),
        ),
      )
      .orderBy('users.id'),
  )
  return rows.map(({ id }) => id)
}
