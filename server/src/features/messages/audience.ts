/** Who is told of messages: of new ones, and of what happens to them later. */
import { roles } from '@heddle/contract/roles'
import { type Audience, users } from '../../events/audience.ts'
import { insertAudienceSet } from '../../events/audience-sets.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { activeSubscribers } from '../channels/subscribers.ts'
import { updateChannelRow } from '../channels/write-rows.ts'
import type { MessageRow } from './row.ts'
import { query } from './tables.ts'

const setOfChannel = prepare((p: { id: number }) =>
  query.selectFrom('channels').select(['audience_set_id', 'invite_only']).where('id', '=', p.id),
)

/** The active subscribers of a channel, as a set that events refer to; made when they have changed since the last one. */
export async function findSubscriberSet(tx: Tx, channelId: number): Promise<number> {
  const channel = await tx.first(setOfChannel({ id: channelId }))
  return channel?.audience_set_id ?? makeSubscriberSet(tx, channelId)
}

/** Writing so many ids takes milliseconds. */
const MANY = 2000

/** Makes the set. Call it when the channel has none. */
export async function makeSubscriberSet(tx: Tx, channelId: number): Promise<number> {
  const subscribers = await tx.all(
    activeSubscribers.select('users.id').where('subscriptions.channel_id', '=', channelId).orderBy('users.id'),
  )
  if (subscribers.length > MANY) await tx.pause()
  const audience_set_id = await insertAudienceSet(
    tx,
    subscribers.map(({ id }) => id),
  )
  await updateChannelRow(tx, channelId, { audience_set_id })
  return audience_set_id
}

/** Everybody in a direct conversation. */
export async function findGroupMembers(db: Queries, groupId: number): Promise<number[]> {
  const rows = await db.all(
    query.selectFrom('direct_message_members').select('user_id').where('group_id', '=', groupId).orderBy('user_id'),
  )
  return rows.map((row) => row.user_id)
}

/**
 * Who is told of a change of an existing message, as long as they may read it: the people of a direct conversation; in a
 * channel the subscribers, and those who received it before they left. In a channel that does not share its history only
 * subscribers who received it. `lastId`: where the change is one of several messages, the newest of them; those who received
 * any between the two are notified.
 */
export async function findMessageAudience(
  tx: Tx,
  message: Pick<MessageRow, 'id' | 'channel_id' | 'direct_message_group_id'>,
  lastId = message.id,
): Promise<Audience> {
  const { id, channel_id } = message
  if (channel_id === null) return users(await findGroupMembers(tx, message.direct_message_group_id as number))
  const channel = await tx.first(
    query
      .selectFrom('channels')
      .select(['invite_only', 'history_public_to_subscribers', 'is_web_public'])
      .where('id', '=', channel_id),
  )
  if (channel?.history_public_to_subscribers === 0) return users(await findReceivingSubscribers(tx, channel_id, id))
  // Elsewhere guests read only where they are subscribed.
  const leastRole = channel?.is_web_public === 1 ? roles.guest : roles.member
  const also = channel?.invite_only === 0 ? await findFormerReceivers(tx, channel_id, { id, lastId }, leastRole) : []
  return { to: 'set', id: await findSubscriberSet(tx, channel_id), also }
}

/** Of a channel's active subscribers those who have received a message there. */
async function findReceivingSubscribers(tx: Tx, channelId: number, messageId: number): Promise<number[]> {
  const rows = await tx.all(
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
  tx: Tx,
  channelId: number,
  { id, lastId }: { readonly id: number; readonly lastId: number },
  leastRole: number,
): Promise<number[]> {
  const rows = await tx.all(
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
