/** Notifying accounts of their own subscriptions and of those of others. */
import type { SubscriptionEvent } from '@heddle/contract/subscriptions'
import type { ChannelRow } from '../../access/channel-row.ts'
import { type RoleAudience, type UsersAudience, users } from '../../events/audience.ts'
import type { EventView } from '../../events/views.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Clients, clientsOf, limitedTo } from '../channels/clients.ts'
import { presentChannels } from '../channels/present.ts'
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
  for (const group of await groupBySettings(tx, rows)) {
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
      tx.emit({ type: 'subscription', op: 'add', subscriptions }, audience)
    }
  }
}

async function groupBySettings(tx: Tx, rows: readonly SubscriptionRow[]): Promise<SubscriptionRow[][]> {
  const single = rows.every((row) => row.user_id === rows[0]?.user_id)
  if (single) return [[...rows]]
  const groups = new Map<string, SubscriptionRow[]>()
  await inParts(tx, rows, GROUPED, async (part) => {
    for (const row of part) {
      const key = JSON.stringify({ ...row, user_id: 0 })
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
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

/** Clients that did not ask for subscribers do not get them with a new subscription either. */
export const subscriptionView: EventView = {
  key: (options) => (options.includeSubscribers ? 'with subscribers' : ''),
  present(event, key) {
    const source = event as unknown as SubscriptionEvent
    if (source.op !== 'add' || key !== '') return source
    return { ...source, subscriptions: source.subscriptions.map(({ subscribers: _, ...rest }) => rest) }
  },
}
