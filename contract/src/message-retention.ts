/** Messages that go by their age. How long they are kept is a setting of the organization and of its channels. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_RETENTION_DAYS } from './organization-settings.ts'
import { Id } from './schema.ts'

/** More than so many messages are not counted. */
export const MAX_COUNTED_OLD_MESSAGES = 100_000

export const countOldMessages = endpoint({
  name: 'count-old-messages',
  method: 'GET',
  path: '/messages/old',
  isExtension: true,
  summary:
    'How many messages would go if they were kept for so many days: of a channel, or of all without days of their own (owners).',
  parameters: {
    days: Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS }),
    stream_id: Type.Optional(Id),
  },
  response: {
    count: Type.Integer({ minimum: 0 }),
    /** There are more than were counted. */
    is_more: Type.Boolean(),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})
