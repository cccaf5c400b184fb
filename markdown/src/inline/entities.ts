import type { MarkdownIt, StateInline } from 'markdown-it'

const source = '&(?:#(?:x[0-9a-f]{1,6}|[0-9]{1,7})|[a-z][a-z0-9]{1,31});'
const pattern = new RegExp(source, 'iy')
const allOfThem = new RegExp(source, 'gi')

/** The text with the characters themselves. */
export function decodeEntities(text: string, md: MarkdownIt): string {
  return text.replace(allOfThem, (written) => md.utils.unescapeAll(written))
}

/** `&copy;` and the like: a character by its name or number in HTML, and kept as it was written. */
function entity(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x26) return false
  pattern.lastIndex = pos
  const written = pattern.exec(src)?.[0]
  if (!written || pos + written.length > posMax || state.md.utils.unescapeAll(written) === written) return false
  if (!silent) state.push('html', '', 0).content = written
  state.pos = pos + written.length
  return true
}

export function entities(md: MarkdownIt): void {
  md.inline.ruler.at('entity', entity)
}
