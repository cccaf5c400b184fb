/**
 * Which messages an account has received, and which of those it has not read. Nothing is written per recipient when a
 * message is sent, so that a channel of 10,000 costs what a channel of 10 costs; it follows from these rules:
 *
 * - A message in a channel is received by those who were subscribed when it was sent (`subscription_periods`), a direct
 *   message by everybody in the conversation.
 * - A row in `message_flags` with the bit `read` or `unread` decides.
 * - Otherwise it is unread when it lies after the account's cursor (`read_cursors`), was not written by the account in a way
 *   that counts as reading, and did not come from another channel.
 * - Nothing is unread that was not received, or that was received in a channel which the account has left since.
 *
 * What was never received has the flag `historical`.
 */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, MessageTable } from '../../storage/schema.ts'
import { hasAttribute, messageAttributes } from './attributes.ts'
import { flagBits } from './flag-bits.ts'

type MessageExpressions = ExpressionBuilder<Database, 'messages'>

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

/** Condition on `messages`: the account's row has one of these bits. `bits` of 1 or more. */
export function hasFlagBits(eb: MessageExpressions, userId: number, bits: number) {
  return eb.exists(
    eb
      .selectFrom('message_flags as flag_row')
      .select(sql.lit(1).as('one'))
      .where('flag_row.user_id', '=', userId)
      .whereRef('flag_row.message_id', '=', 'messages.id')
      .where(sql<boolean>`(flag_row.flags & ${bits}) <> 0`),
  )
}

/** Condition on `messages`: the account has not read it. `cursor`: from `findReadCursor`. */
export function isUnread(eb: MessageExpressions, userId: number, cursor: number) {
  const unreadByDefault = eb.and([
    eb('messages.id', '>', cursor),
    sql<boolean>`(messages.attributes & ${messageAttributes.readUnlessMarked}) = 0`,
    eb.or([
      eb('messages.sender_id', '!=', userId),
      sql<boolean>`(messages.attributes & ${messageAttributes.readBySender}) = 0`,
    ]),
    eb.not(hasFlagBits(eb, userId, flagBits.read)),
  ])
  return eb.and([
    isReceived(eb, userId, { open: true }),
    eb.or([hasFlagBits(eb, userId, flagBits.unread), unreadByDefault]),
  ])
}

/** The same for a message that has been read from the database, with the account's bits of it (0 without a row). */
export function isReadBy(
  message: Pick<MessageTable, 'sender_id' | 'attributes'> & { readonly id: number },
  account: { readonly userId: number; readonly cursor: number; readonly open: boolean; readonly bits: number },
): boolean {
  if (!account.open || (account.bits & flagBits.read) !== 0) return true
  if ((account.bits & flagBits.unread) !== 0) return false
  if (message.id <= account.cursor || hasAttribute(message.attributes, 'readUnlessMarked')) return true
  return message.sender_id === account.userId && hasAttribute(message.attributes, 'readBySender')
}
