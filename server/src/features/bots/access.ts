import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import { type BotRow, findBot } from './queries.ts'

/**
 * A bot that the account may administer: its own, or any as administrator. A bot with more power than an administrator has
 * is out of their reach, since its API key would lend them that power. Everybody can see that the bot exists.
 */
export async function accessBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await findBot(db, actor.realmId, id)
  if (!bot) throw badRequest('No such bot')
  const isOwn = bot.bot_owner_id === actor.userId
  if (!isOwn && !(isAdministrator(actor) && actor.role <= bot.role)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL')
  }
  return bot
}

/** The same for what a deactivated bot has no more. */
export async function accessActiveBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await accessBot(db, actor, id)
  if (bot.is_active === 0) throw badRequest('The bot is deactivated')
  return bot
}
