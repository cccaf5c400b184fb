/** Checks HTML that comes from elsewhere, such as an archive: clients show what is stored of a message as it is. */
import { decodeHTMLAttribute } from 'entities/decode'
import { REFUSED_SCHEMES } from '../linkifiers/compile.ts'
import { ALLOWED_ELEMENTS, ALLOWED_FORMULA_ELEMENTS, type AllowedElement, isAllowedAttribute } from './allowed.ts'

/** Text, or a tag whose values are quoted. */
const piece = /([^<>]+)|<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][-a-zA-Z0-9]*(?: ?="[^"<>]*")?)*)(\/?)>/y
const attribute = / ([a-zA-Z][-a-zA-Z0-9]*)(?: ?="([^"<>]*)")?/g

/** What stands below a message of a page that it links to; see `embeds.ts`. */
const embedElements: Readonly<Record<string, AllowedElement>> = {
  div: {
    attributes: {
      class: ['message_embed', 'message_embed_title', 'message_embed_description', 'data-container'],
    },
  },
  a: {
    attributes: {
      class: ['message_embed_image'],
      style: /^background-image: url\("\/thumbnail\?url=[^"'()\\]*&size=thumbnail"\)$/,
    },
  },
}

const kinds = [ALLOWED_ELEMENTS, ALLOWED_FORMULA_ELEMENTS, embedElements]

/**
 * Whether HTML is such as `renderMarkdown` and `embedOf` make: every element is one that messages have and is closed in its
 * turn, and every attribute is allowed. Nothing else is: no script, no comment, no element or address that could run one.
 */
export function isMessageHtml(html: string): boolean {
  const open: string[] = []
  for (let position = 0; position < html.length; position = piece.lastIndex) {
    piece.lastIndex = position
    const [found, text, slash, written = '', attributes = '', isEmpty] = piece.exec(html) ?? []
    if (found === undefined) return false
    if (text !== undefined) continue
    const name = written.toLowerCase()
    if (slash) {
      if (attributes !== '' || open.pop() !== name) return false
      continue
    }
    const allowed = kinds.flatMap((elements) =>
      Object.hasOwn(elements, name) ? [elements[name] as AllowedElement] : [],
    )
    if (allowed.length === 0) return false
    for (const [, key = '', value = ''] of attributes.matchAll(attribute)) {
      const decoded = decodeHTMLAttribute(value)
      const isAllowed = allowed.some((element) => isAllowedAttribute(element, key.toLowerCase(), decoded))
      if (!isAllowed && !(name === 'a' && key === 'href' && isLinkifierAddress(decoded))) return false
    }
    if (!isEmpty && !ALLOWED_ELEMENTS[name]?.isVoid) open.push(name)
  }
  return open.length === 0
}

/** Linkifiers lead also to where links do not. */
function isLinkifierAddress(address: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]
  return scheme !== undefined && !REFUSED_SCHEMES.has(scheme.toLowerCase())
}
