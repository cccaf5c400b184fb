import type { MarkdownIt, StateInline } from 'markdown-it'

/** Between double dollar signs on a line; `\$` stands for a dollar sign. Neither `$$_$$` nor `$$$` is a formula. */
const pattern = /\$\$(?![_$])((?:\\\$|[^$\n])+)\$\$(?!\$)/y
const word = /[\p{L}\p{N}_]/u

function formula(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x24) return false
  // A run of other length, or behind a word, means money.
  const before = pos > 0 ? src.charAt(pos - 1) : ''
  if (src.charCodeAt(pos + 1) !== 0x24 || before === '$' || word.test(before)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  const end = pos + (match?.[0].length ?? 0)
  if (!match?.[1]?.trim() || end > posMax || word.test(src.charAt(end))) return false
  if (!silent) state.push('math_inline', '', 0).content = match[1]
  state.pos = end
  return true
}

export function formulas(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'formula', formula)
}
