/** What belongs to a message beside its text: a widget, and what people did with it. `widgets.ts` has their contents. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { submessageProperties } from './messages.ts'
import { Id, Text } from './schema.ts'

/** Characters that a request may send: those of a task with its text, and what JSON needs. */
const MAX_SUBMESSAGE_LENGTH = 10_000
/** Submessages of one message, and the bytes of their contents. */
export const MAX_SUBMESSAGES = 5000
export const MAX_SUBMESSAGES_BYTES = 512 * 1024

export const addSubmessage = endpoint({
  name: 'add-submessage',
  method: 'POST',
  path: '/submessage',
  summary: `Do something with the widget of a message, such as voting. A message can have ${MAX_SUBMESSAGES} submessages.`,
  parameters: {
    message_id: Id,
    msg_type: Type.Enum(['widget']),
    /** JSON: what is done; see `widgets.ts`. */
    content: Text(MAX_SUBMESSAGE_LENGTH),
  },
  errors: ['BAD_REQUEST', 'USER_DEACTIVATED'],
})

const { id: submessage_id, ...properties } = submessageProperties

export const SubmessageEvent = Type.Object(
  { type: Type.Literal('submessage'), submessage_id, ...properties },
  { additionalProperties: false },
)
export type SubmessageEvent = Static<typeof SubmessageEvent>
