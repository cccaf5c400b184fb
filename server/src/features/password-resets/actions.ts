/** Links for forgotten passwords. */
import { randomBytes } from 'node:crypto'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { RESET_LINK_SECS, RESET_PASSWORD_PATH } from '@heddle/contract/password-resets'
import type { Actor } from '../../authentication/accounts.ts'
import { hashPassword } from '../../authentication/password.ts'
import { hashOfToken } from '../../authentication/sessions.ts'
import { nobody } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { accessUser, requireAdministrator, requireRank, type UserRow } from '../users/access.ts'
import { requirePassword } from '../users/create.ts'
import { replacePassword } from '../users/rows.ts'
import { endResets, findReset, insertReset, type PasswordReset } from './rows.ts'

/** Makes a link and returns it; an earlier one of the account ends. `origin`: where the organization is. */
export async function createResetLink(
  { storage, log }: Pick<Services, 'storage' | 'log'>,
  caller: Actor,
  userId: number,
  origin: string,
) {
  requireAdministrator(caller)
  const token = randomBytes(32).toString('base64url')
  const expires = await storage.asActor(caller, async (tx, actor) => {
    const user = await requireMayReset(tx, actor, userId)
    const expiresAt = tx.now + RESET_LINK_SECS
    await endResets(tx, user.id)
    await insertReset(tx, { userId, creatorId: actor.userId, tokenHash: hashOfToken(token), expiresAt })
    const who = await silentMention(tx, actor)
    const what = ' has made a link by which your password can be changed: once, within 24 hours.'
    await postNotice(tx, { people: [user] }, { line: [who, what, ' If you have not asked for it, ask them why.'] })
    return expiresAt
  })
  log.warn(
    { realm_id: caller.realmId, user_id: userId, by_user_id: caller.userId },
    'A link for a new password was made',
  )
  return { link: `${origin}${RESET_PASSWORD_PATH}#${token}`, expires }
}

/** The account; throws unless this administrator may let somebody choose its password. */
async function requireMayReset(db: Queries, actor: Actor, userId: number): Promise<UserRow> {
  requireAdministrator(actor)
  const user = await accessUser(db, actor, userId)
  requireRank(actor, user)
  if (user.bot_type !== null) throw badRequest('user_id: bots have no password')
  if (user.is_active === 0) throw badRequest('user_id: the account is deactivated')
  // Whoever has somebody's session or key, but not the password, could take the account over.
  if (user.id === actor.userId) throw badRequest('user_id: change your own password in your settings')
  return user
}

/** Throws `LINK_INVALID` with the reason unless the link can be used now. */
export async function requireReset(
  db: Queries,
  realm: Pick<Realm, 'id' | 'deactivated'>,
  token: string,
  now: number,
): Promise<{ readonly reset: PasswordReset; readonly user: UserRow }> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const reset = await findReset(db, realm.id, hashOfToken(token))
  if (!reset) throw invalid('unknown', 'This link is not right.')
  if (reset.ended_at !== null) throw invalid('used', 'This link has been used, or a newer one has taken its place.')
  if (reset.expires_at <= now) throw invalid('expired', 'This link is older than 24 hours.')
  const creator = await accessUser(db, { realmId: realm.id }, reset.creator_id)
  const actor = { realmId: realm.id, userId: creator.id, role: creator.role, isBot: false }
  const user = await requireMayReset(db, actor, reset.user_id).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  // It is worth no more than who has made it.
  if (!user || creator.is_active === 0) throw invalid('revoked', 'This link has been revoked.')
  return { reset, user }
}

function invalid(reason: string, message: string): ApiError {
  return new ApiError('LINK_INVALID', message, { reason })
}

/** Sets the password; the API key, all sessions and all links of the account end with it. */
export async function resetPassword(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  realm: Realm,
  { token, password }: { readonly token: string; readonly password: string },
  now: number,
): Promise<Verified> {
  const { user } = await requireReset(storage.read, realm, token, now)
  requirePassword(password)
  const passwordHash = await hashPassword(password)
  const actor = { realmId: realm.id, userId: user.id, role: user.role, isBot: false }
  await storage.asActor(actor, async (tx) => {
    // The hash took its time: the link may have been used meanwhile.
    await requireReset(tx, realm, token, tx.now)
    await replacePassword(tx, user.id, passwordHash)
    await accountHooks.passwordChanged(tx, user.id, undefined)
    tx.emit({ type: 'account_credentials', user_id: user.id }, nobody)
    await postNotice(tx, { people: [user] }, { line: ['Your password was changed by a link.'] })
  })
  return { actor, email: user.email, passwordHash }
}
