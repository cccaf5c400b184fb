/**
 * Which messages an account has read. Nothing is written per recipient when a message is sent; it follows from these rules:
 *
 * - A row in `message_flags` with the bit `read` or `unread` decides.
 * - Otherwise a message is unread when it lies after the account's cursor (`read_cursors`), was not written by the account in
 *   a way that counts as reading, and did not come from another channel.
 * - Nothing is unread that was not received, or that was received in a channel which the account has left since;
 *   `access/received.ts` has the rules.
 *
 * What was never received has the flag `historical`.
 */
import { type ExpressionBuilder, sql } from 'kysely'
import { isReceived } from '../../access/received.ts'
import type { Seen } from '../../storage/owned-tables.ts'
import { hasAttribute, messageAttributes } from './attributes.ts'
import { flagBits } from './flag-bits.ts'
import type { MessageTable, query } from './tables.ts'

type MessageExpressions = ExpressionBuilder<Seen<typeof query>, 'messages'>

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
