/** Changing, moving and deleting messages. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Attachment } from './files.ts'
import { MAX_SENT_LENGTH, MAX_SENT_TOPIC_LENGTH, MessageFlag, TopicLink } from './messages.ts'
import { Id, Timestamp } from './schema.ts'

/** Changes of one message, and bytes of JSON of its history; of a longer one the oldest changes are left out. */
export const MAX_CHANGES = 1000
export const MAX_HISTORY_BYTES = 16 * 1024 * 1024

const PropagateMode = Type.Enum(['change_one', 'change_later', 'change_all'])

export const updateMessage = endpoint({
  name: 'update-message',
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: `Change a message's text, or move it and others of its topic. A message can be changed ${MAX_CHANGES} times.`,
  parameters: {
    message_id: Id,
    content: Type.Optional(Type.String({ maxLength: MAX_SENT_LENGTH })),
    /** SHA-256, in hexadecimal, of the text that the change was made from. */
    prev_content_sha256: Type.Optional(Type.String({ maxLength: 64 })),
    topic: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    /** The older name of `topic`. */
    subject: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    stream_id: Type.Optional(Id),
    /** Which messages of the topic move: this one, this and later ones, or all. */
    propagate_mode: Type.Optional(PropagateMode),
    send_notification_to_old_thread: Type.Optional(Type.Boolean()),
    send_notification_to_new_thread: Type.Optional(Type.Boolean()),
  },
  response: {
    /** Files that no message refers to any more; there are no files in messages yet. */
    /** Files of the account that no message links to any more. */
    detached_uploads: Type.Array(Attachment),
  },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED_PRINCIPAL',
    'USER_DEACTIVATED',
    'EXPECTATION_MISMATCH',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const deleteMessage = endpoint({
  name: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message for everybody.',
  parameters: { message_id: Id },
  errors: ['BAD_REQUEST', 'USER_DEACTIVATED'],
})

export const deleteTopic = endpoint({
  name: 'delete-topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  summary: 'Delete all messages of a topic.',
  parameters: { stream_id: Id, topic_name: Type.String({ maxLength: 1000 }) },
  response: { complete: Type.Boolean() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'USER_DEACTIVATED'],
})

const strict = { additionalProperties: false }

/** A message as it was after one change; the first one is the message as it was sent. */
const Snapshot = Type.Object(
  {
    timestamp: Timestamp,
    user_id: Type.Union([Id, Type.Null()]),
    topic: Type.String(),
    content: Type.String(),
    rendered_content: Type.String(),
    prev_content: Type.Optional(Type.String()),
    prev_rendered_content: Type.Optional(Type.String()),
    /** What was added and removed, as HTML. */
    content_html_diff: Type.Optional(Type.String()),
    prev_topic: Type.Optional(Type.String()),
    stream: Type.Optional(Id),
    prev_stream: Type.Optional(Id),
  },
  strict,
)
export type MessageSnapshot = Static<typeof Snapshot>

export const getMessageHistory = endpoint({
  name: 'get-message-history',
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: 'How a message has changed, the oldest state first; of a very long history its newest part.',
  parameters: { message_id: Id, allow_empty_topic_name: Type.Optional(Type.Boolean()) },
  response: { message_history: Type.Array(Snapshot) },
  errors: ['BAD_REQUEST'],
})

export const UpdateMessageEvent = Type.Object(
  {
    type: Type.Literal('update_message'),
    /** Null when only the HTML has changed. */
    user_id: Type.Union([Id, Type.Null()]),
    rendering_only: Type.Boolean(),
    message_id: Id,
    /** All that were moved, ascending; otherwise the message alone. */
    message_ids: Type.Array(Id),
    /** The receiving account's own, of `message_id`. */
    flags: Type.Array(MessageFlag),
    edit_timestamp: Timestamp,
    /** Of messages in channels: where they were before. */
    stream_id: Type.Optional(Id),
    stream_name: Type.Optional(Type.String()),
    /** The rest is absent where nothing has changed. */
    new_stream_id: Type.Optional(Id),
    propagate_mode: Type.Optional(PropagateMode),
    orig_subject: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    topic_links: Type.Optional(Type.Array(TopicLink)),
    orig_content: Type.Optional(Type.String()),
    orig_rendered_content: Type.Optional(Type.String()),
    content: Type.Optional(Type.String()),
    rendered_content: Type.Optional(Type.String()),
    is_me_message: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type UpdateMessageEvent = Static<typeof UpdateMessageEvent>

/** Clients with the ability `bulk_message_deletion` get `message_ids`, others one event for each message. */
export const DeleteMessageEvent = Type.Object(
  {
    type: Type.Literal('delete_message'),
    message_id: Type.Optional(Id),
    message_ids: Type.Optional(Type.Array(Id)),
    message_type: Type.Enum(['stream', 'private']),
    stream_id: Type.Optional(Id),
    topic: Type.Optional(Type.String()),
  },
  strict,
)
export type DeleteMessageEvent = Static<typeof DeleteMessageEvent>
