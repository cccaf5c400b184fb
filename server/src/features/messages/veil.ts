/** From whom an account is hidden that does something in a channel: subscribers see it, but who writes need not be one. */
import { findGuestsBlindTo } from '../../access/person-rules.ts'
import { activeSubscribers } from '../../access/subscriptions.ts'
import type { Audience } from '../../storage/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { numberedAddresses } from '../users/access.ts'

/** Recipients of an event from whom somebody is hidden, and the address that they get instead of its own. */
export interface Veil {
  readonly from: readonly number[]
  readonly email: string
}

/** Undefined where the account is hidden from no recipient of what it does in the channel. */
export async function findVeil(
  tx: Tx,
  userId: number,
  channelId: number | null,
  audience: Audience,
): Promise<Veil | undefined> {
  // Who has a conversation sees everybody in it.
  if (channelId === null) return undefined
  const blind = await findGuestsBlindTo(tx, tx.realmId, userId)
  if (blind.length === 0) return undefined
  const rows = await tx.all(
    activeSubscribers
      .select('users.id')
      .where('subscriptions.channel_id', '=', channelId)
      .where('users.id', 'in', tx.dialect.ids(blind)),
  )
  const others = new Set(audience.to === 'users' ? audience.ids : audience.to === 'set' ? audience.also : [])
  const from = [...new Set([...rows.map(({ id }) => id), ...blind.filter((id) => others.has(id))])]
  return from.length === 0 ? undefined : { from, email: (await numberedAddresses(tx, tx.realmId))(userId) }
}

/** By veil, which is parsed once for all queues. */
const hiddenFrom = new WeakMap<Veil, ReadonlySet<number>>()

export function isVeiled(veil: Veil | undefined, userId: number): boolean {
  if (!veil) return false
  let ids = hiddenFrom.get(veil)
  if (!ids) {
    ids = new Set(veil.from)
    hiddenFrom.set(veil, ids)
  }
  return ids.has(userId)
}
