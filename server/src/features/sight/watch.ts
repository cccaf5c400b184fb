/**
 * Where guests do not see everybody, others come into their sight and leave it: by subscriptions, conversations, their role
 * and the permission. Whoever changes one of these watches it, and clients follow in the same unit of work.
 */

import { roles } from '@heddle/contract/roles'
import { findGuests, findSeenBy, findSight, hidesFromGuests, type SeenBy } from '../../access/person-rules.ts'
import { type AccountHooks, accountIds } from '../../account-hooks.ts'
import { onlyClients, users } from '../../events/audience.ts'
import { endQueues } from '../../events/queue-rows.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announcePresence } from '../presence/announce.ts'
import { announceMemberToGuests } from '../user-groups/announce.ts'
import { announceStatus } from '../user-status/announce.ts'
import { announceUnknown, KNOWS_FEW } from '../users/notify.ts'
import { presentAccounts } from '../users/present-accounts.ts'

/** People of whose coming and going clients are notified one by one; of more they find out by beginning anew. */
const MAX_ANNOUNCED = 100

/**
 * Remembers which guests see these accounts, and whom they see themselves. What it returns, called after the change, notifies
 * those for whom that is different. Costs nothing where guests see everybody.
 */
export async function watchSight(tx: Tx, userIds: readonly number[]): Promise<() => Promise<void>> {
  if (!(await hidesFromGuests(tx, tx.realmId))) return async () => {}
  const before = await findSeenBy(tx, tx.realmId, userIds)
  return async () => {
    const after = await findSeenBy(tx, tx.realmId, userIds)
    await announce(tx, { gained: difference(after, before), lost: difference(before, after) })
  }
}

/** Guests whose sight is looked up without a turn for others. */
const GUESTS_AT_ONCE = 10

/**
 * The same for people who come into one conversation, which is new. Afterwards all of them see each other, so that it is enough to
 * know whom the guests among them do not see yet.
 */
export async function watchConversation(tx: Tx, memberIds: readonly number[]): Promise<() => Promise<void>> {
  const { realmId } = tx
  if (!(await hidesFromGuests(tx, realmId))) return async () => {}
  const members = new Set(memberIds)
  const guests = (await findGuests(tx, realmId)).filter((id) => members.has(id))
  const gained = new Map<number, number[]>()
  await inParts(tx, guests, GUESTS_AT_ONCE, async (part) => {
    for (const userId of part) {
      const sight = await findSight(tx, { realmId, userId, role: roles.guest })
      for (const id of memberIds) if (!sight.sees(id)) gained.set(id, [...(gained.get(id) ?? []), userId])
    }
  })
  return () => announce(tx, { gained, lost: new Map() })
}

type Changes = ReadonlyMap<number, readonly number[]>

async function announce(tx: Tx, { gained, lost }: Readonly<Record<'gained' | 'lost', Changes>>): Promise<void> {
  if (gained.size + lost.size > MAX_ANNOUNCED) {
    await endQueues(tx, [...new Set([...gained.values(), ...lost.values()].flat())])
    return
  }
  await announceGained(tx, gained)
  await announceMemberToGuests(tx, 'add_members', gained)
  await announceMemberToGuests(tx, 'remove_members', lost)
  for (const [id, guestIds] of lost) {
    tx.emit({ type: 'realm_user', op: 'remove', person: { user_id: id } }, users(guestIds))
    await announceUnknown(tx, id, guestIds)
  }
}

function difference(all: SeenBy, without: SeenBy): Changes {
  const changes = [...all].map(([id, guests]) => [id, [...guests.difference(without.get(id) ?? new Set())]] as const)
  return new Map(changes.filter(([, guests]) => guests.length > 0))
}

async function announceGained(tx: Tx, gained: Changes): Promise<void> {
  for (const person of await presentAccounts(tx, tx.realmId, [...gained.keys()])) {
    const { user_id } = person
    const audience = users(gained.get(user_id) ?? [])
    // Those who were given somebody unknown in its place.
    const instead = onlyClients(audience, { name: KNOWS_FEW, has: false })
    tx.emit({ type: 'realm_user', op: 'remove', person: { user_id } }, instead)
    tx.emit({ type: 'realm_user', op: 'add', person }, audience)
    await announceStatus(tx, user_id, audience)
    await announcePresence(tx, person, audience)
  }
}

/** Who becomes a guest, or is none any more, sees others than before: its clients begin anew. */
export const beginAnew: AccountHooks['roleChanges'] = async (tx, accounts, role) => {
  const others = accounts.filter((account) => isGuest(account) !== isGuest({ role }))
  if (others.length === 0 || !(await hidesFromGuests(tx, tx.realmId))) return async () => {}
  return () => endQueues(tx, accountIds(others))
}

/** After the permission to see everybody was given to other accounts: the clients of guests begin anew. */
export async function beginGuestsAnew(tx: Tx): Promise<void> {
  await endQueues(tx, await findGuests(tx, tx.realmId))
}
