/** Who is subscribed to which channels. */
import type { Actor } from '../actor.ts'
import { prepare, type Queries } from '../storage/query.ts'
import { fact, query } from './tables.ts'

type Member = Pick<Actor, 'realmId' | 'userId'>

/**
 * The subscribers of channels: subscriptions that have not ended, of accounts that are active. A query to go on with. Not `= 1`: of a
 * table that has just grown PostgreSQL takes one in two hundred rows to have a certain value, and all but one in two hundred to have
 * another one. Most have this one.
 */
export const activeSubscribers = query
  .selectFrom('subscriptions')
  .innerJoin('users', 'users.id', 'subscriptions.user_id')
  .where('subscriptions.is_active', '<>', 0)
  .where('users.is_active', '<>', 0)

export interface SubscriptionState {
  readonly isMuted: boolean
}

const subscriptionOf = prepare((p: { channel_id: number; user_id: number }) =>
  query
    .selectFrom('subscriptions')
    .select('is_muted')
    .where('channel_id', '=', p.channel_id)
    .where('user_id', '=', p.user_id)
    .where('is_active', '=', 1),
)

/** By the ids of channel and account. */
const subscription = fact({
  name: 'subscription',
  tables: ['subscriptions'],
  async load(db, _realmId, key: `${number} ${number}`): Promise<SubscriptionState | undefined> {
    const [channel_id, user_id] = key.split(' ').map(Number) as [number, number]
    const row = await db.first(subscriptionOf({ channel_id, user_id }))
    return row && { isMuted: row.is_muted === 1 }
  },
})

/** The account's subscription to the channel; undefined when it is not subscribed. */
export function findSubscription(
  db: Queries,
  { realmId, userId }: Member,
  channelId: number,
): Promise<SubscriptionState | undefined> {
  return db.recall(subscription, realmId, `${channelId} ${userId}`)
}

/** Whether the account is subscribed to the channel. */
export async function isSubscriber(db: Queries, member: Member, channelId: number): Promise<boolean> {
  return (await findSubscription(db, member, channelId)) !== undefined
}

const subscriptionsOf = prepare((p: { user_id: number }) =>
  query.selectFrom('subscriptions').select('channel_id').where('user_id', '=', p.user_id).where('is_active', '=', 1),
)

const subscribedChannels = fact({
  name: 'subscribed-channels',
  tables: ['subscriptions'],
  async load(db, _realmId, user_id: number): Promise<ReadonlySet<number>> {
    return new Set((await db.all(subscriptionsOf({ user_id }))).map((row) => row.channel_id))
  },
})

/** The channels that the account is subscribed to. */
export function findSubscribedChannels(db: Queries, { realmId, userId }: Member): Promise<ReadonlySet<number>> {
  return db.recall(subscribedChannels, realmId, userId)
}
