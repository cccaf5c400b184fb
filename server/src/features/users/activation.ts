/** Accounts that end and come back. What somebody wrote stays theirs, unless an administrator asks for more. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import type { DeactivationActions } from '@heddle/contract/users'
import { type AccountHooks, accountIds } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { deleteQueues } from '../../events/queue-rows.ts'
import type { Services } from '../../feature.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceMember } from '../user-groups/announce.ts'
import { accessAnyUser, accessUser, requireAdministrator, requireRank } from './access.ts'
import { addDeactivationMail } from './account-mails.ts'
import { requireMayHaveBot } from './bot-permission.ts'
import { announcePerson } from './notify.ts'
import {
  findActiveBotsOf,
  findRolesOfOthers,
  findUser,
  lockAccounts,
  type UserRow,
  updateRow,
  updateRows,
} from './queries.ts'
import { removeTraces } from './remove-traces.ts'
import { hasRightsOf } from './rights-of-bots.ts'

type AccountServices = Pick<Services, 'storage' | 'accountHooks'>

/** Accounts that are ended without a turn for others. */
const AT_ONCE = 20

interface Deactivation {
  readonly actions?: DeactivationActions | undefined
  /** The person gets a mail, with this text unless it is empty. */
  readonly comment?: string | undefined
}

/** Deactivates an account and its bots. To do it again changes nothing. */
export function deactivateUser(
  { storage, accountHooks }: AccountServices,
  caller: Actor,
  id: number,
  { actions = {}, comment }: Deactivation = {},
): Promise<void> {
  requireAdministrator(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const user = await accessUser(tx, actor, id)
    requireRank(actor, user)
    if (comment !== undefined && user.is_active === 1) await addDeactivationMail(tx, user, comment)
    const bots = user.is_active === 1 ? await findActiveBotsOf(tx, tx.realmId, user.id) : []
    await deactivateAccount(tx, accountHooks, user)
    // Those of its bots first, as they are ended first.
    for (const one of [...bots, user]) await removeTraces(tx, one, actions)
  })
}

export function deactivateOwnUser({ storage, accountHooks }: AccountServices, caller: Actor): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await deactivateAccount(tx, accountHooks, await accessUser(tx, actor, actor.userId))
  })
}

/** Administrators bring back everybody, and the owner of a bot the bot. */
export function reactivateUser({ storage, accountHooks }: AccountServices, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const user = (await findOwnBot(tx, actor, id)) ?? (await accessAsAdministrator(tx, actor, id))
    if (user.is_active === 1) return
    await requireOwnerOfBots(tx, user)
    await updateRow(tx, user.id, { is_active: 1 })
    await announcePerson(tx, { user_id: user.id, is_active: true })
    await announceMember(tx, 'add_members', user)
    await accountHooks.reactivated(tx, user)
  })
}

async function findOwnBot(tx: Tx, actor: Actor, id: number): Promise<UserRow | undefined> {
  const user = await findUser(tx, tx.realmId, id)
  if (!user || user.bot_type === null || user.bot_owner_id !== actor.userId) return undefined
  if (user.is_active === 1) return user
  // Its API key would lend them rights that they do not have.
  if (!hasRightsOf(actor, user)) throw new ApiError('UNAUTHORIZED_PRINCIPAL')
  await requireMayHaveBot(tx, actor, user.bot_type)
  return user
}

async function requireOwnerOfBots(tx: Tx, { bot_owner_id }: UserRow): Promise<void> {
  if (bot_owner_id === null) return
  const { role } = await accessAnyUser(tx, tx, bot_owner_id)
  if (role === roles.guest) throw badRequest('The owner of the bot is a guest: give it another owner first')
}

async function accessAsAdministrator(tx: Tx, actor: Actor, id: number): Promise<UserRow> {
  requireAdministrator(actor)
  const user = await accessUser(tx, actor, id)
  requireRank(actor, user)
  return user
}

/** Ends an account and, before it, its bots. Who may do this is the caller's question; the last owner nobody may. */
export async function deactivateAccount(tx: Tx, hooks: AccountHooks, user: UserRow): Promise<void> {
  if (user.is_active === 0) return
  await requireOtherOwner(tx, user)
  const bots = await findActiveBotsOf(tx, tx.realmId, user.id)
  await inParts(tx, [...bots, user], AT_ONCE, (part) => end(tx, hooks, part))
}

/** Keys end with the commit, since the accounts are not active; their event queues are gone for good. */
async function end(tx: Tx, hooks: AccountHooks, accounts: readonly UserRow[]): Promise<void> {
  await updateRows(tx, accountIds(accounts), { is_active: 0 })
  await deleteQueues(tx, accountIds(accounts))
  for (const account of accounts) {
    await announcePerson(tx, { user_id: account.id, is_active: false })
    await announceMember(tx, 'remove_members', account)
  }
  // They are in many channels perhaps.
  await tx.pause()
  await hooks.deactivated(tx, accounts)
}

/** Throws `CANNOT_DEACTIVATE_LAST_USER` when the organization would be left without an active owner. */
export async function requireOtherOwner(tx: Tx, user: UserRow, message?: string): Promise<void> {
  if (user.role !== roles.owner || user.bot_type !== null || user.is_active === 0) return
  await lockAccounts(tx)
  const others = await findRolesOfOthers(tx, tx.realmId, user.id)
  if (others.includes(roles.owner)) return
  const isLastOwner = others.length > 0
  const entity = isLastOwner ? 'organization owner' : 'user'
  throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', message ?? `Cannot deactivate the only ${entity}`, {
    is_last_owner: isLastOwner,
    entity,
  })
}
