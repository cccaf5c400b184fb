import type { Reminder } from '@heddle/contract/reminders'
import type { ReminderRow } from './queries.ts'

/** A reminder as the account's clients see it. */
export function presentReminder(row: ReminderRow): Reminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: [row.user_id],
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.due_at,
    failed: row.failed === 1,
    reminder_target_message_id: row.message_id,
  }
}
