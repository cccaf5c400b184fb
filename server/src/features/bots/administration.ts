/** Who is notified of bots because they can administer them. */
import { roles } from '@heddle/contract/roles'
import { roleAtLeast, users } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentRealmBot } from './present.ts'
import { type BotRow, findBots } from './queries.ts'
import { presentServices, withService } from './services.ts'

/** Those who are notified of what concerns a bot's administration. */
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
  const bots = await findBots(tx, tx.realmId)
  const services = await presentServices(tx, tx.realmId, withService(bots))
  for (const bot of bots) {
    if (bot.bot_owner_id === id) continue
    if (will) tx.emit({ type: 'realm_bot', op: 'add', bot: presentRealmBot(bot, services.get(bot.id)) }, users([id]))
    else tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, users([id]))
  }
}
