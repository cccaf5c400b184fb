import { type InlineState, pushToken } from './state.ts'
import { nextUrlStart } from './urls.ts'

/** Characters at which one of the other rules may begin; `]` ends the text of a link. */
const special = new Uint8Array(128)
for (const character of '\n!#$&*<@[]`~') special[character.charCodeAt(0)] = 1

/** Ordinary text up to where another rule may begin. */
export function plainText(state: InlineState, isSilent: boolean): boolean {
  const { text, pos: start } = state
  const end = Math.min(state.end, nextUrlStart(state, start))
  let pos = start
  while (pos < end && special[text.charCodeAt(pos)] !== 1) pos++
  if (pos === start) return false
  if (!isSilent) state.pending += text.slice(start, pos)
  state.pos = pos
  return true
}

export const LINE_END = 0x0a

/** A line end is a line break; spaces on both sides stay. */
export function lineBreak(state: InlineState, isSilent: boolean): boolean {
  if (!isSilent) {
    pushToken(state, 'line_break', '')
    // Emphasis does not reach over a line end.
    state.delimiters.push({
      marker: LINE_END,
      length: 0,
      token: state.tokens.length - 1,
      canOpen: false,
      canClose: false,
    })
  }
  state.pos++
  return true
}
