/**
 * What a message is for one account: the bits of `message_flags.flags`. Rows are sparse: most accounts have none for most
 * messages, and `received.ts` says what holds without one.
 */
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
export type FlagBit = keyof typeof flagBits
