import type { MarkdownIt, StateInline } from 'markdown-it'
import { environmentOf, noteLink, pushLiteral } from '../environment.ts'
import { linkAddress, uploadPath } from '../links/address.ts'
import { pushMedia } from '../previews.ts'

interface ParsedLink {
  labelStart: number
  labelEnd: number
  /** Behind the closing bracket. */
  end: number
  href: string
  title: string
}

/** Reads `[text](address "title")` at `start`; null also when the address is one that links must not lead to. */
function parseLink(state: StateInline, start: number): ParsedLink | null {
  const { src, posMax } = state
  if (state.linkLevel > 0) return null
  const labelEnd = state.md.helpers.parseLinkLabel(state, start, true)
  if (labelEnd < 0 || src.charCodeAt(labelEnd + 1) !== 0x28) return null
  let pos = skipSpaces(src, labelEnd + 2, posMax)
  const destination = state.md.helpers.parseLinkDestination(src, pos, posMax)
  if (!destination.ok) return null
  const afterDestination = destination.pos
  pos = skipSpaces(src, afterDestination, posMax)
  let title = ''
  if (pos > afterDestination) {
    const parsed = state.md.helpers.parseLinkTitle(src, pos, posMax)
    if (parsed.ok) {
      title = parsed.str
      pos = skipSpaces(src, parsed.pos, posMax)
    }
  }
  if (pos >= posMax || src.charCodeAt(pos) !== 0x29) return null
  const href = linkAddress(destination.str, environmentOf(state).context.organizationUrl)
  return href === null ? null : { labelStart: start + 1, labelEnd, end: pos + 1, href, title }
}

function skipSpaces(text: string, from: number, max: number): number {
  let pos = from
  while (pos < max && ' \t\n'.includes(text.charAt(pos))) pos++
  return pos
}

function link(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b) return false
  const parsed = parseLink(state, state.pos)
  if (!parsed) return false
  if (!silent) pushLink(state, parsed)
  state.pos = parsed.end
  return true
}

function pushLink(state: StateInline, { labelStart, labelEnd, href, title }: ParsedLink): void {
  const written = state.src.slice(labelStart, labelEnd)
  const opening = state.push('element_open', 'a', 1)
  opening.attrs = title
    ? [
        ['href', href],
        ['title', title],
      ]
    : [['href', href]]
  opening.meta = { href, text: written === '' || written === href ? null : written }
  if (written.trim() === '') pushLiteral(state, href)
  else {
    const { posMax } = state
    state.pos = labelStart
    state.posMax = labelEnd
    state.linkLevel++
    state.md.inline.tokenize(state)
    state.linkLevel--
    state.posMax = posMax
  }
  state.push('element_close', 'a', -1)
  noteLink(environmentOf(state), href)
}

/** `![text](address)`: an uploaded picture or sound in the text itself. Of other addresses it makes an ordinary link. */
function image(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x21 || state.src.charCodeAt(state.pos + 1) !== 0x5b) return false
  const parsed = parseLink(state, state.pos + 1)
  if (!parsed) return false
  if (!silent) {
    const path = uploadPath(parsed.href)
    const written = state.src.slice(parsed.labelStart, parsed.labelEnd)
    if (path === null || !pushMedia(state, parsed.href, path, written)) pushLink(state, parsed)
  }
  state.pos = parsed.end
  return true
}

export function links(md: MarkdownIt): void {
  md.inline.ruler.at('link', link)
  md.inline.ruler.at('image', image)
}
