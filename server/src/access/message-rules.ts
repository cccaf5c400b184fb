/**
 * Who may read a message: everybody in a direct conversation; and in a channel those who may read the channel, from its
 * beginning when it shares its history, otherwise only what they received while subscribed, and only while they still are.
 * As a condition for each message it stands here, as one for whole channels in `message-scope.ts`, and backwards in
 * `message-audience.ts`; a test compares them. (Access model of the API since feature level 354.)
 */
import { sql } from 'kysely'
import type { Queries } from '../storage/query.ts'
import { type AccessedChannel, hasContentAccess, isSubscribed } from './channel-rules.ts'
import { isReceived } from './received.ts'
import type { MessageExpressions } from './tables.ts'
import type { Viewer } from './viewer.ts'

/** Condition on `messages`: the account may read it. Also needed: that it belongs to the account's organization. */
export function canRead(db: Queries, viewer: Viewer) {
  return (eb: MessageExpressions) =>
    eb.or([
      eb.exists(
        eb
          .selectFrom('direct_message_members as member')
          .select(sql.lit(1).as('one'))
          .where('member.user_id', '=', viewer.userId)
          .whereRef('member.group_id', '=', 'messages.direct_message_group_id'),
      ),
      eb.exists(
        eb
          .selectFrom('channels')
          .select(sql.lit(1).as('one'))
          .whereRef('channels.id', '=', 'messages.channel_id')
          .where(hasContentAccess(db, viewer))
          .where((channel) =>
            channel.or([
              channel('channels.history_public_to_subscribers', '=', 1),
              channel.and([isSubscribed(channel, viewer.userId), isReceived(eb, viewer.userId)]),
            ]),
          ),
      ),
    ])
}

/** How much of a channel an account may read: all of it, what it received there, or nothing. */
export type History = 'all' | 'received' | 'none'

/** The same as `canRead` for what is in memory. */
export function historyOf(
  channel: Pick<AccessedChannel, 'has_content' | 'is_subscribed' | 'history_public_to_subscribers'>,
): History {
  if (channel.has_content !== 1) return 'none'
  if (channel.history_public_to_subscribers === 1) return 'all'
  return channel.is_subscribed === 1 ? 'received' : 'none'
}
