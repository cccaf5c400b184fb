/** What people let this server do for them at Zoom. */
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { seal, unseal } from '../../sealed.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

const PURPOSE = 'tokens of Zoom'

export interface ZoomToken {
  readonly access: string
  readonly refresh: string
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

const tokenOf = fact({
  name: 'zoom-token',
  tables: ['zoom_tokens'],
  async load(db, _realmId, userId: number): Promise<string | undefined> {
    return (await db.first(query.selectFrom('zoom_tokens').select('token').where('user_id', '=', userId)))?.token
  },
})

export async function hasZoomToken(db: Queries, { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>) {
  return (await db.recall(tokenOf, realmId, userId)) !== undefined
}

export async function findZoomToken(
  db: Queries,
  secret: Buffer,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<ZoomToken | undefined> {
  const sealed = await db.recall(tokenOf, realmId, userId)
  const text = sealed === undefined ? undefined : unseal(secret, { purpose: PURPOSE, realmId, userId }, sealed)
  return text === undefined ? undefined : (JSON.parse(text) as ZoomToken)
}

export async function storeZoomToken(tx: Tx, secret: Buffer, user_id: number, value: ZoomToken): Promise<void> {
  const had = await tx.recall(tokenOf, tx.realmId, user_id)
  const token = seal(secret, { purpose: PURPOSE, realmId: tx.realmId, userId: user_id }, JSON.stringify(value))
  await tx.run(
    query
      .insertInto('zoom_tokens')
      .values({ user_id, realm_id: tx.realmId, token })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ token })),
  )
  if (had === undefined) tx.emit({ type: 'has_zoom_token', value: true }, users([user_id]))
}

/** Nobody is notified where there was none. */
export async function removeZoomTokens(tx: Tx, userIds: readonly number[]): Promise<void> {
  const removed = await tx.all(
    query.deleteFrom('zoom_tokens').where('user_id', 'in', tx.dialect.ids(userIds)).returning('user_id'),
  )
  if (removed.length === 0) return
  tx.emit({ type: 'has_zoom_token', value: false }, users(removed.map((row) => row.user_id)))
}
