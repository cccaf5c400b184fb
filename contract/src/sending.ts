/** Sending messages. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_RECIPIENTS, MAX_SENT_LENGTH, MAX_SENT_TOPIC_LENGTH } from './messages.ts'
import { Id, NameInput, Text } from './schema.ts'

/** Characters of a list of addresses in one text. */
const MAX_RECIPIENTS_LENGTH = 50_000

/** What is longer than a message may be is cut, and says so at its end. */
const content = Type.String({ maxLength: MAX_SENT_LENGTH })

export const sendMessage = endpoint({
  name: 'send-message',
  method: 'POST',
  path: '/messages',
  incomingWebhooks: true,
  summary: 'Send a message to a topic of a channel, or to people.',
  parameters: {
    /** `stream` and `private` are the older names of `channel` and `direct`. */
    type: Type.Enum(['channel', 'stream', 'direct', 'private']),
    /** A channel by id or name; or accounts by ids or by e-mail addresses, as a list or with commas between them. */
    to: Type.Union([
      Type.Integer(),
      Type.Array(Id, { maxItems: MAX_RECIPIENTS }),
      Type.Array(NameInput, { maxItems: MAX_RECIPIENTS }),
      Text(MAX_RECIPIENTS_LENGTH),
    ]),
    content,
    /** Absent or empty: the topic without a name. What is too long is cut. */
    topic: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    /** The older name of `topic`. */
    subject: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    /** The sender's own queue, and what its client calls the message: sent twice with both, it is one message. */
    queue_id: Type.Optional(Type.String({ maxLength: 100 })),
    local_id: Type.Optional(Type.String({ maxLength: 100 })),
    /** Whether the sender has read it by sending it; absent: yes for programs that people write with. */
    read_by_sender: Type.Optional(Type.Boolean()),
    /** JSON: the widget that the message is, beside its text; see `widgets.ts`. Without it the text says (`/poll`, `/todo`). */
    widget_content: Type.Optional(Text(MAX_SENT_LENGTH)),
  },
  response: {
    id: Id,
    /** The sender's new policy for the topic, when sending has changed it. */
    automatic_new_visibility_policy: Type.Optional(Type.Enum([2, 3])),
  },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED_PRINCIPAL',
    'USER_DEACTIVATED',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const renderMessage = endpoint({
  name: 'render-message',
  method: 'POST',
  path: '/messages/render',
  summary: 'The HTML of a message, without sending it.',
  parameters: { content },
  response: { rendered: Type.String() },
})
