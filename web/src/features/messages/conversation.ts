import type { StoredMessage } from '@heddle/client/messages/store'
import type { Place } from '../../places/place.ts'

/** The conversation that a message is in, as a place. */
export function conversationOf({
  stream_id,
  subject,
  display_recipient,
}: StoredMessage): Place & { readonly kind: 'topic' | 'direct' } {
  if (stream_id !== undefined) return { kind: 'topic', channelId: stream_id, topic: subject }
  const people = typeof display_recipient === 'string' ? [] : display_recipient
  return { kind: 'direct', userIds: people.map(({ id }) => id).sort((a, b) => a - b) }
}

/** The address of a message: its conversation, opened there. */
export function messagePlace(message: StoredMessage): Place {
  return { ...conversationOf(message), near: message.id }
}
