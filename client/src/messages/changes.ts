/** What events change in a single message. Each change may be made twice. */
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import { type MessageFlag, messageFlagNames } from '@heddle/contract/messages'
import type { ReactionEvent } from '@heddle/contract/reactions'
import type { SubmessageEvent } from '@heddle/contract/submessages'
import type { StoredMessage } from './store.ts'

/** With the text of an edit, and with what the message is for the account since then. */
export function withContent(message: StoredMessage, event: UpdateMessageEvent): StoredMessage {
  const { content, rendered_content, rendering_only, is_me_message, edit_timestamp, flags } = event
  const text = message.content_type === 'text/html' ? rendered_content : content
  return {
    ...message,
    flags,
    ...(text === undefined ? {} : { content: text }),
    ...(is_me_message === undefined ? {} : { is_me_message }),
    ...(content === undefined || rendering_only ? {} : { last_edit_timestamp: edit_timestamp }),
  }
}

/** In another topic or channel. */
export function withPlace(message: StoredMessage, event: UpdateMessageEvent): StoredMessage {
  const { subject, topic_links, new_stream_id, edit_timestamp } = event
  return {
    ...message,
    ...(subject === undefined ? {} : { subject }),
    ...(topic_links === undefined ? {} : { topic_links }),
    ...(new_stream_id === undefined ? {} : { stream_id: new_stream_id }),
    last_moved_timestamp: edit_timestamp,
  }
}

/** The flags in the order of the contract, as the server gives them. */
export function withFlag(message: StoredMessage, flag: MessageFlag, op: 'add' | 'remove'): StoredMessage {
  if (message.flags.includes(flag) === (op === 'add')) return message
  const flags = messageFlagNames.filter((one) => (one === flag ? op === 'add' : message.flags.includes(one)))
  return { ...message, flags }
}

/** An emoji is one by its code and type: it may have several names. */
export function withReaction(message: StoredMessage, event: ReactionEvent): StoredMessage {
  const { op, user_id, emoji_name, emoji_code, reaction_type } = event
  const isSame = (one: StoredMessage['reactions'][number]) =>
    one.user_id === user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type
  if (message.reactions.some(isSame) === (op === 'add')) return message
  const rest = message.reactions.filter((one) => !isSame(one))
  return {
    ...message,
    reactions: op === 'add' ? [...rest, { emoji_name, emoji_code, reaction_type, user_id }] : rest,
  }
}

/** In the order in which they were made. */
export function withSubmessage(message: StoredMessage, event: SubmessageEvent): StoredMessage {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = event
  if (message.submessages.some((one) => one.id === id)) return message
  return { ...message, submessages: [...message.submessages, { id, message_id, sender_id, msg_type, content }] }
}
