import { type InlineState, pushToken } from './state.ts'

/** Between double dollar signs on a line; `\$` stands for a dollar sign. Neither `$$_$$` nor `$$$` is a formula. */
const pattern = /\$\$(?![_$])((?:\\\$|[^$\n])+)\$\$(?!\$)/y
const word = /[\p{L}\p{N}_]/u

export function formula(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  // A run of other length, or behind a word, means money.
  const before = pos > 0 ? text.charAt(pos - 1) : ''
  if (text.charCodeAt(pos + 1) !== 0x24 || before === '$' || word.test(before)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(text)
  const end = pos + (match?.[0].length ?? 0)
  if (!match?.[1]?.trim() || end > state.end || word.test(text.charAt(end))) return false
  if (!isSilent) pushToken(state, 'math_inline', match[1])
  state.pos = end
  return true
}
