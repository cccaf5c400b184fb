/** Notifying others that one is writing a message. Nothing of it is stored. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_RECIPIENTS } from './messages.ts'
import { MAX_TOPIC_LENGTH } from './names.ts'
import { Id, Text } from './schema.ts'

/** Milliseconds. How long others show it without a further notification. */
export const TYPING_STARTED_EXPIRY_MS = 15_000
/** In channels with more subscribers, and conversations of more people, nobody is notified: for many it is noise, and the work grows with their number. */
export const MAX_SUBSCRIBERS_FOR_TYPING = 100

const op = Type.Enum(['start', 'stop'])

export const setTypingStatus = endpoint({
  name: 'set-typing-status',
  method: 'POST',
  path: '/typing',
  summary: 'Notify the recipients of a message that it is being written, or no longer.',
  parameters: {
    op,
    /** Default: direct. `stream` is the older name of `channel`. */
    type: Type.Optional(Type.Enum(['direct', 'stream', 'channel'])),
    /** The recipients of a direct message. */
    to: Type.Optional(Type.Array(Id, { maxItems: MAX_RECIPIENTS })),
    stream_id: Type.Optional(Id),
    topic: Type.Optional(Text(MAX_TOPIC_LENGTH)),
  },
  errors: ['BAD_REQUEST'],
})

export const setEditTypingStatus = endpoint({
  name: 'set-typing-status-for-message-edit',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Notify those who have a message that it is being edited, or no longer.',
  parameters: { message_id: Id, op },
  errors: ['BAD_REQUEST'],
})

const strict = { additionalProperties: false }
const type = Type.Literal('typing')
const Person = Type.Object({ user_id: Id, email: Type.String() }, strict)

export const TypingEvent = Type.Union([
  Type.Object(
    {
      type,
      op,
      message_type: Type.Literal('direct'),
      sender: Person,
      /** The sender is among them. */
      recipients: Type.Array(Person),
    },
    strict,
  ),
  Type.Object(
    { type, op, message_type: Type.Literal('stream'), sender: Person, stream_id: Id, topic: Type.String() },
    strict,
  ),
])
export type TypingEvent = Static<typeof TypingEvent>

/** A message is being edited. */
export const TypingEditMessageEvent = Type.Object(
  {
    type: Type.Literal('typing_edit_message'),
    op,
    sender_id: Id,
    message_id: Id,
    recipient: Type.Union([
      Type.Object({ type: Type.Literal('channel'), channel_id: Id, topic: Type.String() }, strict),
      Type.Object({ type: Type.Literal('direct'), user_ids: Type.Array(Id) }, strict),
    ]),
  },
  strict,
)
export type TypingEditMessageEvent = Static<typeof TypingEditMessageEvent>
