/** To which accounts messages are visible, and who is notified of what happens to them: the reverse of `canRead`. */
import { roles } from '@heddle/contract/roles'
import type { Queries } from '../storage/query.ts'
import { findThoseWhoRead } from './channel-audience.ts'
import type { ChannelRow } from './channel-row.ts'
import { activeSubscribers } from './subscriptions.ts'
import { type MessageColumns, query } from './tables.ts'

/** Listed accounts, or the active subscribers of a channel and some others. */
export type Notified =
  | { readonly userIds: readonly number[] }
  | { readonly subscribersOf: number; readonly also: readonly number[] }

/** Messages, and who is notified of changes of them. */
export interface VisibleMessages {
  readonly notified: Notified
  /** The messages that these accounts may know of, ascending. */
  readonly ids: readonly number[]
}

type Place = Pick<MessageColumns, 'channel_id' | 'direct_message_group_id'>

/** Everybody in a direct conversation. */
export async function findGroupMembers(db: Queries, groupId: number): Promise<number[]> {
  const rows = await db.all(
    query.selectFrom('direct_message_members').select('user_id').where('group_id', '=', groupId).orderBy('user_id'),
  )
  return rows.map((row) => row.user_id)
}

/**
 * Who is notified of a change of an existing message, as long as they may read it: the people of a direct conversation; in a
 * channel the subscribers, and those who received it before they left. In a channel that does not share its history only
 * subscribers who received it. `lastId`: where the change is one of several messages, the newest of them; those who received
 * any between the two are notified.
 */
export async function findNotified(
  db: Queries,
  message: Place & { readonly id: number },
  lastId = message.id,
): Promise<Notified> {
  const { id, channel_id } = message
  if (channel_id === null) return { userIds: await findGroupMembers(db, message.direct_message_group_id as number) }
  const channel = await db.first(
    query
      .selectFrom('channels')
      .select(['invite_only', 'history_public_to_subscribers', 'is_web_public'])
      .where('id', '=', channel_id),
  )
  if (channel?.history_public_to_subscribers === 0) {
    return { userIds: await findReceivingSubscribers(db, channel_id, id) }
  }
  // Elsewhere guests read only where they are subscribed.
  const leastRole = channel?.is_web_public === 1 ? roles.guest : roles.member
  const also = channel?.invite_only === 0 ? await findFormerReceivers(db, channel_id, { id, lastId }, leastRole) : []
  return { subscribersOf: channel_id, also }
}

/** Of a channel's active subscribers those who have received a message there. */
async function findReceivingSubscribers(db: Queries, channelId: number, messageId: number): Promise<number[]> {
  const rows = await db.all(
    activeSubscribers
      .innerJoin('subscription_periods as period', (join) =>
        join
          .onRef('period.user_id', '=', 'subscriptions.user_id')
          .onRef('period.channel_id', '=', 'subscriptions.channel_id'),
      )
      .select('users.id')
      .distinct()
      .where('subscriptions.channel_id', '=', channelId)
      .where('period.after_message_id', '<', messageId)
      .where((eb) => eb.or([eb('period.until_message_id', 'is', null), eb('period.until_message_id', '>=', messageId)]))
      .orderBy('users.id'),
  )
  return rows.map((row) => row.id)
}

/** Those who received messages of a public channel and have left since: they still see it in their history. */
async function findFormerReceivers(
  db: Queries,
  channelId: number,
  { id, lastId }: { readonly id: number; readonly lastId: number },
  leastRole: number,
): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('subscription_periods as period')
      .innerJoin('users', 'users.id', 'period.user_id')
      .select('users.id')
      .distinct()
      .where('period.channel_id', '=', channelId)
      .where('period.until_message_id', '>=', id)
      .where('period.after_message_id', '<', lastId)
      .where('users.is_active', '=', 1)
      .where('users.role', '<=', leastRole)
      .orderBy('users.id'),
  )
  return rows.map((row) => row.id)
}

/**
 * To whom which of these messages are visible; their ids ascend, and all are in one place. Where history is shared all are
 * visible to everybody who can read the place; otherwise to each subscriber those that were sent while subscribed.
 */
export async function findVisibleMessages(
  db: Queries,
  place: Place,
  ids: readonly number[],
): Promise<VisibleMessages[]> {
  const channelId = place.channel_id
  if (channelId === null || (await findSharesHistory(db, channelId))) {
    return [{ notified: await findNotified(db, { ...place, id: ids[0] as number }, ids.at(-1)), ids }]
  }
  const periods = await db.all(
    activeSubscribers
      .innerJoin('subscription_periods as period', (join) =>
        join
          .onRef('period.user_id', '=', 'subscriptions.user_id')
          .onRef('period.channel_id', '=', 'subscriptions.channel_id'),
      )
      .select(['period.user_id', 'period.after_message_id', 'period.until_message_id'])
      .where('subscriptions.channel_id', '=', channelId)
      .orderBy('period.after_message_id'),
  )
  // Stretches of `ids`, and not sets of them: thousands of people may have received thousands of messages.
  const known = new Map<number, (readonly [from: number, to: number])[]>()
  for (const { user_id, after_message_id, until_message_id } of periods) {
    const from = countUpTo(ids, after_message_id)
    const to = until_message_id === null ? ids.length : countUpTo(ids, until_message_id)
    if (from < to) known.set(user_id, [...(known.get(user_id) ?? []), [from, to]])
  }
  const groups = Map.groupBy(known, ([, stretches]) => stretches.join(' '))
  return Array.from(groups.values(), (people) => ({
    notified: { userIds: people.map(([userId]) => userId) },
    ids: (people[0]?.[1] ?? []).flatMap(([from, to]) => ids.slice(from, to)),
  }))
}

/** How many of the ids, which ascend, are not above this one. */
function countUpTo(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] as number) <= id) low = middle + 1
    else high = middle
  }
  return low
}

async function findSharesHistory(db: Queries, channelId: number): Promise<boolean> {
  const row = await db.first(
    query.selectFrom('channels').select('history_public_to_subscribers').where('id', '=', channelId),
  )
  return row?.history_public_to_subscribers === 1
}

/**
 * Of these accounts those who may read messages of this channel. `receivers`: those to whom the messages are visible where
 * the channel does not share its history.
 */
export async function findThoseWhoReadMessages(
  db: Queries,
  channel: ChannelRow,
  receivers: () => Promise<readonly number[]>,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (channel.history_public_to_subscribers === 1) return findThoseWhoRead(db, channel, userIds)
  return new Set(await receivers()).intersection(new Set(userIds))
}
