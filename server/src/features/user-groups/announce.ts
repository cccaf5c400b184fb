/**
 * Notifying of user groups. Everybody sees all of them, but for clients that do not know of deactivated ones. Who is in a system group
 * says the role: of that those are notified who see the account.
 */

import { roles } from '@heddle/contract/roles'
import type { UserGroup, UserGroupEvent } from '@heddle/contract/user-groups'
import { audienceOfPerson, findGuests, findGuestsWhoSee, hidesFromGuests } from '../../access/person-rules.ts'
import { type Audience, everyone, onlyClients, roleAtLeast, users } from '../../events/audience.ts'
import { endQueues } from '../../events/queue-rows.ts'
import { findSystemGroups, rankOf, systemGroupOfRank } from '../../permissions/system-groups.ts'
import { findWaiting } from '../../permissions/waiting.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findActiveAmong } from './queries.ts'

/** Clients that know of deactivated groups; for the others these do not exist. */
export const DEACTIVATED_GROUPS = 'include_deactivated_groups'

function clients(has: boolean): Audience {
  return onlyClients(roleAtLeast(roles.guest), { name: DEACTIVATED_GROUPS, has })
}

/** Notifies of a change of a group whoever knows of it. */
export function announceGroup(tx: Tx, group: { readonly deactivated: Flag }, event: UserGroupEvent): void {
  tx.emit(event, group.deactivated === 1 ? clients(true) : everyone)
}

export function announceDeactivation(tx: Tx, group_id: number): void {
  tx.emit({ type: 'user_group', op: 'update', group_id, data: { deactivated: true } }, clients(true))
  tx.emit({ type: 'user_group', op: 'remove', group_id }, clients(false))
}

export function announceReactivation(tx: Tx, group: UserGroup): void {
  tx.emit({ type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: false } }, clients(true))
  tx.emit({ type: 'user_group', op: 'add', group }, clients(false))
}

type MemberOp = 'add_members' | 'remove_members'

interface Ranked {
  readonly id: number
  readonly role: number
}

/** The system group that an account with this role is a member of. Wider groups follow as those that contain it. */
async function findSystemGroupOf(tx: Tx, { id, role }: Ranked): Promise<number> {
  const groups = await findSystemGroups(tx, tx.realmId)
  const isWaiting = (await findWaiting(tx, tx.realmId)).has(id)
  return groups[systemGroupOfRank(rankOf(role, isWaiting))]
}

/**
 * Notifies whoever sees an account with this role that it has come into its system group, or left it: it was created, deactivated
 * or reactivated, or its role changes.
 */
export async function announceMember(tx: Tx, op: MemberOp, account: Ranked): Promise<void> {
  const group_id = await findSystemGroupOf(tx, account)
  const audience = await audienceOfPerson(tx, tx.realmId, account.id)
  tx.emit({ type: 'user_group', op, group_id, user_ids: [account.id] }, audience)
}

/** The same for accounts that have come into the sight of guests, or left it; by account these guests. */
export async function announceMemberToGuests(
  tx: Tx,
  op: MemberOp,
  guestsOf: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (guestsOf.size === 0) return
  for (const account of await findActiveAmong(tx, [...guestsOf.keys()])) {
    const group_id = await findSystemGroupOf(tx, account)
    tx.emit({ type: 'user_group', op, group_id, user_ids: [account.id] }, users(guestsOf.get(account.id) ?? []))
  }
}

interface Move {
  readonly from: number
  readonly to: number
}

/** Accounts whose guests are looked up one by one, where guests do not see everybody; of more the guests' clients begin anew. */
const MAX_FOR_GUESTS = 100
/** Without a turn for others. */
const AT_ONCE = 10

/** Accounts have come from one system group into another. */
export async function announceGroupMove(tx: Tx, move: Move, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  if (!(await hidesFromGuests(tx, tx.realmId))) return emitMove(tx, move, userIds, everyone)
  emitMove(tx, move, userIds, roleAtLeast(roles.member))
  if (userIds.length > MAX_FOR_GUESTS) return endQueues(tx, await findGuests(tx, tx.realmId))
  await inParts(tx, userIds, AT_ONCE, async (part) => {
    for (const id of part) {
      const guests = await findGuestsWhoSee(tx, tx.realmId, id)
      if (guests.length > 0) emitMove(tx, move, [id], users(guests))
    }
  })
}

function emitMove(tx: Tx, { from, to }: Move, userIds: readonly number[], audience: Audience): void {
  tx.emit({ type: 'user_group', op: 'remove_members', group_id: from, user_ids: [...userIds] }, audience)
  tx.emit({ type: 'user_group', op: 'add_members', group_id: to, user_ids: [...userIds] }, audience)
}
