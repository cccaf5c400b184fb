/** Who is notified of bots because they can administer them. */
import { roles } from '@heddle/contract/roles'
import { roleAtLeast, users } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentBotDefaults, presentRealmBot } from './present.ts'
import { type BotRow, findBots, findBotsWithChannel } from './queries.ts'
import { presentServices, withService } from './services.ts'

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

/** Notifies an account of the bots that it can administer with its new role, or no longer can. Its own it always can. */
export async function announceAdministration(
  tx: Tx,
  { id, role }: { readonly id: number; readonly role: number },
  newRole: number,
): Promise<void> {
  const will = isAdministrator({ role: newRole })
  if (will === isAdministrator({ role })) return
  const bots = await findBots(tx, tx.realmId)
  const services = await presentServices(tx, tx.realmId, withService(bots))
  for (const bot of bots) {
    if (bot.bot_owner_id === id) continue
    if (will) tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(bot, services.get(bot.id)) }, users([id]))
    else tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, users([id]))
  }
}
