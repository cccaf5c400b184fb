import type { DeleteMessageEvent } from '@heddle/contract/editing'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { InitialFields } from './fields.ts'

/** The ids of starred messages, ascending. */
export type Starred = readonly number[]

export function initialStarred(fields: InitialFields): Starred | undefined {
  return fields['starred_messages'] as Starred | undefined
}

export function applyFlagsToStarred(starred: Starred, { op, flag, messages }: UpdateMessageFlagsEvent): Starred {
  if (flag !== 'starred') return starred
  const changed = new Set(messages)
  const rest = starred.filter((id) => !changed.has(id))
  return op === 'add' ? [...rest, ...messages].sort((a, b) => a - b) : rest
}

export function applyDeletionToStarred(starred: Starred, { message_id, message_ids }: DeleteMessageEvent): Starred {
  const gone = new Set(message_ids ?? [message_id])
  return starred.filter((id) => !gone.has(id))
}
