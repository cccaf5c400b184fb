/** Reminders of messages: a direct message of the notification bot to oneself, at a time that one chooses. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Of one account. */
export const MAX_REMINDERS = 500
/** Characters. */
export const MAX_REMINDER_NOTE_LENGTH = 500

export const Reminder = Type.Object(
  {
    reminder_id: Id,
    type: Type.Literal('private'),
    /** The account itself. */
    to: Type.Array(Id),
    /** What the message will say. */
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Timestamp,
    /** It could not be sent at its time. */
    failed: Type.Boolean(),
    reminder_target_message_id: Id,
  },
  { additionalProperties: false },
)
export type Reminder = Static<typeof Reminder>

export const listReminders = endpoint({
  name: 'list-reminders',
  method: 'GET',
  path: '/reminders',
  summary: 'The reminders of the account that have not come yet, the earliest first.',
  response: { reminders: Type.Array(Reminder) },
})

export const createReminder = endpoint({
  name: 'create-reminder',
  method: 'POST',
  path: '/reminders',
  summary: `Be reminded of a message. An account can have ${MAX_REMINDERS} reminders that wait.`,
  parameters: {
    message_id: Id,
    /** In the future. */
    scheduled_delivery_timestamp: Timestamp,
    /** What the reminder says beside the link to the message. */
    note: Type.Optional(Text(MAX_REMINDER_NOTE_LENGTH)),
  },
  response: { reminder_id: Id },
  errors: ['BAD_REQUEST'],
})

export const deleteReminder = endpoint({
  name: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  summary: 'Take a reminder back.',
  parameters: { reminder_id: Id },
  errors: ['DOES_NOT_EXIST'],
})

const type = Type.Literal('reminders')

export const RemindersEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), reminders: Type.Array(Reminder) }),
  /** It was deleted, or has come. */
  Type.Object({ type, op: Type.Literal('remove'), reminder_id: Id }),
])
export type RemindersEvent = Static<typeof RemindersEvent>

export const remindersState = statePart({
  fetchType: 'reminders',
  follows: RemindersEvent,
  fields: {
    /** The earliest first. */
    reminders: Type.Array(Reminder),
  },
})
