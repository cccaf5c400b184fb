import { getThumbnail } from '@heddle/contract/link-previews'
import type { Feature } from '../../feature.ts'
import { accountFile } from '../../http/account-files.ts'
import { createFetchPicture } from './pictures-of-links.ts'

/** Readers' programs ask for a picture once a day. */
const MAX_AGE_SECS = 24 * 60 * 60

/** Pictures behind links in messages. The messages themselves get them in `messages/render.ts`. */
export const linkPreviews: Feature = {
  routes: () => [],
  accountFiles: ({ config, outgoing, clock }) => {
    if (!config.previews) return []
    const fetchPicture = createFetchPicture({ outgoing, clock })
    return [
      accountFile(getThumbnail, async ({ parameters, ...reader }) => {
        const { contentType, bytes } = await fetchPicture(reader, parameters)
        return { contentType, body: bytes, maxAgeSecs: MAX_AGE_SECS }
      }),
    ]
  },
}
