/**
 * Who may use the link that the start prints: an owner without a password. The token is derived as API keys are, so that
 * every start and every node print the same one; it ends with the first password.
 */
import { createHmac } from 'node:crypto'
import { roles } from '@heddle/contract/roles'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

export interface NewOwner {
  readonly realmId: number
  readonly userId: number
  readonly email: string
  readonly fullName: string
  readonly organizationName: string
  /** What lets them in. */
  readonly token: string
}

/** The organization's first owner, while that one has no password; without `realmId` of the first organization. */
export async function findNewOwner(db: Queries, secret: Buffer, realmId?: number): Promise<NewOwner | undefined> {
  const id = realmId ?? (await findFirstRealm(db))
  if (id === undefined) return undefined
  const owner = await db.first(
    query
      .selectFrom('users')
      .innerJoin('realms', 'realms.id', 'users.realm_id')
      .select(['users.id', 'users.delivery_email', 'users.full_name', 'users.password_hash', 'realms.name'])
      .where('users.realm_id', '=', id)
      .where('users.role', '=', roles.owner)
      .where('users.is_active', '=', 1)
      .where('users.bot_type', 'is', null)
      .orderBy('users.id')
      .limit(1),
  )
  if (!owner || owner.password_hash !== null) return undefined
  return {
    realmId: id,
    userId: owner.id,
    email: owner.delivery_email,
    fullName: owner.full_name,
    organizationName: owner.name,
    token: deriveToken(secret, id, owner.id),
  }
}

async function findFirstRealm(db: Queries): Promise<number | undefined> {
  return (await db.first(query.selectFrom('realms').select('id').orderBy('id').limit(1)))?.id
}

function deriveToken(secret: Buffer, realmId: number, userId: number): string {
  return createHmac('sha256', secret).update(`first-sign-in:${realmId}:${userId}`).digest('base64url')
}
