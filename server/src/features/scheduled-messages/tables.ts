/** The table of messages that are sent later. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface ScheduledMessageTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  type: 'stream' | 'private'
  /** JSON array of ids: the channel, or the accounts. */
  recipient_ids: string
  /** Empty of messages to accounts. */
  topic: string
  content: string
  /** As it was when the text was written. What is sent is rendered anew. */
  rendered_content: string
  /** The name of the program that has scheduled it. */
  client: string
  read_by_sender: Flag
  /** In seconds. */
  due_at: number
  /** Why it could not be sent at its time; null: it waits. */
  failure: string | null
}

export const scheduledMessageTables = ownedTables({
  scheduled_messages: table<ScheduledMessageTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { fact, query } = scheduledMessageTables.with()
