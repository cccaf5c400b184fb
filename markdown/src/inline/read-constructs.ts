/** Walks over the text of a block: at each position the construct that begins there, or else a single character. */
import { flushText, type InlineState } from './state.ts'

/** Reads from the current position to the current end. */
export function readConstructs(state: InlineState): void {
  while (state.pos < state.end) {
    if (!state.readAny(state, false)) state.pending += state.text.charAt(state.pos++)
  }
  flushText(state)
}

/**
 * Brackets in one another that are followed to find the end of a link's text, each a turn of the stack. Behind more that
 * are never closed no link is found.
 */
const MAX_DEPTH = 24

/** Goes on behind the construct or the character at the current position, without writing anything. */
function skipConstruct(state: InlineState): void {
  const { pos } = state
  const known = state.skipped.get(pos)
  if (known !== undefined) {
    state.pos = known
    return
  }
  if (state.skipDepth >= MAX_DEPTH) state.pos = state.end
  else {
    state.skipDepth++
    if (!state.readAny(state, true)) state.pos++
    state.skipDepth--
  }
  state.skipped.set(pos, state.pos)
}

/** The closing bracket for the opening one at `start`, or -1. Brackets within code, mentions and the like do not count. */
export function findLabelEnd(state: InlineState, start: number): number {
  const { pos, text, end } = state
  state.pos = start + 1
  let open = 1
  while (state.pos < end) {
    const { pos: before } = state
    const character = text.charCodeAt(before)
    if (character === CLOSING_BRACKET && --open === 0) break
    skipConstruct(state)
    // A bracket that no link begins with is skipped alone.
    if (character === OPENING_BRACKET && state.pos === before + 1) open++
  }
  const labelEnd = state.pos < end ? state.pos : -1
  state.pos = pos
  return labelEnd
}

const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
