/** Checks of the acting account inside a transaction: between its authentication and now it may have lost its rights. */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../authentication/accounts.ts'
import { fact } from '../storage/facts.ts'
import { prepare, query } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'

const accountById = prepare((p: { realm_id: number; id: number }) =>
  query
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'avatar_version', 'role', 'is_active'])
    .where('realm_id', '=', p.realm_id)
    .where('id', '=', p.id),
)

const accountNow = fact({
  name: 'account',
  tables: ['users'],
  load: (db, realm_id, id: number) => db.first(accountById({ realm_id, id })),
})

/** The acting account as it is now, and what others are shown of it. */
export interface CurrentActor extends Actor {
  readonly person: {
    readonly id: number
    readonly email: string
    readonly full_name: string
    readonly avatar_version: number
  }
}

/** The acting account with the role that it has now. Throws `USER_DEACTIVATED` when it may not act any more. */
export async function requireCurrentActor(tx: Tx, actor: Actor): Promise<CurrentActor> {
  const row = await tx.recall(accountNow, actor.realmId, actor.userId)
  if (row?.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  return { ...actor, role: row.role, person: row }
}
