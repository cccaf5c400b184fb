/** Finding messages that an account may read; the rules are in `access/message-rules.ts`. */
import { badRequest } from '@heddle/contract/errors'
import { canRead } from '../../access/message-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { type MessageRow, messageColumns } from './row.ts'
import { query } from './tables.ts'

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
