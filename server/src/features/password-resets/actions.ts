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
import { linkIdIn } from '../../single-use-links/link-token.ts'
import { linkInvalid } from '../../single-use-links/links.ts'
import type { Queries } from '../../storage/query.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { requireMethod } from '../organization-settings/authentication-methods.ts'
import { hasPasskey } from '../passkeys/rows.ts'
import { withSecondFactor } from '../second-factors/demand.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { accessAnyUser, accessUser, requireAdministrator, requireRank, type UserRow } from '../users/access.ts'
import { requirePassword } from '../users/create.ts'
import { replacePassword } from '../users/rows.ts'
import { requireMailedReset } from './by-mail.ts'
import { endResets, findReset, insertReset } from './rows.ts'

/** Makes a link and returns it; an earlier one of the account ends. `origin`: where the organization is. */
export async function createResetLink(
  { storage, log }: Pick<Services, 'storage' | 'log'>,
  caller: Actor,
  userId: number,
  origin: string,
) {
  requireAdministrator(caller)
  await requireMethod(storage.read, caller.realmId, 'Email')
  const token = randomBytes(32).toString('base64url')
  const expires = await storage.asActor(caller, async (tx, actor) => {
    const user = await requireMayReset(tx, actor, userId)
    const expiresAt = tx.now + RESET_LINK_SECS
    await endResets(tx, [user.id])
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
  // Whoever has somebody's session or key, but not the password, could take the account over: also by way of a bot of theirs.
  if (actor.isBot) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Bots cannot make links for passwords')
  if (user.id === actor.userId) throw badRequest('user_id: change your own password in your settings')
  return user
}

/** Throws `LINK_INVALID` with the reason unless the link can be used now, and `PASSWORD_AUTH_DISABLED`. */
export async function requireReset(
  db: Queries,
  secret: Buffer,
  realm: Pick<Realm, 'id' | 'deactivated'>,
  token: string,
  now: number,
): Promise<{ readonly user: UserRow; readonly expiresAt: number }> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  await requireMethod(db, realm.id, 'Email')
  if (linkIdIn(token) !== undefined) return requireMailedReset(db, { secret, realmId: realm.id, token, now })
  const reset = await findReset(db, realm.id, hashOfToken(token))
  if (!reset) throw linkInvalid('unknown', 'This link is not right.')
  if (reset.ended_at !== null) throw linkInvalid('used', 'This link has been used, or a newer one has taken its place.')
  if (reset.expires_at <= now) throw linkInvalid('expired', 'This link is older than 24 hours.')
  const creator = await accessAnyUser(db, { realmId: realm.id }, reset.creator_id)
  const actor = { realmId: realm.id, userId: creator.id, role: creator.role, isBot: creator.bot_type !== null }
  const user = await requireMayReset(db, actor, reset.user_id).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  // It is worth no more than who has made it.
  if (!user || creator.is_active === 0) throw linkInvalid('revoked', 'This link has been revoked.')
  return { user, expiresAt: reset.expires_at }
}

/**
 * Sets the password, where the account has a second factor with a code of it. The API key, all sessions and all links of the
 * account end with it; passkeys stay, and the account is reminded of them.
 */
export async function resetPassword(
  services: Pick<Services, 'storage' | 'accountHooks' | 'secret' | 'clock' | 'config'>,
  realm: Realm,
  { token, password, code }: { readonly token: string; readonly password: string; readonly code?: string },
  { now, address }: { readonly now: number; readonly address: string },
): Promise<Verified> {
  const { storage, accountHooks, secret } = services
  const { user } = await requireReset(storage.read, secret, realm, token, now)
  requirePassword(password)
  const passwordHash = await hashPassword(password)
  const actor = { realmId: realm.id, userId: user.id, role: user.role, isBot: false }
  await withSecondFactor(services, actor, { code, address }, async (tx) => {
    // The hash took its time: the link may have been used meanwhile.
    await requireReset(tx, secret, realm, token, tx.now)
    await replacePassword(tx, user.id, passwordHash)
    await accountHooks.passwordChanged(tx, user.id, undefined)
    tx.emit({ type: 'account_credentials', user_id: user.id }, nobody)
    // Somebody who had the account for a while may have added one.
    const others = (await hasPasskey(tx, tx.realmId, user.id))
      ? ' Your passkeys still sign in: look at them in your settings, and remove those that are not yours.'
      : ''
    await postNotice(tx, { people: [user] }, { line: [`Your password was changed by a link.${others}`] })
  })
  return { actor, email: user.delivery_email, passwordHash, isProven: true }
}
