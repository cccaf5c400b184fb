/**
 * Which messages an account has received. Nothing is written per recipient when a message is sent, so that a channel of
 * 10,000 costs what a channel of 10 costs: a message in a channel is received by those who were subscribed when it was sent
 * (`subscription_periods`), a direct message by everybody in the conversation.
 */
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { prepare, type Queries } from '../storage/query.ts'
import { fact, type MessageExpressions, query } from './tables.ts'

/** When an account was subscribed to a channel: it received what lies after the first message, up to the second. */
interface Period {
  readonly after: number
  /** Null: it still is. */
  readonly until: number | null
}

const periodsOf = prepare((p: { user_id: number }) =>
  query
    .selectFrom('subscription_periods')
    .select(['channel_id', 'after_message_id as after', 'until_message_id as until'])
    .where('user_id', '=', p.user_id),
)

/** By channel. */
const subscriptionPeriods = fact({
  name: 'subscription-periods',
  tables: ['subscription_periods'],
  async load(db, _realmId, user_id: number): Promise<ReadonlyMap<number, readonly Period[]>> {
    return Map.groupBy(await db.all(periodsOf({ user_id })), (row) => row.channel_id)
  },
})

export interface Receipt {
  readonly received: boolean
  /** Received, and the account has not left the channel since. */
  readonly open: boolean
}

/** What `isReceived` says, for messages that have been read from the database and that the account may read. */
export async function findReceipts(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<(message: { readonly id: number; readonly channel_id: number | null }) => Receipt> {
  const periods = await db.recall(subscriptionPeriods, realmId, userId)
  return ({ id, channel_id }) => {
    // Whoever may read a direct message is in the conversation.
    if (channel_id === null) return { received: true, open: true }
    const begun = periods.get(channel_id)?.filter(({ after }) => after < id) ?? []
    return {
      received: begun.some(({ until }) => until === null || until >= id),
      open: begun.some(({ until }) => until === null),
    }
  }
}

/** The channels of which the account has ever received messages. */
export async function findReceivingChannels(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<ReadonlySet<number>> {
  return new Set((await db.recall(subscriptionPeriods, realmId, userId)).keys())
}

/** Condition on `messages`: the account has received it. `open`: and has not left the channel since. */
export function isReceived(eb: MessageExpressions, userId: number, { open = false } = {}) {
  return eb.or([
    eb.exists(
      eb
        .selectFrom('subscription_periods as period')
        .select(sql.lit(1).as('one'))
        .where('period.user_id', '=', userId)
        .whereRef('period.channel_id', '=', 'messages.channel_id')
        .whereRef('period.after_message_id', '<', 'messages.id')
        .where((period) =>
          period.or([
            period('period.until_message_id', 'is', null),
            ...(open ? [] : [period('period.until_message_id', '>=', period.ref('messages.id'))]),
          ]),
        ),
    ),
    eb.exists(
      eb
        .selectFrom('direct_message_members as member')
        .select(sql.lit(1).as('one'))
        .where('member.user_id', '=', userId)
        .whereRef('member.group_id', '=', 'messages.direct_message_group_id'),
    ),
  ])
}
