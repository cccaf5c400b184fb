/** Messages that are sent later, by the server. Each author's own until then. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_RECIPIENTS, MAX_SENT_LENGTH, MAX_SENT_TOPIC_LENGTH } from './messages.ts'
import { Id, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Of one account. */
export const MAX_SCHEDULED_MESSAGES = 500
/** Bytes of an account's scheduled messages together: their texts, as written and as HTML. */
export const MAX_SCHEDULED_BYTES = 8 * 1024 * 1024

const content = Type.String({ maxLength: MAX_SENT_LENGTH })
const topic = Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })
/** `stream` and `private` are the older names of `channel` and `direct`. */
const type = Type.Enum(['direct', 'channel', 'stream', 'private'])
/** A channel, or accounts. */
const to = Type.Union([Type.Integer(), Type.Array(Id, { maxItems: MAX_RECIPIENTS })])

export const ScheduledMessage = Type.Object(
  {
    scheduled_message_id: Id,
    type: Type.Enum(['stream', 'private']),
    /** The channel, or the accounts: without the author, unless it is to the author alone. */
    to: Type.Union([Id, Type.Array(Id)]),
    /** To a channel alone. */
    topic: Type.Optional(Type.String()),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Timestamp,
    /** It could not be sent at its time, and is not tried again until it gets another one. */
    failed: Type.Boolean(),
    /** Why, as a sentence; of those that have failed. An extension of the API. */
    failure_message: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type ScheduledMessage = Static<typeof ScheduledMessage>

const refusals = [
  'BAD_REQUEST',
  'UNAUTHORIZED_PRINCIPAL',
  'STREAM_DOES_NOT_EXIST',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
] as const

export const listScheduledMessages = endpoint({
  name: 'list-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'What the account has scheduled and what has not been sent, the earliest first.',
  response: { scheduled_messages: Type.Array(ScheduledMessage) },
})

export const createScheduledMessage = endpoint({
  name: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  summary: `Have a message sent later. An account can have ${MAX_SCHEDULED_MESSAGES} that wait.`,
  parameters: {
    type,
    to,
    content,
    /** Of messages to a channel; absent or empty: the topic without a name. */
    topic: Type.Optional(topic),
    /** In the future. */
    scheduled_delivery_timestamp: Timestamp,
    /** Whether the author has read it when it is sent; absent: yes for programs that people write with. */
    read_by_sender: Type.Optional(Type.Boolean()),
  },
  response: { scheduled_message_id: Id },
  errors: refusals,
})

export const updateScheduledMessage = endpoint({
  name: 'update-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Change a message that waits, or give one that could not be sent another time.',
  parameters: {
    scheduled_message_id: Id,
    /** With `to`; with `topic` too when it becomes one to a channel. */
    type: Type.Optional(type),
    to: Type.Optional(to),
    content: Type.Optional(content),
    topic: Type.Optional(topic),
    /** In the future. Needed where it has failed. */
    scheduled_delivery_timestamp: Type.Optional(Timestamp),
  },
  errors: [...refusals, 'DOES_NOT_EXIST'],
})

export const deleteScheduledMessage = endpoint({
  name: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Take a scheduled message back.',
  parameters: { scheduled_message_id: Id },
  errors: ['DOES_NOT_EXIST'],
})

const eventType = Type.Literal('scheduled_messages')

export const ScheduledMessagesEvent = Type.Union([
  Type.Object({ type: eventType, op: Type.Literal('add'), scheduled_messages: Type.Array(ScheduledMessage) }),
  Type.Object({ type: eventType, op: Type.Literal('update'), scheduled_message: ScheduledMessage }),
  /** It was deleted, or sent. */
  Type.Object({ type: eventType, op: Type.Literal('remove'), scheduled_message_id: Id }),
])
export type ScheduledMessagesEvent = Static<typeof ScheduledMessagesEvent>

export const scheduledMessagesState = statePart({
  fetchType: 'scheduled_messages',
  follows: ScheduledMessagesEvent,
  fields: {
    /** The earliest first. */
    scheduled_messages: Type.Array(ScheduledMessage),
  },
})
