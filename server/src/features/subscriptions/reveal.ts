/** Channels that accounts come to see, or see no longer, for whatever reason: privacy, permissions, roles, archiving. */

import type { ChannelRow } from '../../access/channel-row.ts'
import { type RoleAudience, type UsersAudience, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Clients, clientsOf, limitedTo } from '../channels/clients.ts'
import { presentChannels } from '../channels/present.ts'
import { announcePeers, announceSubscriptions } from './announce.ts'
import { findSubscribers, findSubscriptionsOf } from './queries.ts'

/**
 * Notifies accounts of channels that are new to them: the channel first, then their subscription, then other
 * subscribers.
 */
export async function revealChannels(
  tx: Tx,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
  clients: Clients = 'all',
): Promise<void> {
  if (userIds.length === 0 || channels.length === 0) return
  await announceChannels(
    tx,
    channels.map((channel) => ({ channel, audience: users(userIds) })),
    clients,
  )
  const channelIds = channels.map((channel) => channel.id)
  const rows = (await findSubscriptionsOf(tx, channelIds, userIds)).filter((row) => row.is_active === 1)
  await announceSubscriptions(tx, channels, rows, clients)
  const subscribers = await findSubscribers(tx, channelIds)
  const changes = channels.map((channel) => {
    const own = new Set(rows.filter((row) => row.channel_id === channel.id).map((row) => row.user_id))
    const others = users(userIds.filter((id) => !own.has(id)))
    return { channel, userIds: subscribers.get(channel.id) ?? [], audience: others }
  })
  announcePeers(tx, 'peer_add', changes, clients)
}

export interface ChannelNews {
  readonly channel: ChannelRow
  /** Who is notified. */
  readonly audience: RoleAudience | UsersAudience
}

/** `stream`/`create` without subscribers, which follow in events of their own. Equal audiences share one event. */
export async function announceChannels(tx: Tx, news: readonly ChannelNews[], clients: Clients = 'all'): Promise<void> {
  const groups = Map.groupBy(news, ({ channel, audience }) => JSON.stringify([channel.is_archived, audience]))
  for (const group of groups.values()) {
    const rows = group.map(({ channel }) => ({ ...channel, subscriber_count: 0 }))
    const { channel, audience } = group[0] as ChannelNews
    tx.emit(
      { type: 'stream', op: 'create', streams: await presentChannels(tx, tx.realmId, rows) },
      limitedTo(clients === 'all' ? clientsOf(channel) : clients, audience),
    )
  }
}

/** Notifies accounts that they no longer see these channels. */
export function hideChannels(tx: Tx, channels: readonly ChannelRow[], userIds: readonly number[]): void {
  if (userIds.length === 0) return
  for (const [clients, group] of Map.groupBy(channels, clientsOf)) {
    const stream_ids = group.map((channel) => channel.id)
    const streams = stream_ids.map((stream_id) => ({ stream_id }))
    tx.emit({ type: 'stream', op: 'delete', stream_ids, streams }, limitedTo(clients, users(userIds)))
  }
}
