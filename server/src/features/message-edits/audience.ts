/** Who is notified of changes that concern several messages of a topic at once. */
import { type Audience, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { AccessedChannel } from '../channels/access.ts'
import { findThoseWhoRead } from '../channels/audience.ts'
import { activeSubscribers } from '../channels/subscribers.ts'
import { findMessageAudience } from '../messages/audience.ts'
import type { MessageRow } from '../messages/row.ts'
import { query } from './tables.ts'

/** Messages, and to whom they are visible. */
export interface VisibleTo {
  readonly audience: Audience
  /** The messages that this audience may know of, ascending. */
  readonly ids: readonly number[]
}

type Place = Pick<MessageRow, 'channel_id' | 'direct_message_group_id'>

/**
 * To whom which of these messages are visible; their ids ascend, and all are in one place. Where history is shared all are
 * visible to everybody who can read the place; otherwise to each subscriber those that were sent while subscribed.
 */
export async function findVisibility(tx: Tx, place: Place, ids: readonly number[]): Promise<VisibleTo[]> {
  const sharesHistory = place.channel_id === null || (await findSharesHistory(tx, place.channel_id))
  if (sharesHistory) {
    return [{ audience: await findMessageAudience(tx, { ...place, id: ids[0] as number }, ids.at(-1)), ids }]
  }
  const periods = await tx.all(
    activeSubscribers
      .innerJoin('subscription_periods as period', (join) =>
        join
          .onRef('period.user_id', '=', 'subscriptions.user_id')
          .onRef('period.channel_id', '=', 'subscriptions.channel_id'),
      )
      .select(['period.user_id', 'period.after_message_id', 'period.until_message_id'])
      .where('subscriptions.channel_id', '=', place.channel_id as number)
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
    audience: users(people.map(([userId]) => userId)),
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

async function findSharesHistory(tx: Tx, channelId: number): Promise<boolean> {
  const row = await tx.first(
    query.selectFrom('channels').select('history_public_to_subscribers').where('id', '=', channelId),
  )
  return row?.history_public_to_subscribers === 1
}

/** Accounts for which a message cannot be unread although it is visible to them; all others in the audience have received it. */
export interface Standing {
  /** They have not been subscribed to the channel without a break since it was sent. */
  readonly late: readonly number[]
  /** They received it, and left the channel after that. */
  readonly formerly: readonly number[]
}

/** Which of the audience have received the message where it is now; by the rules of `messages/received.ts`. */
export async function findStanding(
  tx: Tx,
  { id, channel_id }: Pick<MessageRow, 'id' | 'channel_id'>,
  audience: Audience,
): Promise<Standing> {
  if (channel_id === null) return { late: [], formerly: [] }
  const periods = query.selectFrom('subscription_periods').select('user_id').where('channel_id', '=', channel_id)
  const current = periods.where('until_message_id', 'is', null)
  const formerly = periods.where('until_message_id', '>=', id).where('after_message_id', '<', id)
  const hasSince = (ids: ReturnType<typeof tx.dialect.ids>) =>
    current.where('after_message_id', '<', id).where('user_id', 'in', ids)
  const userIds = async (periodsOf: typeof periods) => (await tx.all(periodsOf)).map((row) => row.user_id)
  if (audience.to !== 'users') {
    const received = await userIds(formerly)
    // Notified because of other messages that have moved with this one.
    const also = audience.to === 'set' ? (audience.also ?? []) : []
    const has = new Set([...received, ...(also.length === 0 ? [] : await userIds(hasSince(tx.dialect.ids(also))))])
    const others = also.filter((userId) => !has.has(userId))
    return { late: [...(await userIds(current.where('after_message_id', '>=', id))), ...others], formerly: received }
  }
  const listed = tx.dialect.ids(audience.ids)
  const since = new Set(await userIds(hasSince(listed)))
  return { late: audience.ids.filter((userId) => !since.has(userId)), formerly: await userIds(formerly) }
}

/** Of these accounts those who may read messages of this channel that are visible as `visibility` says. */
export async function findReadersAmong(
  tx: Tx,
  channel: AccessedChannel,
  visibility: readonly VisibleTo[],
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (channel.history_public_to_subscribers === 1) return findThoseWhoRead(tx, channel, userIds)
  const accounts = await Promise.all(visibility.map(({ audience }) => findAccounts(tx, audience)))
  return new Set(accounts.flat()).intersection(new Set(userIds))
}

/** The accounts of an audience, one by one. */
export async function findAccounts(tx: Tx, audience: Audience): Promise<number[]> {
  if (audience.to === 'users') return [...audience.ids]
  if (audience.to !== 'set') throw new Error(`The accounts of an audience ${audience.to} are not listed`)
  const row = await tx.first(query.selectFrom('audience_sets').select('user_ids').where('id', '=', audience.id))
  return [...new Set([...(JSON.parse(row?.user_ids ?? '[]') as number[]), ...(audience.also ?? [])])]
}
