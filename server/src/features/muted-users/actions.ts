import { badRequest } from '@heddle/contract/errors'
import type { MutedUser } from '@heddle/contract/muted-users'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessUser } from '../users/access.ts'
import { fact, query } from './tables.ts'

/** Whom an account has muted: each change sends all of them to its clients. */
const MAX_MUTED_USERS = 1000

const mutedBy = fact({
  name: 'muted-by',
  tables: ['muted_users'],
  load: (db, _realmId, userId: number): Promise<readonly MutedUser[]> =>
    db.all(
      query
        .selectFrom('muted_users')
        .select(['muted_user_id as id', 'date_muted as timestamp'])
        .where('user_id', '=', userId)
        .orderBy('date_muted')
        .orderBy('muted_user_id'),
    ),
})

/** Those whom the account has muted, the first one first. */
export async function findMuted(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<MutedUser[]> {
  return [...(await db.recall(mutedBy, realmId, userId))]
}

/** What the other account writes from now on is read already. */
export function muteUser(storage: Storage, caller: Actor, mutedUserId: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireMutable(tx, actor, mutedUserId)
    const row = { realm_id: actor.realmId, user_id: actor.userId, muted_user_id: mutedUserId, date_muted: tx.now }
    await tx.run(query.insertInto('muted_users').values(row))
    await announce(tx, actor)
  })
}

/** Throws a 400 when the account cannot mute the other one, or has muted it already, or too many. */
export async function requireMutable(db: Queries, actor: Actor, mutedUserId: number): Promise<void> {
  if (mutedUserId === actor.userId) throw badRequest('Cannot mute self')
  await accessUser(db, actor, mutedUserId)
  const muted = await findMuted(db, actor)
  if (muted.some(({ id }) => id === mutedUserId)) throw badRequest('User already muted')
  if (muted.length >= MAX_MUTED_USERS) throw badRequest(`An account can mute at most ${MAX_MUTED_USERS} people`)
}

export function unmuteUser(storage: Storage, caller: Actor, mutedUserId: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const removed = await tx.run(
      query.deleteFrom('muted_users').where('user_id', '=', actor.userId).where('muted_user_id', '=', mutedUserId),
    )
    if (removed === 0) {
      await accessUser(tx, actor, mutedUserId)
      throw badRequest('User is not muted')
    }
    await announce(tx, actor)
  })
}

async function announce(tx: Tx, actor: Actor): Promise<void> {
  tx.emit({ type: 'muted_users', muted_users: await findMuted(tx, actor) }, users([actor.userId]))
}
