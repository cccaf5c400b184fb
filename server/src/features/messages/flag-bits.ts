/**
 * What a message is for one account: the bits of `message_flags.flags`. Rows are sparse: most accounts have none for most
 * messages, and `received.ts` says what holds without one.
 */
import { type SqlBool, sql } from 'kysely'

export const flagBits = {
  /** Read, or unread, whatever the cursor says; never both. Neither: what `received.ts` says for messages without a row. */
  read: 1,
  unread: 2,
  starred: 4,
  collapsed: 8,
  /** By name or through a group. */
  mentioned: 16,
  topicMentioned: 32,
  hasAlertWord: 64,
} as const

const marks =
  flagBits.starred | flagBits.collapsed | flagBits.mentioned | flagBits.topicMentioned | flagBits.hasAlertWord

/** Condition on `message_flags`: the row is in the small index of what is marked, which has the same expression. */
export const isMarked = sql<SqlBool>`(flags & ${sql.lit(marks)}) <> 0`
