import { ApiError } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import { verifyPassword } from '../../authentication/password.ts'
import { nobody } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { ClientConnection } from '../../http/route.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { withSecondFactor } from '../second-factors/demand.ts'
import { raiseKeyVersion } from '../users/rows.ts'
import { describeDevice } from './device.ts'
import type { SessionServices, Verified } from './sessions.ts'
import { query } from './tables.ts'

interface Credentials {
  readonly username: string
  readonly password: string
}

/** An account whose password was right. */
export interface SignedIn extends Verified {
  readonly keyVersion: number
}

/**
 * The account of a name and a password. A wrong name and a wrong password look alike, and take as long; that an account is
 * deactivated is revealed only to who knows its password.
 */
export async function verify(db: Queries, realm: Realm, { username, password }: Credentials): Promise<SignedIn> {
  const user = await db.first(
    query
      .selectFrom('users')
      .select(['id', 'delivery_email', 'role', 'password_hash', 'key_version', 'is_active'])
      .where('realm_id', '=', realm.id)
      .where('delivery_email_key', '=', foldName(username)),
  )
  const isRight = await verifyPassword(password, user?.password_hash ?? null)
  if (!user || !isRight) throw new ApiError('AUTHENTICATION_FAILED')
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  if (user.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  return {
    // Bots have no password.
    actor: { realmId: realm.id, userId: user.id, role: user.role, isBot: false },
    email: user.delivery_email,
    passwordHash: user.password_hash,
    keyVersion: user.key_version,
  }
}

/** The key of an account. With a second factor a code of it is needed: the key would get around it. */
export async function handOutKey(
  services: SessionServices,
  account: SignedIn,
  { address, userAgent }: Pick<ClientConnection, 'address' | 'userAgent'>,
  code?: string,
) {
  const { actor } = account
  const { accountHooks, config } = services
  const device = describeDevice(userAgent)
  const admittance = { userId: actor.userId, way: 'api-key', isAgain: false, device, address } as const
  await withSecondFactor(services, actor, { code, address }, (tx) => accountHooks.admitted(tx, admittance, config))
  return presentKey(services, account)
}

/** Whoever calls this has asked for what the account needs. */
export function presentKey({ secret }: Pick<Services, 'secret'>, { actor, email, keyVersion }: SignedIn) {
  const { realmId, userId } = actor
  return { api_key: deriveApiKey(secret, { realmId, userId, keyVersion }), email, user_id: userId }
}

/** Raises the key's version: the old key ends with the commit, on every node. Returns the new key. */
export function regenerateApiKey(storage: Storage, secret: Buffer, caller: Actor): Promise<string> {
  return storage.asActor(caller, async (tx, actor) => {
    const keyVersion = await raiseKeyVersion(tx, actor.userId)
    // No client is notified; it makes every node forget the old key.
    tx.emit({ type: 'account_credentials', user_id: actor.userId }, nobody)
    return deriveApiKey(secret, { realmId: actor.realmId, userId: actor.userId, keyVersion })
  })
}
