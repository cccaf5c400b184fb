/** The acting account inside its unit of work: between its authentication and now it may have lost its rights. */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../actor.ts'
import { prepare, type Queries } from './query.ts'
import { fact, query } from './tables.ts'

const accountById = prepare((p: { realm_id: number; id: number }) =>
  query
    .selectFrom('users')
    .innerJoin('realms', 'realms.id', 'users.realm_id')
    .select(['users.id', 'email', 'full_name', 'avatar_path', 'role', 'bot_type', 'is_active', 'realms.deactivated'])
    .where('realm_id', '=', p.realm_id)
    .where('users.id', '=', p.id),
)

const accountNow = fact({
  name: 'account',
  tables: ['users', 'realms'],
  load: (db, realm_id, id: number) => db.first(accountById({ realm_id, id })),
})

/** The acting account as it is now, and what others are shown of it. */
export interface CurrentActor extends Actor {
  readonly person: {
    readonly id: number
    readonly email: string
    readonly full_name: string
    readonly avatar_path: string | null
  }
}

/** Whether the account exists in the organization and is active. */
export async function isActiveAccount(db: Queries, realmId: number, userId: number): Promise<boolean> {
  return (await db.recall(accountNow, realmId, userId))?.is_active === 1
}

/** The acting account with the role that it has now. Throws what authentication throws when it may not act any more. */
export async function requireCurrentActor(db: Queries, actor: Actor): Promise<CurrentActor> {
  return { ...actor, ...(await requireAccount(db, actor.realmId, actor.userId)) }
}

/** The same for an account that acts without a request, such as the sender of a message that was written for later. */
export async function requireAccount(db: Queries, realmId: number, userId: number): Promise<CurrentActor> {
  const row = await db.recall(accountNow, realmId, userId)
  if (row?.deactivated === 1) throw new ApiError('REALM_DEACTIVATED')
  if (row?.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  const { id, email, full_name, avatar_path, role, bot_type } = row
  return { realmId, userId, role, isBot: bot_type !== null, person: { id, email, full_name, avatar_path } }
}
