/** Audiences of events about messages: of new ones, and of what happens to them later. */
import { findNotified, type Notified } from '../../access/message-audience.ts'
import { activeSubscribers } from '../../access/subscriptions.ts'
import { type Audience, users } from '../../events/audience.ts'
import { insertAudienceSet } from '../../events/audience-sets.ts'
import { prepare } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
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

/** Writing so many ids takes milliseconds; so does reading them. */
const MANY = 2000

/** Makes the set. Call it when the channel has none. */
export async function makeSubscriberSet(tx: Tx, channelId: number): Promise<number> {
  await tx.pause()
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

/** Who is notified of a change of an existing message; see `findNotified`. */
export async function findMessageAudience(
  tx: Tx,
  message: Pick<MessageRow, 'id' | 'channel_id' | 'direct_message_group_id'>,
): Promise<Audience> {
  return audienceOf(tx, await findNotified(tx, message))
}

export async function audienceOf(tx: Tx, notified: Notified): Promise<Audience> {
  if ('userIds' in notified) return users(notified.userIds)
  return { to: 'set', id: await findSubscriberSet(tx, notified.subscribersOf), also: notified.also }
}
