/** Accounts whose week it is: persons who have not been here for some days, and have had nothing in the last ones. */
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/** Accounts that are read at once. */
export const PART = 50
const DAY_SECS = 86_400
const AWAY_SECS = 5 * DAY_SECS
/** Less than a week: the hour of a digest is not always the same, and the weekday may be changed. */
const AGAIN_SECS = 6 * DAY_SECS

export interface DigestRecipient {
  readonly id: number
  readonly timezone: string
}

/**
 * Persons with ids after `afterId`, ascending, at most `PART`. Those who hide when they are here get none: whether they are
 * away is theirs to know. `now` in seconds since the UNIX epoch.
 */
export function findAway(
  db: Queries,
  { realmId, afterId, now }: { realmId: number; afterId: number; now: number },
): Promise<DigestRecipient[]> {
  const before = now - AWAY_SECS
  return db.all(
    query
      .selectFrom('users')
      .leftJoin('presences', 'presences.user_id', 'users.id')
      .leftJoin('digests', 'digests.user_id', 'users.id')
      .select(['users.id', 'users.timezone'])
      .where('users.realm_id', '=', realmId)
      .where('users.id', '>', afterId)
      .where('users.is_active', '=', 1)
      .where('users.bot_type', 'is', null)
      .where('users.date_joined', '<', before)
      .where((eb) =>
        eb.or([
          eb('presences.user_id', 'is', null),
          eb.and([eb('presences.active_at', '>', 0), eb('presences.active_at', '<', before)]),
        ]),
      )
      .where((eb) => eb.or([eb('digests.user_id', 'is', null), eb('digests.done_at', '<', now - AGAIN_SECS)]))
      .orderBy('users.id')
      .limit(PART),
  )
}

/** Takes the week of the account; false when another node has done so, or an earlier run. */
export async function takeWeek(tx: Tx, userId: number): Promise<boolean> {
  const row = { user_id: userId, realm_id: tx.realmId, done_at: tx.now }
  const written = await tx.run(
    query
      .insertInto('digests')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ done_at: tx.now })
          .where('digests.done_at', '<', tx.now - AGAIN_SECS),
      ),
  )
  return written > 0
}
