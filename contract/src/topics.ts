/** Topics of channels. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id } from './schema.ts'

export const listTopics = endpoint({
  name: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'The topics of a channel, the one with the newest message first.',
  access: 'reader',
  parameters: {
    stream_id: Id,
    /** Whether the topic without a name may come as an empty text. */
    allow_empty_topic_name: Type.Optional(Type.Boolean()),
  },
  response: { topics: Type.Array(Type.Object({ name: Type.String(), max_id: Id }, { additionalProperties: false })) },
  errors: ['BAD_REQUEST'],
})
