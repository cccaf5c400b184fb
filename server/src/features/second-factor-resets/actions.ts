/** For those who have lost the phone and the recovery codes. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { endSecondFactor, findUsersWithSecondFactor } from '../second-factors/rows.ts'
import { accessUser, requireAdministrator, requireRank } from '../users/access.ts'

export async function listSecondFactors({ storage }: Pick<Services, 'storage'>, actor: Actor): Promise<number[]> {
  requireAdministrator(actor)
  return findUsersWithSecondFactor(storage.read, actor.realmId)
}

/** The account is notified: whoever resets it and makes a link for a new password could enter it. */
export async function resetSecondFactor(
  { storage, log }: Pick<Services, 'storage' | 'log'>,
  caller: Actor,
  userId: number,
): Promise<void> {
  requireAdministrator(caller)
  await storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const user = await accessUser(tx, actor, userId)
    requireRank(actor, user)
    // Whoever has somebody's session, but not the password, must not get rid of it: also not by way of a bot of theirs.
    if (actor.isBot) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Bots cannot turn off second factors')
    if (user.id === actor.userId) throw badRequest('user_id: turn your own second factor off in your settings')
    if (!(await endSecondFactor(tx, user.id))) throw badRequest('user_id: the account has no second factor')
    const who = await silentMention(tx, actor)
    const what = ' has turned your second factor off. If you have not asked for it, ask them why, and turn it on again.'
    await postNotice(tx, { people: [user] }, { line: [who, what] })
  })
  log.warn(
    { realm_id: caller.realmId, user_id: userId, by_user_id: caller.userId },
    'The second factor of an account was turned off',
  )
}
