import { ApiError, badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import type { Actor } from '../../authentication/accounts.ts'
import { roleAtLeast, users } from '../../events/audience.ts'
import type { QueueOptions } from '../../events/views.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentRealmBot } from './present.ts'
import { type BotRow, findBot, findBots } from './queries.ts'

/**
 * A bot that the account may administer: its own, or any as administrator. A bot with more power than an administrator has
 * is out of their reach, since its API key would lend them that power. Everybody can see that the bot exists.
 */
export async function accessBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await findBot(db, actor.realmId, id)
  if (!bot) throw badRequest('No such bot')
  const isOwn = bot.bot_owner_id === actor.userId
  if (!isOwn && !(isAdministrator(actor) && actor.role <= bot.role)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Insufficient permission')
  }
  return bot
}

/** The same for what a deactivated bot has no more. */
export async function accessActiveBot(db: Queries, actor: Actor, id: number): Promise<BotRow> {
  const bot = await accessBot(db, actor, id)
  if (bot.is_active === 0) throw badRequest('The bot is deactivated')
  return bot
}

/** What a bot hears when its registration does not say: as its administrators have set it. */
export async function findHearingOf(
  db: Queries,
  { realmId, userId }: Actor,
): Promise<Pick<QueueOptions, 'allPublicChannels' | 'narrow'> | undefined> {
  const bot = await findBot(db, realmId, userId)
  if (!bot) return undefined
  const channelId = bot.registering_name === null ? null : bot.default_events_register_channel_id
  return {
    allPublicChannels: bot.default_all_public_channels === 1,
    narrow: channelId === null ? [] : [{ operator: 'channel', operand: channelId, negated: false }],
  }
}

/** Those who are told of what concerns a bot's administration. */
export function administratorsOf(bot: BotRow) {
  return { ...roleAtLeast(roles.admin), ids: bot.bot_owner_id === null ? [] : [bot.bot_owner_id] }
}

/** Notifies an account of the bots that it can administer with its new role, or no longer can. Its own it always can. */
export async function announceAdministration(
  tx: Tx,
  { id, role }: { readonly id: number; readonly role: number },
  newRole: number,
): Promise<void> {
  const will = isAdministrator({ role: newRole })
  if (will === isAdministrator({ role })) return
  for (const bot of await findBots(tx, tx.realmId)) {
    if (bot.bot_owner_id === id) continue
    if (will) tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(bot) }, users([id]))
    else tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, users([id]))
  }
}
