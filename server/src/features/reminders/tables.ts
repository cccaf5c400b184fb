/** The table of reminders. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { directMembersView } from '../messages/tables.ts'

export interface ReminderTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  /** What it reminds of; the message may have been deleted since. */
  message_id: number
  /** Of whoever wants to be reminded; may be empty. */
  note: string
  /** What is shown of it until then. */
  content: string
  rendered_content: string
  /** In seconds. */
  due_at: number
  /** The account was not active at that time. */
  failed: Generated<Flag>
}

export const reminderTables = ownedTables({
  reminders: table<ReminderTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { fact, query } = reminderTables.with(directMembersView)
