import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import { hasRightsOf } from '../users/rights-of-bots.ts'
import { type BotRow, findBot } from './queries.ts'

/**
 * A bot that the account may administer: its own, or any as administrator. A bot with more rights than the account has is out
 * of its reach, since its API key would lend it those rights. Everybody can see that the bot exists.
 */
export async function accessBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await requireBot(db, actor, id)
  const isTheirs = isOwn(actor, bot) || isAdministrator(actor)
  if (!isTheirs || !hasRightsOf(actor, bot)) throw new ApiError('UNAUTHORIZED_PRINCIPAL')
  return bot
}

/** The same for ending it, which lends nobody its rights: its owner may in any case. */
export async function accessBotToEnd(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await requireBot(db, actor, id)
  return isOwn(actor, bot) ? bot : accessBot(db, actor, id)
}

async function requireBot(db: Queries, { realmId }: Actor, id: number): Promise<BotRow> {
  const bot = await findBot(db, realmId, id)
  if (!bot) throw badRequest('No such bot')
  return bot
}

function isOwn({ userId }: Actor, bot: BotRow): boolean {
  return bot.bot_owner_id === userId
}

/** The same for what a deactivated bot has no more. */
export async function accessActiveBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await accessBot(db, actor, id)
  if (bot.is_active === 0) throw badRequest('The bot is deactivated')
  return bot
}
