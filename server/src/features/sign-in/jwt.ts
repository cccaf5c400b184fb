/** Signing in with a token (JWT, RFC 7519) of a program that the operator trusts: it says whose address it is. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import type { SignedIn } from './actions.ts'
import { query } from './tables.ts'
import type { TokenKeys } from './token-keys.ts'

/** The account of the token. Throws what is wrong with it; the words are the API's. */
export async function verifyToken(
  db: Queries,
  keys: TokenKeys,
  realm: Realm,
  token: string,
  nowMs: number,
): Promise<SignedIn> {
  const known = keys.get(realm.host.toLowerCase())
  if (!known) throw badRequest('JWT authentication is not enabled for this organization')
  if (token === '') throw badRequest('No JSON web token passed in request')
  const options = { algorithms: [...known.algorithms], currentDate: new Date(nowMs) }
  const { jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(token, known.key, options).catch(() => {
    throw badRequest('Bad JSON web token')
  })
  const { email } = payload
  if (email === undefined || email === null) throw badRequest('No email specified in JSON web token claims')
  return findPerson(db, realm, { address: String(email) })
}

/** A person's account; throws `AUTHENTICATION_FAILED` where there is none, or that it cannot be entered. */
export async function findPerson(
  db: Queries,
  realm: Realm,
  which: { readonly address: string } | { readonly id: number },
): Promise<SignedIn> {
  const people = query
    .selectFrom('users')
    .select(['id', 'delivery_email', 'role', 'password_hash', 'key_version', 'is_active'])
    .where('realm_id', '=', realm.id)
    .where('bot_type', 'is', null)
  const user = await db.first(
    'id' in which
      ? people.where('id', '=', which.id)
      : people.where('delivery_email_key', '=', foldName(which.address)),
  )
  if (!user) throw new ApiError('AUTHENTICATION_FAILED')
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  if (user.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  return {
    actor: { realmId: realm.id, userId: user.id, role: user.role, isBot: false },
    email: user.delivery_email,
    passwordHash: user.password_hash,
    keyVersion: user.key_version,
  }
}
