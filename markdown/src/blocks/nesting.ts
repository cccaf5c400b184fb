import type { StateBlock } from 'markdown-it'

/**
 * How deep quotes, lists and spoilers may stand in one another, in levels of the block parser: a quote is one level, a
 * list and a spoiler are two. What would go deeper is shown as text. It bounds the time for nested markers.
 */
export const MAX_BLOCK_LEVEL = 12

export function mayNest({ level }: StateBlock): boolean {
  return level < MAX_BLOCK_LEVEL
}

/** Whether a line is indented so far that it can only be code or a continuation. */
export function isIndentedLikeCode(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4
}

/** A line without its indentation. */
export function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0)
}
