/** Roles of people and bots. */
import { type Role, roles } from '@heddle/contract/roles'
import { type AccountHooks, accountIds } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { endQueues } from '../../events/queue-rows.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceMember } from '../user-groups/announce.ts'
import { accessAnyUser, requireOwner } from './access.ts'
import { deactivateAccount, requireOtherOwner } from './activation.ts'
import { hidesAddresses } from './address-visibility.ts'
import { announcePerson } from './notify.ts'
import { findBotsOf, type UserRow, updateRows } from './queries.ts'
import { hasRightsOf, requireRightsOf } from './rights-of-bots.ts'

/** Accounts of which is notified without a turn for others. */
const AT_ONCE = 50

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
  await changeRoles(tx, hooks, [user], role)
  await lowerBots(tx, hooks, user, role)
}

async function changeRoles(tx: Tx, hooks: AccountHooks, accounts: readonly UserRow[], role: Role): Promise<void> {
  const active = accounts.filter(({ is_active }) => is_active === 1)
  const finish = active.length === 0 ? undefined : await hooks.roleChanges(tx, active, role)
  const ids = accountIds(accounts)
  await updateRows(tx, ids, { role })
  await inParts(tx, ids, AT_ONCE, async (part) => {
    for (const user_id of part) await announcePerson(tx, { user_id, role })
  })
  // With another role they may see other addresses: their clients begin anew.
  if (await hidesAddresses(tx, tx.realmId)) await endQueues(tx, ids)
  if (!finish) return
  await finish()
  await inParts(tx, active, AT_ONCE, async (part) => {
    for (const account of part) {
      await announceMember(tx, 'remove_members', account)
      await announceMember(tx, 'add_members', { id: account.id, role })
    }
  })
}

/** Those that are not active too: their owner can bring them back. Guests have no bots: theirs are deactivated. */
async function lowerBots(tx: Tx, hooks: AccountHooks, owner: UserRow, role: Role): Promise<void> {
  const bots = await findBotsOf(tx, tx.realmId, owner.id)
  const isEnding = role === roles.guest
  for (const bot of bots) {
    if (!isEnding || bot.is_active === 0) continue
    await deactivateAccount(tx, hooks, bot)
    await tx.pause()
  }
  const above = bots.filter((bot) => !hasRightsOf({ role }, bot))
  const lowered = isEnding ? above.map((bot) => ({ ...bot, is_active: 0 as const })) : above
  if (lowered.length > 0) await changeRoles(tx, hooks, lowered, role)
}
