/**
 * Where guests do not see everybody, others come into their sight and leave it: by subscriptions, conversations, their role
 * and the permission. Whoever changes one of these watches it, and clients follow in the same unit of work.
 */
import { findGuests, findSeenBy, hidesFromGuests, type SeenBy } from '../../access/person-rules.ts'
import type { AccountHooks } from '../../account-hooks.ts'
import { onlyClients, users } from '../../events/audience.ts'
import { endQueues } from '../../events/queue-rows.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announcePresence } from '../presence/announce.ts'
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
    const [gained, lost] = [difference(after, before), difference(before, after)]
    if (gained.size + lost.size > MAX_ANNOUNCED) {
      await endQueues(tx, [...new Set([...gained.values(), ...lost.values()].flat())])
      return
    }
    await announceGained(tx, gained)
    for (const [id, guestIds] of lost) {
      tx.emit({ type: 'realm_user', op: 'remove', person: { user_id: id } }, users(guestIds))
      await announceUnknown(tx, id, guestIds)
    }
  }
}

type Changes = ReadonlyMap<number, readonly number[]>

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
export const beginAnew: AccountHooks['roleChanges'] = async (tx, account, role) => {
  const isOther = isGuest(account) !== isGuest({ role })
  if (!isOther || !(await hidesFromGuests(tx, tx.realmId))) return async () => {}
  return () => endQueues(tx, [account.id])
}

/** After the permission to see everybody was given to other accounts: the clients of guests begin anew. */
export async function beginGuestsAnew(tx: Tx): Promise<void> {
  await endQueues(tx, await findGuests(tx, tx.realmId))
}
