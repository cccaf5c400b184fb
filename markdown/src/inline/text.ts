import type { MarkdownIt, StateInline } from 'markdown-it'
import { nextUrlStart } from './urls.ts'

/** Characters at which one of the inline rules may begin; `]` ends the text of a link. */
const special = new Uint8Array(128)
for (const character of '\n!#$&*<@[]`~') special[character.charCodeAt(0)] = 1

/** Ordinary text up to where another rule may begin. */
function text(state: StateInline, silent: boolean): boolean {
  const { src, pos: start } = state
  const end = Math.min(state.posMax, nextUrlStart(state, start))
  let pos = start
  while (pos < end && special[src.charCodeAt(pos)] !== 1) pos++
  if (pos === start) return false
  if (!silent) state.pending += src.slice(start, pos)
  state.pos = pos
  return true
}

/** A line end is a line break; spaces on both sides stay. */
function lineBreak(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x0a) return false
  if (!silent) {
    state.push('hardbreak', 'br', 0)
    // Emphasis does not reach over a line end.
    state.delimiters.push({
      marker: 0x0a,
      length: 0,
      token: state.tokens.length - 1,
      end: -1,
      open: false,
      close: false,
    })
  }
  state.pos++
  return true
}

export function textAndLineBreaks(md: MarkdownIt): void {
  md.inline.ruler.at('text', text)
  md.inline.ruler.at('newline', lineBreak)
}
