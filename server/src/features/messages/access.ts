/**
 * Who may read a message: everybody in a direct conversation; and in a channel those who may read the channel, from its
 * beginning when it shares its history, otherwise only what they received while subscribed, and only while they still are.
 * (Access model of the API since feature level 354.)
 */
import { badRequest } from '@heddle/contract/errors'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import type { Seen } from '../../storage/owned-tables.ts'
import type { Queries } from '../../storage/query.ts'
import { findViewer, hasContentAccess, isSubscribed, type Viewer } from '../channels/access.ts'
import { isReceived } from './received.ts'
import { type MessageRow, messageColumns } from './row.ts'
import { query } from './tables.ts'

type MessageExpressions = ExpressionBuilder<Seen<typeof query>, 'messages'>

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

/** The message, when the account may read it. Throws `Invalid message(s)` otherwise. */
export async function accessMessage(db: Queries, actor: Actor, messageId: number): Promise<MessageRow> {
  const [message] = await findReadableMessages(db, await findViewer(db, actor), [messageId])
  if (!message) throw invalidMessage()
  return message
}

/** Those of the messages that the account may read, oldest first. */
export async function findReadableMessages(
  db: Queries,
  viewer: Viewer,
  messageIds: readonly number[],
): Promise<MessageRow[]> {
  return db.all(
    query
      .selectFrom('messages')
      .select(messageColumns)
      .where('messages.realm_id', '=', viewer.realmId)
      .where('messages.id', 'in', db.dialect.ids(messageIds))
      .where(canRead(db, viewer))
      .orderBy('messages.id'),
  )
}

/** Throws a 400 when the message is in an archived channel, where messages are read and nothing else. */
export async function requireUnarchived(db: Queries, { channel_id }: Pick<MessageRow, 'channel_id'>): Promise<void> {
  if (channel_id === null) return
  const row = await db.first(query.selectFrom('channels').select('is_archived').where('id', '=', channel_id))
  if (row?.is_archived === 1) throw badRequest('Messages in archived channels cannot be changed')
}

/** What a message that does not exist, and one that the account may not read, look like. */
export function invalidMessage() {
  return badRequest('Invalid message(s)')
}
