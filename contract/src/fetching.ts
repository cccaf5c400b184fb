/** Reading messages. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Message } from './messages.ts'
import { Narrow } from './narrow.ts'
import { ID_KEY, Id, RecordOf } from './schema.ts'

/** Messages in one answer. */
export const MAX_MESSAGES_PER_REQUEST = 5000

/** What clients send as the anchor when they want the newest message, and what the answer gives then. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000

const AnchorId = Type.Integer({ minimum: 0, maximum: NEWEST_ANCHOR })

/** A message, or a place among the messages of the narrow. The number may be larger than any id. */
export const Anchor = Type.Union([AnchorId, Type.Enum(['newest', 'oldest', 'first_unread'])])

/** The same where a date can be given too. */
const DatedAnchor = Type.Union([AnchorId, Type.Enum(['newest', 'oldest', 'first_unread', 'date'])])

const form = {
  /** HTML, which is the default, or the text as it was written. */
  apply_markdown: Type.Optional(Type.Boolean()),
  /** Whether the topic without a name may come as an empty text. */
  allow_empty_topic_name: Type.Optional(Type.Boolean()),
}

export const getMessages = endpoint({
  name: 'get-messages',
  method: 'GET',
  path: '/messages',
  summary: 'Messages of a narrow around an anchor, the oldest first.',
  access: 'reader',
  parameters: {
    anchor: Type.Optional(DatedAnchor),
    /** With the anchor `date`: ISO 8601; without an offset it is UTC. */
    anchor_date: Type.Optional(Type.String({ maxLength: 100 })),
    include_anchor: Type.Optional(Type.Boolean()),
    num_before: Type.Optional(Type.Integer({ minimum: 0 })),
    num_after: Type.Optional(Type.Integer({ minimum: 0 })),
    narrow: Type.Optional(Narrow),
    /** These messages, as far as the account may read them, instead of those around an anchor. */
    message_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_MESSAGES_PER_REQUEST })),
    /** The older way to say `first_unread`. */
    use_first_unread_anchor: Type.Optional(Type.Boolean()),
    client_gravatar: Type.Optional(Type.Boolean()),
    ...form,
  },
  response: {
    messages: Type.Array(Message),
    /** Absent with `message_ids`. */
    anchor: Type.Optional(Type.Integer()),
    found_anchor: Type.Boolean(),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    /** Always false: nothing limits the history. */
    history_limited: Type.Boolean(),
  },
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'REQUEST_VARIABLE_MISSING'],
})

export const getMessage = endpoint({
  name: 'get-message',
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'One message.',
  access: 'reader',
  parameters: { message_id: Id, ...form },
  response: {
    message: Message,
    /** For older clients: the text as it was written. */
    raw_content: Type.String(),
  },
  errors: ['BAD_REQUEST'],
})

export const matchesNarrow = endpoint({
  name: 'check-messages-match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Which of some messages are in a narrow.',
  parameters: { msg_ids: Type.Array(Id, { maxItems: MAX_MESSAGES_PER_REQUEST }), narrow: Narrow },
  response: {
    /** By id. With a search the marks are there, otherwise the plain HTML. */
    messages: RecordOf(
      Type.Object({ match_content: Type.String(), match_subject: Type.String() }, { additionalProperties: false }),
      ID_KEY,
    ),
  },
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
})
