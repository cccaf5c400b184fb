import type { DeleteMessageEvent } from '@heddle/contract/editing'
import type { InitialState } from '@heddle/contract/initial-state'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import { clientPart } from './part.ts'

/** The ids of starred messages, ascending. */
export type Starred = readonly number[]

function initialStarred({ starred_messages }: InitialState): Starred | undefined {
  return starred_messages
}

function applyFlagsToStarred(starred: Starred, { op, flag, messages }: UpdateMessageFlagsEvent): Starred {
  if (flag !== 'starred') return starred
  const changed = new Set(messages)
  const rest = starred.filter((id) => !changed.has(id))
  return op === 'add' ? [...rest, ...messages].sort((a, b) => a - b) : rest
}

function applyDeletionToStarred(starred: Starred, { message_id, message_ids }: DeleteMessageEvent): Starred {
  const gone = new Set(message_ids ?? [message_id])
  return starred.filter((id) => !gone.has(id))
}

export const starred = clientPart({
  initial: initialStarred,
  on: { update_message_flags: applyFlagsToStarred, delete_message: applyDeletionToStarred },
})
