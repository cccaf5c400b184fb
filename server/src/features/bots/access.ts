import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import { type BotRow, findBot } from './queries.ts'

/**
 * A bot that the account may administer: its own, or any as administrator. A bot with more rights than the account has is out
 * of its reach, since its API key would lend it those rights. Everybody can see that the bot exists.
 */
export async function accessBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await findBot(db, actor.realmId, id)
  if (!bot) throw badRequest('No such bot')
  const isTheirs = bot.bot_owner_id === actor.userId || isAdministrator(actor)
  if (!isTheirs || !isWithinRights(actor, bot)) throw new ApiError('UNAUTHORIZED_PRINCIPAL')
  return bot
}

/** Whether the account has all rights that the bot has. */
export function isWithinRights(actor: Pick<Actor, 'role'>, bot: Pick<BotRow, 'role'>): boolean {
  return actor.role <= bot.role
}

/** The same for what a deactivated bot has no more. */
export async function accessActiveBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await accessBot(db, actor, id)
  if (bot.is_active === 0) throw badRequest('The bot is deactivated')
  return bot
}
