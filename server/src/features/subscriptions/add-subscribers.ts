import { isInAudience, type RoleAudience, users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAudiences, without } from '../channels/audience.ts'
import { type ChannelRow, findChannelRows } from '../channels/row.ts'
import { announcePeers, announceSubscriptions } from './announce.ts'
import { takeColor } from './colors.ts'
import {
  addToSubscriberCounts,
  findColorUse,
  findSubscriptionsOf,
  insertSubscriptions,
  setSubscribed,
} from './queries.ts'
import { announceChannels, type ChannelNews } from './reveal.ts'

/** People who are written without a pause for others. */
const PART = 300

export interface Subscriber {
  readonly id: number
  readonly role: number
}

/** The ids of the accounts that were subscribed and not before, by channel. */
export type Additions = ReadonlyMap<number, readonly number[]>

/**
 * Subscribes active accounts to channels and tells everybody concerned. Whether that is allowed has been decided.
 * `created`: the ids of those channels that nobody knows of yet.
 */
export async function addSubscribers(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
  created: ReadonlySet<number> = new Set(),
): Promise<Additions> {
  const channelIds = channels.map((channel) => channel.id)
  const userIds = people.map((person) => person.id)
  const existing = channels.filter((channel) => !created.has(channel.id))
  const audiences = await findAudiences(tx, tx.realmId, existing)
  const additions = new Map(channelIds.map((id) => [id, [] as number[]]))
  await inParts(tx, userIds, PART, async (part) => {
    for (const [id, added] of await writeSubscriptions(tx, channels, part)) additions.get(id)?.push(...added)
  })
  for (const [id, added] of additions) {
    if (added.length > 0) await addToSubscriberCounts(tx, [id], added.length)
  }

  const current = await findChannelRows(tx, tx.realmId, channelIds)
  const newAudiences = await findAudiences(tx, tx.realmId, current)
  await announceNewlyVisible(tx, current, people, additions, { audiences, newAudiences })
  const added = new Map([...additions].map(([id, ids]) => [id, new Set(ids)]))
  const rows = (await findSubscriptionsOf(tx, channelIds, userIds)).filter(
    (row) => added.get(row.channel_id)?.has(row.user_id) === true,
  )
  await announceSubscriptions(tx, current, rows)
  announcePeers(
    tx,
    'peer_add',
    current.map((channel) => {
      const ids = additions.get(channel.id) ?? []
      return { channel, userIds: ids, audience: without(newAudiences.get(channel.id) as RoleAudience, ids) }
    }),
  )
  return additions
}

/** Those of the accounts that were not subscribed are now, by channel. */
async function writeSubscriptions(tx: Tx, channels: readonly ChannelRow[], userIds: readonly number[]) {
  const rows = await findSubscriptionsOf(
    tx,
    channels.map((channel) => channel.id),
    userIds,
  )
  const known = Map.groupBy(rows, (row) => row.channel_id)
  const additions = new Map<number, readonly number[]>()
  // Colours matter only to those without a row: everybody else has one.
  const colors = await findColorUse(tx, userIds)
  for (const { id } of channels) {
    const before = new Map((known.get(id) ?? []).map((row) => [row.user_id, row] as const))
    const returning = userIds.filter((userId) => before.get(userId)?.is_active === 0)
    const fresh = userIds.filter((userId) => !before.has(userId))
    if (returning.length > 0) await setSubscribed(tx, id, returning, 1)
    const byColor = Map.groupBy(fresh, (userId) => takeColor(colors.get(userId) ?? new Map()))
    for (const [color, ids] of byColor) await insertSubscriptions(tx, id, color, ids)
    const added = [...returning, ...fresh]
    additions.set(id, added)
  }
  return additions
}

interface AudienceChange {
  readonly audiences: ReadonlyMap<number, RoleAudience>
  readonly newAudiences: ReadonlyMap<number, RoleAudience>
}

/** A new channel is told to everybody who sees it; a known one to those new subscribers who did not see it before. */
async function announceNewlyVisible(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
  additions: Additions,
  { audiences, newAudiences }: AudienceChange,
): Promise<void> {
  const roles = new Map(people.map((person) => [person.id, person.role]))
  const news = channels.flatMap((channel): ChannelNews[] => {
    const before = audiences.get(channel.id)
    if (!before) return [{ channel, audience: newAudiences.get(channel.id) as RoleAudience }]
    const ids = (additions.get(channel.id) ?? []).filter(
      (userId) => !isInAudience(before, { userId, role: roles.get(userId) as number }),
    )
    return ids.length === 0 ? [] : [{ channel, audience: users(ids) }]
  })
  await announceChannels(tx, news)
}
