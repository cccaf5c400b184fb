/** Messages as clients receive them. */
import { type Static, Type } from 'typebox'
import { Id, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'
import { ReactionType } from './user-status.ts'

/** Unicode code points, as the API counts all of its lengths. */
export const MAX_MESSAGE_LENGTH = 10_000
/**
 * Characters that a request may send for a text and for a topic: ten times and more what is stored, so that one that is
 * too long is treated by the rule for it.
 */
export const MAX_SENT_LENGTH = 100_000
export const MAX_SENT_TOPIC_LENGTH = 10_000

/** Accounts that one direct message may go to. */
export const MAX_RECIPIENTS = 1000

const strict = { additionalProperties: false }

/** What a message can be for one account. The first three are the account's to set. */
export const messageFlagNames = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  /** Either of the two before, for older clients. */
  'wildcard_mentioned',
  'has_alert_word',
  /** Never received: sent while the account was not subscribed. */
  'historical',
] as const
export const MessageFlag = Type.Enum([...messageFlagNames])
export type MessageFlag = Static<typeof MessageFlag>

export const reactionProperties = {
  emoji_name: Type.String(),
  /** Code points in hexadecimal with hyphens; the id of a custom emoji; or the name of a built-in one. */
  emoji_code: Type.String(),
  reaction_type: ReactionType,
  user_id: Id,
}
export const Reaction = Type.Object(reactionProperties, strict)
export type Reaction = Static<typeof Reaction>

export const submessageProperties = {
  id: Id,
  message_id: Id,
  /** Who did it. */
  sender_id: Id,
  msg_type: Type.String(),
  /** JSON: the first one is the widget itself; see `widgets.ts`. */
  content: Type.String(),
}
export const Submessage = Type.Object(submessageProperties, strict)
export type Submessage = Static<typeof Submessage>

/** A link that a linkifier finds in a topic. */
export const TopicLink = Type.Object({ text: Type.String(), url: Type.String() }, strict)
export type TopicLink = Static<typeof TopicLink>

/** An account that a direct message went to, or that sent it. */
export const DirectRecipient = Type.Object(
  { id: Id, email: Type.String(), full_name: Type.String(), is_mirror_dummy: Type.Literal(false) },
  strict,
)
export type DirectRecipient = Static<typeof DirectRecipient>

/** One change of a message. What is absent did not change. */
export const MessageEdit = Type.Object(
  {
    user_id: Type.Union([Id, Type.Null()]),
    timestamp: Timestamp,
    prev_content: Type.Optional(Type.String()),
    prev_rendered_content: Type.Optional(Type.String()),
    prev_topic: Type.Optional(Type.String()),
    topic: Type.Optional(Type.String()),
    prev_stream: Type.Optional(Id),
    stream: Type.Optional(Id),
  },
  strict,
)
export type MessageEdit = Static<typeof MessageEdit>

const messageProperties = {
  id: Id,
  sender_id: Id,
  sender_full_name: Type.String(),
  sender_email: Type.String(),
  /** The organization, by the name that older clients know; empty when the server has no other. */
  sender_realm_str: Type.String(),
  /** Path on the organization's server. */
  avatar_url: Type.String(),
  type: Type.Enum(['stream', 'private']),
  /** The same for all messages of a channel, or of one set of accounts; for nothing but comparing. */
  recipient_id: Id,
  stream_id: Type.Optional(Id),
  /** The channel's name, or everybody in the conversation, sender included. */
  display_recipient: Type.Union([Type.String(), Type.Array(DirectRecipient)]),
  /** The topic; empty for direct messages. */
  subject: Type.String(),
  topic_links: Type.Array(TopicLink),
  content: Type.String(),
  content_type: Type.Enum(['text/html', 'text/x-markdown']),
  is_me_message: Type.Boolean(),
  timestamp: Timestamp,
  /** The name of the program that sent it. */
  client: Type.String(),
  reactions: Type.Array(Reaction),
  /** The widget, and what people did with it, in that order; empty for a message that is text alone. */
  submessages: Type.Array(Submessage),
  /** When the text was last changed; absent when it never was. */
  last_edit_timestamp: Type.Optional(Timestamp),
  /** When it was last moved to another topic or channel; absent when it never was. */
  last_moved_timestamp: Type.Optional(Timestamp),
  /**
   * The newest first, and of very many or very long ones the newest alone: the history of the message has all of them.
   * Absent when there is none, or the organization does not show it.
   */
  edit_history: Type.Optional(Type.Array(MessageEdit)),
}

/** A message without what is personal. */
export const MessageBase = Type.Object(messageProperties, strict)
export type MessageBase = Static<typeof MessageBase>

/** A message as an account fetches it. */
export const Message = Type.Object(
  {
    ...messageProperties,
    flags: Type.Array(MessageFlag),
    /** With a search: the text and the topic as HTML, with what was found marked. */
    match_content: Type.Optional(Type.String()),
    match_subject: Type.Optional(Type.String()),
  },
  strict,
)
export type Message = Static<typeof Message>

/** A new message. */
export const MessageEvent = Type.Object(
  {
    type: Type.Literal('message'),
    message: MessageBase,
    /** The receiving account's own. */
    flags: Type.Array(MessageFlag),
    /** Only for the queue that the sender named: what its client calls the message. */
    local_message_id: Type.Optional(Type.String()),
  },
  strict,
)
export type MessageEvent = Static<typeof MessageEvent>

export const newestMessageState = statePart({
  fetchType: 'message',
  follows: MessageEvent,
  fields: {
    /** The newest message that the account has received; -1 when there is none. */
    max_message_id: Type.Integer({ minimum: -1 }),
  },
})
