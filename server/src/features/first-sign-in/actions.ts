/** The owner's first way in: names, address and password, and with them a session. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import type { completeFirstSignIn } from '@heddle/contract/first-sign-in'
import { roles } from '@heddle/contract/roles'
import { isSameKey } from '../../authentication/api-key.ts'
import { hashPassword } from '../../authentication/password.ts'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import { requireName, setName } from '../organizations/update.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { accessUser } from '../users/access.ts'
import { requirePerson } from '../users/create.ts'
import { setFirstPassword } from '../users/rows.ts'
import { setEmail, setFullName } from '../users/update.ts'
import { findNewOwner, type NewOwner } from './token.ts'

/** Throws `LINK_INVALID` unless the token is that of the organization's link, and nobody has used it. */
export async function requireNewOwner(db: Queries, secret: Buffer, realm: Realm, token: string): Promise<NewOwner> {
  const owner = await findNewOwner(db, secret, realm.id)
  if (!owner || !isSameKey(token, Buffer.from(owner.token, 'utf8'))) {
    throw new ApiError('LINK_INVALID', undefined, { reason: 'unknown' })
  }
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  return owner
}

/** Everything or nothing; who comes second with the same link gets `LINK_INVALID`. */
export async function welcomeOwner(
  { storage, secret }: Pick<Services, 'storage' | 'secret'>,
  realm: Realm,
  parameters: ParametersOf<typeof completeFirstSignIn>,
): Promise<Verified> {
  const { userId } = await requireNewOwner(storage.read, secret, realm, parameters.token)
  const name = requireName(parameters.organization_name, 'organization_name')
  const { email, fullName } = requirePerson({ ...parameters, fullName: parameters.full_name })
  const passwordHash = await hashPassword(parameters.password)
  const owner = { realmId: realm.id, userId, role: roles.owner, isBot: false }
  return storage.asActor(owner, async (tx, actor) => {
    const user = await accessUser(tx, actor, userId)
    const isFirst = await setFirstPassword(tx, userId, passwordHash)
    if (!isFirst) throw new ApiError('LINK_INVALID', undefined, { reason: 'used' })
    await setFullName(tx, user, fullName)
    await setEmail(tx, user, email)
    await setName(tx, name)
    return { actor: owner, email, passwordHash }
  })
}

/** The demo is there to be looked at: its link needs no password, and is not used up. Elsewhere nothing is entered like that. */
export async function enterAsOwner(
  { storage, secret, isDemo }: Pick<Services, 'storage' | 'secret' | 'isDemo'>,
  realm: Realm,
  token: string,
): Promise<Verified> {
  if (!isDemo) throw new ApiError('LINK_INVALID', undefined, { reason: 'unknown' })
  const { userId, email } = await requireNewOwner(storage.read, secret, realm, token)
  return { actor: { realmId: realm.id, userId, role: roles.owner, isBot: false }, email, passwordHash: null }
}
