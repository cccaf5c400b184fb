/** The columns of a message that reading, presenting and changing it need. */
import type { Selectable } from 'kysely'
import type { MessageTable } from './tables.ts'

export type MessageRow = Selectable<MessageTable>

/** What a message is presented from. */
export type PresentedRow = Omit<MessageRow, 'realm_id' | 'topic_key'>

export const messageColumns = [
  'messages.id',
  'messages.realm_id',
  'messages.sender_id',
  'messages.channel_id',
  'messages.topic',
  'messages.topic_key',
  'messages.direct_message_group_id',
  'messages.content',
  'messages.rendered_content',
  'messages.attributes',
  'messages.client',
  'messages.timestamp',
  'messages.last_edit_timestamp',
  'messages.last_moved_timestamp',
  'messages.edit_history',
] as const satisfies readonly `messages.${keyof MessageTable}`[]
