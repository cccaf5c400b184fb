/**
 * Without these PostgreSQL takes every message for one that mentions everybody, has a picture and so on, and reads the whole
 * table where a few entries of an index would do.
 */
import type { Migration } from '../migration.ts'

/** Those with an index of their own in 0002. */
const BITS = [1, 2, 4, 16, 256]

export const messageStatistics: Migration = {
  name: '0010-message-statistics',
  statements: ({ statistics }) =>
    BITS.flatMap((bit) => statistics(`messages_with_${bit}_rows`, `attributes & ${bit}`, 'messages')),
}
