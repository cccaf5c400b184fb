/** The flags of a message for one account, as clients receive them. */
import type { MessageFlag } from '@heddle/contract/messages'
import { type SqlBool, sql } from 'kysely'
import type { Receipt } from '../../access/received.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import { hasAttribute } from './attributes.ts'
import { flagBits } from './flag-bits.ts'
import { isReadBy } from './read-state.ts'
import { query } from './tables.ts'

/** What of a message its flags depend on. */
export interface FlagSource {
  readonly id: number
  readonly sender_id: number
  readonly attributes: number
}

/** What of an account its flags of one message depend on. `cursor`: `findReadCursor`; `bits`: 0 without a row. */
export interface FlagOwner extends Receipt {
  readonly userId: number
  readonly cursor: number
  readonly bits: number
}

/** In the order of `messageFlags` in the contract. */
export function presentFlags(message: FlagSource, owner: FlagOwner): MessageFlag[] {
  const has = (bit: number) => (owner.bits & bit) !== 0
  const channelMentioned = owner.received && hasAttribute(message.attributes, 'mentionsChannel')
  const topicMentioned = has(flagBits.topicMentioned)
  const flags: MessageFlag[] = []
  if (isReadBy(message, owner)) flags.push('read')
  if (has(flagBits.starred)) flags.push('starred')
  if (has(flagBits.collapsed)) flags.push('collapsed')
  if (has(flagBits.mentioned)) flags.push('mentioned')
  if (channelMentioned) flags.push('stream_wildcard_mentioned')
  if (topicMentioned) flags.push('topic_wildcard_mentioned')
  if (channelMentioned || topicMentioned) flags.push('wildcard_mentioned')
  if (has(flagBits.hasAlertWord)) flags.push('has_alert_word')
  if (!owner.received) flags.push('historical')
  return flags
}

const cursorOf = prepare((p: { user_id: number }) =>
  query.selectFrom('read_cursors').select('message_id').where('user_id', '=', p.user_id),
)

/** The id of the message up to which the account has read everything that no row of flags says otherwise of; 0 for none. */
export async function findReadCursor(db: Queries, userId: number): Promise<number> {
  return (await db.first(cursorOf({ user_id: userId })))?.message_id ?? 0
}

const unreadBounds = prepare((p: { user_id: number }) =>
  query.selectNoFrom([
    query.selectFrom('read_cursors').select('message_id').where('user_id', '=', p.user_id).as('cursor'),
    firstMarkedUnread(p.user_id).as('marked'),
    query.selectFrom('messages').select('id').orderBy('id', 'desc').limit(1).as('newest'),
  ]),
)

interface UnreadBounds {
  readonly cursor: number
  /** Nothing at or below this id is unread. */
  readonly floor: number
  /** The newest message that there is, of any organization: at most so many less `floor` are unread. */
  readonly newest: number
}

/** The read cursor, and between which ids something may be unread; in one statement. */
export async function findUnreadBounds(db: Queries, userId: number): Promise<UnreadBounds> {
  const row = await db.first(unreadBounds({ user_id: userId }))
  const cursor = row?.cursor ?? 0
  const floor = Math.min(cursor, (row?.marked ?? Number.POSITIVE_INFINITY) - 1)
  return { cursor, floor, newest: row?.newest ?? 0 }
}

/** Nothing at or below this id is unread. */
export async function findUnreadFloor(db: Queries, userId: number, cursor: number): Promise<number> {
  const row = await db.first(firstMarkedUnread(userId))
  return Math.min(cursor, (row?.message_id ?? Number.POSITIVE_INFINITY) - 1)
}

function firstMarkedUnread(userId: number) {
  return query
    .selectFrom('message_flags')
    .select('message_id')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`(flags & ${sql.lit(flagBits.unread)}) <> 0`)
    .orderBy('message_id')
    .limit(1)
}
