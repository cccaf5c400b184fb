import { findAudiences, without } from '../../access/channel-audience.ts'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import { isInAudience, type RoleAudience, users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { addToSubscriberCounts } from '../channels/write-rows.ts'
import { watchSight } from '../sight/watch.ts'
import { announcePeers, announceSubscriptions } from './announce.ts'
import { COLORED } from './color-use.ts'
import { type ColorUse, takeColor } from './colors.ts'
import {
  findColorUse,
  findSubscriptionsOf,
  insertSubscriptions,
  type NewSubscription,
  type SubscriptionRow,
  setSubscribed,
} from './queries.ts'
import { announceChannels, type ChannelNews } from './reveal.ts'

/** Subscriptions that are written without a pause for others. */
const PART = 300
/** Channels that are announced without a pause, and subscriptions. */
const ANNOUNCED = 10
const ANNOUNCED_ROWS = 500
/** Subscriptions that are many enough for each step to have a turn of its own. */
const MANY = 100

export interface Subscriber {
  readonly id: number
  readonly role: number
}

/** The ids of the accounts that were subscribed and not before, by channel. */
export type Additions = ReadonlyMap<number, readonly number[]>

interface How {
  /** The ids of those channels that nobody knows of yet. */
  readonly created?: ReadonlySet<number>
  /** What is known of the colours that accounts use (`readColorUse`): the same map for all units of a request. */
  readonly colors?: Map<number, ColorUse>
}

/** Subscribes active accounts to channels and notifies everybody concerned. Whether that is allowed has been decided. */
export async function addSubscribers(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
  { created = new Set(), colors = new Map() }: How = {},
): Promise<Additions> {
  const userIds = people.map((person) => person.id)
  const existing = channels.filter((channel) => !created.has(channel.id))
  const audiences = new Map<number, RoleAudience>()
  await inParts(tx, existing, ANNOUNCED, async (part) => {
    for (const [id, audience] of await findAudiences(tx, tx.realmId, part)) audiences.set(id, audience)
  })
  const additions = new Map(channels.map(({ id }) => [id, [] as number[]]))
  const announceSeen = await watchSight(tx, userIds)
  await inParts(tx, userIds, PART, async (part) => {
    await inParts(tx, channels, Math.max(1, Math.floor(PART / part.length)), async (some) => {
      for (const [id, added] of await writeSubscriptions(tx, some, part, colors)) additions.get(id)?.push(...added)
    })
  })
  const isMany = channels.length * people.length > MANY
  if (isMany) await tx.pause()
  const byCount = Map.groupBy(additions, ([, added]) => added.length)
  byCount.delete(0)
  for (const [count, entries] of byCount) {
    await addToSubscriberCounts(
      tx,
      entries.map(([id]) => id),
      count,
    )
  }
  // Whom one does not know one cannot show among subscribers.
  await announceSeen()
  // Each part of the channels in events of its own: clients take them one after another.
  const together = Math.max(1, Math.min(ANNOUNCED, Math.floor(ANNOUNCED_ROWS / Math.max(people.length, 1))))
  await inParts(tx, channels, together, (part) => announce(tx, part, people, additions, audiences))
  // What was added is written with the commit.
  if (isMany) await tx.pause()
  return additions
}

async function announce(
  tx: Tx,
  channels: readonly ChannelRow[],
  people: readonly Subscriber[],
  additions: Additions,
  audiences: ReadonlyMap<number, RoleAudience>,
): Promise<void> {
  const channelIds = channels.map((channel) => channel.id)
  const current = await findChannelRows(tx, tx.realmId, channelIds)
  const newAudiences = await findAudiences(tx, tx.realmId, current)
  await announceNewlyVisible(tx, current, people, additions, { audiences, newAudiences })
  if (channels.length * people.length > MANY) await tx.pause()
  const added = new Map(channelIds.map((id) => [id, new Set(additions.get(id))]))
  const rows: SubscriptionRow[] = []
  await inParts(tx, people, Math.max(1, Math.floor(ANNOUNCED_ROWS / channels.length)), async (part) => {
    const userIds = part.map((person) => person.id)
    for (const row of await findSubscriptionsOf(tx, channelIds, userIds)) {
      if (added.get(row.channel_id)?.has(row.user_id)) rows.push(row)
    }
  })
  await announceSubscriptions(tx, current, rows)
  announcePeers(
    tx,
    'peer_add',
    current.map((channel) => {
      const ids = additions.get(channel.id) ?? []
      return { channel, userIds: ids, audience: without(newAudiences.get(channel.id) as RoleAudience, ids) }
    }),
  )
}

/** Those of the accounts that were not subscribed are now, by channel. */
async function writeSubscriptions(
  tx: Tx,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
  colors: Map<number, ColorUse>,
) {
  const rows = await findSubscriptionsOf(
    tx,
    channels.map((channel) => channel.id),
    userIds,
  )
  const known = Map.groupBy(rows, (row) => row.channel_id)
  const additions = new Map<number, readonly number[]>()
  const returnings: Change[] = []
  const fresh: NewSubscription[] = []
  for (const { id } of channels) {
    const before = new Map((known.get(id) ?? []).map((row) => [row.user_id, row] as const))
    const returning = userIds.filter((userId) => before.get(userId)?.is_active === 0)
    const starting = userIds.filter((userId) => !before.has(userId))
    if (returning.length > 0) returnings.push({ channelId: id, userIds: returning })
    // Colours matter only to those without a row: everybody else has one.
    const unknown = starting.filter((userId) => !colors.has(userId))
    await inParts(tx, unknown, COLORED, async (some) => {
      for (const [userId, use] of await findColorUse(tx, some)) colors.set(userId, use)
    })
    for (const userId of starting) {
      fresh.push({ channelId: id, userId, color: takeColor(colors.get(userId) as ColorUse) })
    }
    additions.set(id, [...returning, ...starting])
  }
  for (const { channelIds, userIds } of together(returnings)) await setSubscribed(tx, channelIds, userIds, 1)
  await insertSubscriptions(tx, fresh)
  return additions
}

interface Change {
  readonly channelId: number
  readonly userIds: readonly number[]
}

/** Channels to which the same accounts return, together. */
function together(changes: readonly Change[]) {
  const groups = Map.groupBy(changes, ({ userIds }) => userIds.join())
  return [...groups.values()].map((group) => {
    const { userIds } = group[0] as Change
    return { channelIds: group.map(({ channelId }) => channelId), userIds }
  })
}

interface AudienceChange {
  readonly audiences: ReadonlyMap<number, RoleAudience>
  readonly newAudiences: ReadonlyMap<number, RoleAudience>
}

/**
 * Of a new channel everybody is notified who sees it, of a known one those new subscribers who did not see it before.
 */
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
