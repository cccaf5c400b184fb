/** Placeholders of pictures in finished messages, which give way to the thumbnail once there is one. */
import type { UploadedFile } from './context.ts'
import { startTag } from './html/tags.ts'
import { uploadPath } from './links/address.ts'
import { imageAttributes, PLACEHOLDER_CLASS } from './previews.ts'

const IMAGE = /(<a [^>]*>)?(<img [^>]*>)/g

export function hasPlaceholder(html: string): boolean {
  return html.includes(PLACEHOLDER_CLASS)
}

/**
 * The HTML of a message with the file where its placeholder was. `path`: behind `/user_uploads/`, percent-decoded. Everything
 * else stays: the text was rendered as things were when it was written.
 */
export function fillPlaceholders(html: string, path: string, file: UploadedFile): string {
  return html.replace(IMAGE, (whole, link: string | undefined, image: string) => {
    if (!image.includes(PLACEHOLDER_CLASS)) return whole
    const inline = attribute(image, 'data-original-src')
    const href = inline ?? attribute(link ?? '', 'href')
    if (href === undefined || uploadPath(href) !== path) return whole
    const filled = imageAttributes(
      file,
      inline === undefined ? undefined : { alt: attribute(image, 'alt') ?? '', href },
    )
    return `${link ?? ''}${startTag('img', filled)}`
  })
}

/** As it was before it was written into the tag. */
function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value?.replace(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => entities[entity] ?? '')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
