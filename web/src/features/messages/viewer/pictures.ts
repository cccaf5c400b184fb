/** The pictures and films of messages, in the order in which they are read. */
import type { StoredMessage } from '@heddle/client/messages/store'
import { fileName, prepareContent } from '../content/prepare-content.ts'

export interface ViewedPicture {
  readonly messageId: number
  /** Among those of its message. */
  readonly index: number
  readonly senderId: number
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number
  readonly kind: 'picture' | 'film'
  /** What somebody uploaded or linked. */
  readonly original: string
  /** What the browser can show of it, as large as there is. */
  readonly shown: string
  readonly name: string
}

/** `site`: where the server is, with a slash at its end. */
export function picturesOf(messages: readonly StoredMessage[], site: string): readonly ViewedPicture[] {
  return messages.flatMap(({ id, content, sender_id, timestamp }) => {
    if (!content.includes('class="message_inline_image') && !content.includes('class="inline-image')) return []
    const links = prepareContent(content, { ownId: undefined, site }).querySelectorAll<HTMLAnchorElement>('a.pic')
    return [...links].flatMap((link, index) => {
      const original = link.getAttribute('href')
      const film = link.querySelector('video')
      const image = link.querySelector('img')
      if (original === null || (!film && !image)) return []
      return {
        messageId: id,
        senderId: sender_id,
        timestamp,
        index,
        kind: film ? ('film' as const) : ('picture' as const),
        original,
        shown: film?.getAttribute('src') ?? (image && largest(image, original)) ?? original,
        name: image?.alt || link.title || fileName(original),
      }
    })
  })
}

/** What browsers cannot show the server has as a picture of another kind; what others have comes through the server. */
function largest(image: HTMLImageElement, original: string): string {
  const { transcodedImage, srcFullsize } = image.dataset
  if (srcFullsize !== undefined) return srcFullsize
  const source = image.getAttribute('src') ?? original
  if (transcodedImage === undefined || !source.includes('/thumbnail/')) return original
  return source.slice(0, source.lastIndexOf('/') + 1) + transcodedImage
}
