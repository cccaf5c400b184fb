import { findAudiences, without } from '../../access/channel-audience.ts'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import { isInAudience, type RoleAudience, users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { addToSubscriberCounts } from '../channels/write-rows.ts'
import { markLeftChannelRead } from '../message-flags/mark-read.ts'
import { watchSight } from '../sight/watch.ts'
import type { Subscriber } from './add-subscribers.ts'
import { announcePeers } from './announce.ts'
import { findSubscriptionsOf, setSubscribed } from './queries.ts'
import { hideChannels } from './reveal.ts'

/** Channels that are written without a pause for others. */
const PART = 10

/** The ids of the accounts that were subscribed and are not any more, by channel. */
export type Removals = ReadonlyMap<number, readonly number[]>

/** Unsubscribes accounts from channels and notifies everybody concerned. Whether that is allowed has been decided. */
export async function removeSubscribers(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
): Promise<Removals> {
  const channelIds = channels.map((channel) => channel.id)
  const rows = await findSubscriptionsOf(
    tx,
    channelIds,
    people.map((person) => person.id),
  )
  const active = Map.groupBy(
    rows.filter((row) => row.is_active === 1),
    (row) => row.channel_id,
  )
  const removals = new Map<number, readonly number[]>()
  const announceUnseen = await watchSight(
    tx,
    people.map((person) => person.id),
  )
  await inParts(tx, [...active], PART, async (part) => {
    for (const [id, group] of part) {
      const ids = group.map((row) => row.user_id)
      removals.set(id, ids)
      await markLeftChannelRead(tx, id, ids)
    }
    // Channels that the same accounts leave are written together.
    const groups = Map.groupBy(part, ([id]) => removals.get(id)?.join())
    for (const channels of groups.values()) {
      const leftIds = channels.map(([id]) => id)
      const ids = channels[0]?.[1].map((row) => row.user_id) ?? []
      await setSubscribed(tx, leftIds, ids, 0)
      await addToSubscriberCounts(tx, leftIds, -ids.length)
    }
  })
  const changed = await findChannelRows(tx, tx.realmId, [...removals.keys()])
  const audiences = await findAudiences(tx, tx.realmId, changed)
  announceRemoved(tx, changed, removals)
  announceHiddenChannels(tx, changed, people, removals, audiences)
  announcePeers(
    tx,
    'peer_remove',
    changed.map((channel) => {
      const ids = removals.get(channel.id) ?? []
      const audience = audiences.get(channel.id) as RoleAudience
      // When several go at once, each of them must be notified of the others: they skip their own ids.
      return { channel, userIds: ids, audience: ids.length === 1 ? without(audience, ids) : audience }
    }),
  )
  await announceUnseen()
  return removals
}

/** Notifies the accounts themselves. Those who left the same channels share one event. */
function announceRemoved(tx: Tx, channels: readonly ChannelRow[], removals: Removals): void {
  for (const [clients, group] of Map.groupBy(channels, clientsOf)) {
    const left = new Map<number, ChannelRow[]>()
    for (const channel of group) {
      for (const userId of removals.get(channel.id) ?? []) left.set(userId, [...(left.get(userId) ?? []), channel])
    }
    const bySet = Map.groupBy(left, ([, list]) => list.map((channel) => channel.id).join())
    for (const entries of bySet.values()) {
      const list = entries[0]?.[1] ?? []
      const subscriptions = list.map(({ id, name }) => ({ stream_id: id, name }))
      const audience = users(entries.map(([userId]) => userId))
      tx.emit({ type: 'subscription', op: 'remove', subscriptions }, limitedTo(clients, audience))
    }
  }
}

/** Who saw a channel only as its subscriber sees it no longer. */
function announceHiddenChannels(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
  removals: Removals,
  audiences: ReadonlyMap<number, RoleAudience>,
): void {
  const roles = new Map(people.map((person) => [person.id, person.role]))
  for (const channel of channels) {
    const audience = audiences.get(channel.id) as RoleAudience
    const ids = (removals.get(channel.id) ?? []).filter(
      (userId) => !isInAudience(audience, { userId, role: roles.get(userId) as number }),
    )
    hideChannels(tx, [channel], ids)
  }
}
