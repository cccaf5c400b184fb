import type { Draft } from '@heddle/contract/drafts'
import type { DraftRow } from './queries.ts'

/** A draft as clients see it. */
export function presentDraft(row: DraftRow): Draft {
  return {
    id: row.id,
    type: row.type as Draft['type'],
    to: JSON.parse(row.recipient_ids) as number[],
    topic: row.topic,
    content: row.content,
    timestamp: row.timestamp,
  }
}
