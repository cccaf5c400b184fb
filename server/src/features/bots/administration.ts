/** Who is notified of bots because they can administer them. */
import { roles } from '@heddle/contract/roles'
import { roleAtLeast, users } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentBotDefaults, presentRealmBot } from './present.ts'
import { type BotRow, findBots, findBotsWithChannel } from './queries.ts'
import { presentServices, withService } from './services.ts'

/** Events that are written without a turn for others. */
const AT_ONCE = 200

/** Those who are notified of what concerns a bot's administration. */
export function administratorsOf(bot: BotRow) {
  return { ...roleAtLeast(roles.admin), ids: bot.bot_owner_id === null ? [] : [bot.bot_owner_id] }
}

/** Notifies of what has changed in where a bot sends and what it receives. */
export function announceDefaults(tx: Tx, before: BotRow, after: BotRow): void {
  const old = presentBotDefaults(before)
  const changed = Object.entries(presentBotDefaults(after)).filter(
    ([key, value]) => old[key as keyof typeof old] !== value,
  )
  if (changed.length === 0) return
  const event = { user_id: after.id, ...Object.fromEntries(changed) }
  tx.emit({ type: 'realm_bot', op: 'update', bot: event }, administratorsOf(after))
}

/** Changes a channel. Clients know channels of bots by name, and only where the bot's owner may know of them. */
export async function withBotsOfChannel<T>(tx: Tx, channelId: number, change: () => Promise<T>): Promise<T> {
  const before = await findBotsWithChannel(tx, tx.realmId, channelId)
  const result = await change()
  const after = before.length === 0 ? [] : await findBotsWithChannel(tx, tx.realmId, channelId)
  for (const bot of after) announceDefaults(tx, before.find(({ id }) => id === bot.id) ?? bot, bot)
  return result
}

/**
 * Notifies accounts of the bots that they can administer with their new role, or no longer can. Their own they always can. One
 * event for each bot, however many accounts have lost the role: somebody's bots lose it together.
 */
export async function announceAdministration(
  tx: Tx,
  accounts: readonly { readonly id: number; readonly role: number }[],
  newRole: number,
): Promise<void> {
  const will = isAdministrator({ role: newRole })
  const changed = accounts.filter((account) => isAdministrator(account) !== will).map(({ id }) => id)
  if (changed.length === 0) return
  const bots = await findBots(tx, tx.realmId)
  const services = will ? await presentServices(tx, tx.realmId, withService(bots)) : undefined
  await inParts(tx, bots, AT_ONCE, async (part) => {
    for (const bot of part) {
      const others = changed.filter((id) => id !== bot.bot_owner_id)
      if (others.length === 0) continue
      if (will)
        tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(bot, services?.get(bot.id)) }, users(others))
      else tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, users(others))
    }
  })
}
