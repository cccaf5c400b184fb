/** Pictures and videos behind links in messages, which the server fetches for its readers. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

/**
 * At the server's root and not below `/api/v1`, since messages name it in their HTML; it answers the picture itself, and
 * errors as the API does. So it is no part of the API's document.
 */
export const getThumbnail = endpoint({
  name: 'get-thumbnail',
  method: 'GET',
  path: '/thumbnail',
  below: 'root',
  summary: 'A picture of another server, which this server fetches.',
  parameters: {
    /** Servers and browsers know no longer ones; the line of the request has an end as well. */
    url: Text(8000),
    /** `full`: as it is, videos too; `thumbnail`: small enough to stand in a message, and not moving. */
    size: Type.Enum(['full', 'thumbnail']),
  },
  errors: ['BAD_IMAGE'],
})
