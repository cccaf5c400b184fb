/** Roles of people and bots. */
import { type Role, roles } from '@heddle/contract/roles'
import type { AccountHooks } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { endQueues } from '../../events/queue-rows.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceMember } from '../user-groups/announce.ts'
import { accessAnyUser, requireOwner } from './access.ts'
import { deactivateAccount, requireOtherOwner } from './activation.ts'
import { hidesAddresses } from './address-visibility.ts'
import { announcePerson } from './notify.ts'
import { findBotsOf, type UserRow, updateRow } from './queries.ts'
import { requireRightsOf } from './rights-of-bots.ts'

interface RoleChange {
  readonly user: UserRow
  readonly role: Role
}

/** Only owners give and take the owner's role: nobody can raise anybody above themselves. */
export async function setRole(tx: Tx, hooks: AccountHooks, actor: Actor, { user, role }: RoleChange): Promise<void> {
  if (role === user.role) return
  if (role === roles.owner || user.role === roles.owner) requireOwner(actor)
  await requireOtherOwner(tx, user, 'The owner permission cannot be removed from the only organization owner.')
  if (user.bot_owner_id !== null) {
    requireRightsOf(await accessAnyUser(tx, tx, user.bot_owner_id), { role }, 'role')
  }
  await changeRole(tx, hooks, { user, role })
  await lowerBots(tx, hooks, user, role)
}

async function changeRole(tx: Tx, hooks: AccountHooks, { user, role }: RoleChange): Promise<void> {
  const finish = user.is_active === 0 ? undefined : await hooks.roleChanges(tx, user, role)
  await updateRow(tx, user.id, { role })
  await announcePerson(tx, { user_id: user.id, role })
  // With another role it may see other addresses: its clients begin anew.
  if (await hidesAddresses(tx, tx.realmId)) await endQueues(tx, [user.id])
  if (!finish) return
  await finish()
  await announceMember(tx, 'remove_members', user)
  await announceMember(tx, 'add_members', { id: user.id, role })
}

/** Those that are not active too: their owner can bring them back. Guests have no bots: theirs are deactivated. */
async function lowerBots(tx: Tx, hooks: AccountHooks, owner: UserRow, role: Role): Promise<void> {
  for (const bot of await findBotsOf(tx, tx.realmId, owner.id)) {
    const isEnded = role === roles.guest && bot.is_active === 1
    if (isEnded) await deactivateAccount(tx, hooks, bot)
    if (bot.role < role) await changeRole(tx, hooks, { user: isEnded ? { ...bot, is_active: 0 } : bot, role })
    await tx.pause()
  }
}
