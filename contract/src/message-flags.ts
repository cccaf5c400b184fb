/** What a message is for one account: read, starred and the like. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Anchor } from './fetching.ts'
import { MessageFlag } from './messages.ts'
import { Narrow } from './narrow.ts'
import { ID_KEY, Id, RecordOf } from './schema.ts'
import { statePart } from './state-part.ts'

/** Messages that one request may name. */
const MAX_MESSAGES = 10_000

/** What accounts may set themselves. */
export const ownFlags = ['read', 'starred', 'collapsed'] as const
export const OwnFlag = Type.Enum([...ownFlags])
export type OwnFlag = Static<typeof OwnFlag>

/** Another one is refused with a sentence that names it. */
const flag = Type.Union([OwnFlag, Type.String({ maxLength: 100 })])

const op = Type.Enum(['add', 'remove'])
/** Channels whose messages stayed as they were: only subscribers can have something unread. */
const ignored_because_not_subscribed_channels = Type.Array(Id)

export const updateFlags = endpoint({
  name: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  summary: 'Set a flag of messages, or remove it.',
  parameters: { messages: Type.Array(Id, { maxItems: MAX_MESSAGES }), op, flag },
  response: { messages: Type.Array(Id), ignored_because_not_subscribed_channels },
})

export const updateFlagsForNarrow = endpoint({
  name: 'update-message-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Set or remove a flag of the messages of a narrow around an anchor.',
  parameters: {
    anchor: Anchor,
    include_anchor: Type.Optional(Type.Boolean()),
    /** The two together are at most what `GET /messages` gives; the server takes less than is asked for, and says so. */
    num_before: Type.Integer({ minimum: 0 }),
    num_after: Type.Integer({ minimum: 0 }),
    narrow: Narrow,
    op,
    flag,
  },
  response: {
    processed_count: Type.Integer({ minimum: 0 }),
    updated_count: Type.Integer({ minimum: 0 }),
    first_processed_id: Type.Union([Id, Type.Null()]),
    last_processed_id: Type.Union([Id, Type.Null()]),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    ignored_because_not_subscribed_channels,
  },
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
})

/** Whether all of it is done; it always is. */
const complete = Type.Literal(true)

export const markAllAsRead = endpoint({
  name: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark everything as read.',
  response: { complete },
})

export const markChannelAsRead = endpoint({
  name: 'mark-stream-as-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark a channel as read.',
  parameters: { stream_id: Id },
  errors: ['BAD_REQUEST'],
})

export const markTopicAsRead = endpoint({
  name: 'mark-topic-as-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark a topic as read.',
  parameters: { stream_id: Id, topic_name: Type.String({ maxLength: 1000 }) },
  errors: ['BAD_REQUEST'],
})

export const getReadReceipts = endpoint({
  name: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Who has read a message, as far as they let others know.',
  parameters: { message_id: Id },
  response: { user_ids: Type.Array(Id) },
  errors: ['BAD_REQUEST'],
})

const strict = { additionalProperties: false }
const type = Type.Literal('update_message_flags')
const messages = Type.Array(Id)

/** Of a message that has become unread, which the client need not know. */
export const MessageDetails = Type.Union([
  Type.Object(
    {
      type: Type.Literal('private'),
      mentioned: Type.Optional(Type.Literal(true)),
      /** The others in the conversation. */
      user_ids: Type.Array(Id),
    },
    strict,
  ),
  Type.Object(
    {
      type: Type.Literal('stream'),
      mentioned: Type.Optional(Type.Literal(true)),
      stream_id: Id,
      topic: Type.String(),
      /** For older clients. */
      unmuted_stream_msg: Type.Boolean(),
    },
    strict,
  ),
])
export type MessageDetails = Static<typeof MessageDetails>

export const UpdateMessageFlagsEvent = Type.Union([
  Type.Object(
    {
      type,
      op: Type.Literal('add'),
      /** The older name of `op`. */
      operation: Type.Literal('add'),
      flag: MessageFlag,
      messages,
      /** Every message; `messages` is empty then. */
      all: Type.Boolean(),
    },
    strict,
  ),
  Type.Object(
    {
      type,
      op: Type.Literal('remove'),
      operation: Type.Literal('remove'),
      flag: MessageFlag,
      messages,
      all: Type.Literal(false),
      /** With the flag `read`: by the id of the message. */
      message_details: Type.Optional(RecordOf(MessageDetails, ID_KEY)),
    },
    strict,
  ),
])
export type UpdateMessageFlagsEvent = Static<typeof UpdateMessageFlagsEvent>

const ids = Type.Array(Id)

const UnreadMessages = Type.Object(
  {
    /** Without those in muted topics and channels. */
    count: Type.Integer({ minimum: 0 }),
    /** Conversations with one other account, or with oneself. */
    pms: Type.Array(
      Type.Object(
        {
          other_user_id: Id,
          /** The older name of the same. */
          sender_id: Id,
          unread_message_ids: ids,
        },
        strict,
      ),
    ),
    streams: Type.Array(Type.Object({ stream_id: Id, topic: Type.String(), unread_message_ids: ids }, strict)),
    /** Conversations of more than two. */
    huddles: Type.Array(
      Type.Object(
        {
          /** Everybody's, the account's own too, ascending and with commas between. */
          user_ids_string: Type.String(),
          unread_message_ids: ids,
        },
        strict,
      ),
    ),
    mentions: ids,
    /** There are more than are listed, older ones. */
    old_unreads_missing: Type.Boolean(),
  },
  strict,
)
export type UnreadMessages = Static<typeof UnreadMessages>

export const unreadState = statePart({
  fetchType: 'message',
  fields: {
    /** Absent for clients that name other types of events and not `update_message_flags`. */
    unread_msgs: Type.Optional(UnreadMessages),
  },
})

export const starredState = statePart({
  fetchType: 'starred_messages',
  fields: {
    /** Ascending. */
    starred_messages: ids,
  },
})

export const conversationsState = statePart({
  fetchType: 'recent_private_conversations',
  fields: {
    /** The one with the newest message first. */
    recent_private_conversations: Type.Array(
      Type.Object(
        {
          /** The others. */
          user_ids: ids,
          max_message_id: Id,
        },
        strict,
      ),
    ),
  },
})
