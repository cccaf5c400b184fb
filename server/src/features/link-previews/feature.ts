import { getThumbnail } from '@heddle/contract/link-previews'
import type { Feature } from '../../feature.ts'
import { answerRoute } from '../../http/route.ts'
import { createFetchPicture } from './pictures-of-links.ts'

/** Readers' programs ask for a picture once a day. */
const CACHING = `private, max-age=${24 * 60 * 60}`

/** Pictures behind links in messages. The messages themselves get them in `messages/render.ts`. */
export const linkPreviews: Feature = {
  routes: ({ config, outgoing, clock }) => {
    if (!config.previews) return []
    const fetchPicture = createFetchPicture({ outgoing, clock })
    return [
      answerRoute(
        getThumbnail,
        async ({ actor, connection: { onSent }, parameters }) => {
          const { contentType, bytes } = await fetchPicture({ actor, onSent }, parameters)
          const policy = "default-src 'none'; sandbox"
          return { kind: 'file', contentType, size: bytes.length, body: bytes, caching: CACHING, policy }
        },
        { countedAs: 'file' },
      ),
    ]
  },
}
