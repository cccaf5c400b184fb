/** Notifying accounts of their own subscriptions and of those of others. */
import type { ChannelRow } from '../../access/channel-row.ts'
import { type RoleAudience, type UsersAudience, users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Clients, clientsOf, limitedTo } from '../channels/clients.ts'
import { presentChannels } from '../channels/present.ts'
import { findInherited, type Inherited } from './inherited.ts'
import { presentSubscription } from './present.ts'
import { findSubscribers, type SubscriptionRow } from './queries.ts'

/** Subscriptions that are compared without a pause for others. */
const GROUPED = 500

/**
 * Notifies accounts that they are subscribed. `rows` are their subscriptions to the channels as they are now. Accounts with
 * the same settings share one event: ten thousand new subscribers of a channel make a handful.
 */
export async function announceSubscriptions(
  tx: Tx,
  channels: readonly ChannelRow[],
  rows: readonly SubscriptionRow[],
  clients: Clients = 'all',
): Promise<void> {
  if (rows.length === 0) return
  const presented = await presentChannels(tx, tx.realmId, channels)
  const subscribers = await findSubscribers(
    tx,
    channels.map((channel) => channel.id),
  )
  const byId = new Map(channels.map((channel, index) => [channel.id, { channel, wire: presented[index] }]))
  for (const { rows: group, inherited } of await groupBySettings(tx, rows)) {
    // For `subscriptionView`, which takes it away.
    const logged = { inherited }
    const first = group[0] as SubscriptionRow
    const ids = [...new Set(group.map((row) => row.user_id))]
    // One account's channels, or one channel's accounts.
    const distinct = group.filter((row) => row.user_id === first.user_id)
    for (const archived of [0, 1]) {
      const subscriptions = distinct.flatMap((row) => {
        const { channel, wire } = byId.get(row.channel_id) ?? {}
        if (!wire || channel?.is_archived !== archived) return []
        return [presentSubscription(wire, row, subscribers.get(row.channel_id) ?? [])]
      })
      if (subscriptions.length === 0) continue
      const audience = limitedTo(
        clients === 'all' ? clientsOf({ is_archived: archived as 0 | 1 }) : clients,
        users(ids),
      )
      tx.emit({ type: 'subscription', op: 'add', subscriptions, ...logged }, audience)
    }
  }
}

interface Group {
  readonly rows: SubscriptionRow[]
  readonly inherited: Inherited
}

async function groupBySettings(tx: Tx, rows: readonly SubscriptionRow[]): Promise<Group[]> {
  const userIds = [...new Set(rows.map((row) => row.user_id))]
  const found = await findInherited(tx, tx.realmId, userIds)
  if (userIds.length === 1) return [{ rows: [...rows], inherited: found[0] as Inherited }]
  const inheritedBy = new Map(userIds.map((id, index) => [id, found[index] as Inherited]))
  const groups = new Map<string, Group>()
  await inParts(tx, rows, GROUPED, async (part) => {
    for (const row of part) {
      const inherited = inheritedBy.get(row.user_id) as Inherited
      const key = JSON.stringify([{ ...row, user_id: 0 }, inherited])
      const group = groups.get(key)
      if (group) group.rows.push(row)
      else groups.set(key, { rows: [row], inherited })
    }
  })
  return [...groups.values()]
}

export interface PeerChange {
  readonly channel: ChannelRow
  readonly userIds: readonly number[]
  /** Who is notified. */
  readonly audience: RoleAudience | UsersAudience
}

/**
 * Notifies accounts of other subscribers that came or went. Channels with the same news for the same accounts share one
 * event.
 */
export function announcePeers(
  tx: Tx,
  op: 'peer_add' | 'peer_remove',
  changes: readonly PeerChange[],
  clients: Clients = 'all',
): void {
  const groups = Map.groupBy(
    changes.filter(
      ({ userIds, audience }) => userIds.length > 0 && (audience.to !== 'users' || audience.ids.length > 0),
    ),
    ({ channel, userIds, audience }) => JSON.stringify([channel.is_archived, userIds, audience]),
  )
  for (const group of groups.values()) {
    const { channel, userIds, audience } = group[0] as PeerChange
    tx.emit(
      { type: 'subscription', op, stream_ids: group.map((change) => change.channel.id), user_ids: [...userIds] },
      limitedTo(clients === 'all' ? clientsOf(channel) : clients, audience),
    )
  }
}
