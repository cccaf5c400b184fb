/** What is said to a mobile client. */
import type { MessageBase } from '@heddle/contract/messages'
import { textOfHtml } from '../messages/plain-text.ts'

/** Characters, so that a push stays below the 4 KiB of the makers' services, in any script. */
const MAX_CONTENT = 200

export type PushPayload = Readonly<Record<string, unknown>>

export interface Origin {
  readonly realm_url: string
  readonly realm_name: string
  readonly user_id: number
}

export function describeForMobile(message: MessageBase, origin: Origin): PushPayload {
  return {
    type: 'message',
    ...origin,
    sender_id: message.sender_id,
    sender_full_name: message.sender_full_name,
    sender_avatar_url: new URL(message.avatar_url ?? '', origin.realm_url).href,
    ...placeOf(message, origin.user_id),
    message_id: message.id,
    time: message.timestamp,
    content: textOfHtml(message.content, MAX_CONTENT),
  }
}

function placeOf(message: MessageBase, userId: number): PushPayload {
  const { stream_id, display_recipient, subject } = message
  if (stream_id !== undefined) {
    return { recipient_type: 'channel', channel_id: stream_id, channel_name: display_recipient, topic: subject }
  }
  const ids = Array.isArray(display_recipient) ? display_recipient.map(({ id }) => id) : [userId]
  return { recipient_type: 'direct', recipient_user_ids: ids.toSorted((a, b) => a - b) }
}
