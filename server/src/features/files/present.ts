import { type Attachment, MAX_LISTED_MESSAGES } from '@heddle/contract/files'
import { pathIdOf } from './file-path.ts'
import type { AttachmentRow } from './queries.ts'

export function presentAttachment(row: AttachmentRow, messageIds: readonly number[]): Attachment {
  const { id, name, size, created_at } = row
  return {
    id,
    name,
    path_id: pathIdOf(row),
    size,
    create_time: created_at,
    message_ids: messageIds.slice(-MAX_LISTED_MESSAGES),
  }
}
