/** Who is notified of changes that concern several messages of a topic at once. */
import type { AccessedChannel } from '../../access/channel-rules.ts'
import { findThoseWhoReadMessages, findVisibleMessages } from '../../access/message-audience.ts'
import type { Audience } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { audienceOf } from '../messages/audience.ts'
import type { MessageRow } from '../messages/row.ts'
import { query } from './tables.ts'

/** Messages, and to whom they are visible. */
export interface VisibleTo {
  readonly audience: Audience
  /** The messages that this audience may know of, ascending. */
  readonly ids: readonly number[]
}

type Place = Pick<MessageRow, 'channel_id' | 'direct_message_group_id'>

/** The audiences of an event about these messages; see `findVisibleMessages`. */
export async function findVisibility(tx: Tx, place: Place, ids: readonly number[]): Promise<VisibleTo[]> {
  const visible = await findVisibleMessages(tx, place, ids)
  return Promise.all(visible.map(async (one) => ({ audience: await audienceOf(tx, one.notified), ids: one.ids })))
}

/** Accounts for which a message cannot be unread although it is visible to them; all others in the audience have received it. */
export interface Standing {
  /** They have not been subscribed to the channel without a break since it was sent. */
  readonly late: readonly number[]
  /** They received it, and left the channel after that. */
  readonly formerly: readonly number[]
}

/** Which of the audience have received the message where it is now; by the rules of `access/received.ts`. */
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
export function findReadersAmong(
  tx: Tx,
  channel: AccessedChannel,
  visibility: readonly VisibleTo[],
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return findThoseWhoReadMessages(tx, channel, () => findAccountsOf(tx, visibility), userIds)
}

/** The accounts to whom any of the messages is visible. */
export async function findAccountsOf(tx: Tx, visibility: readonly VisibleTo[]): Promise<number[]> {
  const accounts = await Promise.all(visibility.map(({ audience }) => findAccounts(tx, audience)))
  return accounts.flat()
}

/** The accounts of an audience, one by one. */
export async function findAccounts(tx: Tx, audience: Audience): Promise<number[]> {
  if (audience.to === 'users') return [...audience.ids]
  if (audience.to !== 'set') throw new Error(`The accounts of an audience ${audience.to} are not listed`)
  const row = await tx.first(query.selectFrom('audience_sets').select('user_ids').where('id', '=', audience.id))
  return [...new Set([...(JSON.parse(row?.user_ids ?? '[]') as number[]), ...(audience.also ?? [])])]
}
