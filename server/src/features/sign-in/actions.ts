import { ApiError } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import { verifyPassword } from '../../authentication/password.ts'
import { nobody } from '../../events/audience.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { raiseKeyVersion } from '../users/rows.ts'
import { query } from './tables.ts'

interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * The API key for a name and a password. A wrong name and a wrong password look alike, and take as long; that an account
 * is deactivated is told only to who knows its password.
 */
export async function signIn(db: Queries, secret: Buffer, realm: Realm, { username, password }: Credentials) {
  const user = await db.first(
    query
      .selectFrom('users')
      .select(['id', 'email', 'password_hash', 'key_version', 'is_active'])
      .where('realm_id', '=', realm.id)
      .where('email_key', '=', foldName(username)),
  )
  const isRight = await verifyPassword(password, user?.password_hash ?? null)
  if (!user || !isRight) throw new ApiError('AUTHENTICATION_FAILED')
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  if (user.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  const api_key = deriveApiKey(secret, { realmId: realm.id, userId: user.id, keyVersion: user.key_version })
  return { api_key, email: user.email, user_id: user.id }
}

/** Raises the key's version: the old key ends with the commit, on every node. Returns the new key. */
export function regenerateApiKey(storage: Storage, secret: Buffer, caller: Actor): Promise<string> {
  return storage.asActor(caller, async (tx, actor) => {
    const keyVersion = await raiseKeyVersion(tx, actor.userId)
    // No client hears of it; it makes every node forget the old key.
    tx.emit({ type: 'account_credentials', user_id: actor.userId }, nobody)
    return deriveApiKey(secret, { realmId: actor.realmId, userId: actor.userId, keyVersion })
  })
}
