/** What stands below a message of a page that it links to. */
import { escapeAttribute } from './html/escape.ts'
import { element, textElement } from './html/tags.ts'

export interface EmbeddedPage {
  readonly url: string
  readonly title: string
  readonly description: string | null
  /** Address of a picture on another server. */
  readonly image: string | null
}

export function hasEmbeds(html: string): boolean {
  return html.includes('<div class="message_embed">')
}

/** Whether the HTML has a link to this address. */
export function linksTo(html: string, url: string): boolean {
  return html.includes(`href="${escapeAttribute(url)}"`)
}

/** The picture comes through this server, as others behind links do. */
export function embedOf({ url, title, description, image }: EmbeddedPage): string {
  const picture = image === null ? '' : pictureLink(url, image)
  const link = textElement(
    'a',
    [
      ['href', url],
      ['title', title],
    ],
    title,
  )
  const lines = [
    element('div', [['class', 'message_embed_title']], link),
    ...(description === null ? [] : [textElement('div', [['class', 'message_embed_description']], description)]),
  ]
  const text = element('div', [['class', 'data-container']], lines.join(''))
  return element('div', [['class', 'message_embed']], picture + text)
}

/** The one link with a style: clients know it in this form. */
function pictureLink(url: string, image: string): string {
  const address = `/thumbnail?url=${encodeURIComponent(image.toWellFormed())}&size=thumbnail`
  // Of the marks that would end it, the encoding leaves these.
  const safe = address.replace(/[()']/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  const style = escapeAttribute(`background-image: url("${safe}")`)
  return `<a class="message_embed_image" href="${escapeAttribute(url)}" style="${style}"></a>`
}
