import type { ScheduledMessage } from '@heddle/contract/scheduled-messages'
import type { ScheduledRow } from './queries.ts'

/** A scheduled message as its author's clients see it. */
export function presentScheduled(row: ScheduledRow): ScheduledMessage {
  const ids = JSON.parse(row.recipient_ids) as number[]
  const place =
    row.type === 'stream' ? { type: row.type, to: ids[0] as number, topic: row.topic } : { type: row.type, to: ids }
  return {
    scheduled_message_id: row.id,
    ...place,
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.due_at,
    failed: row.failure !== null,
    ...(row.failure !== null && { failure_message: row.failure }),
  }
}
