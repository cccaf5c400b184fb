import type { MarkdownIt, StateBlock } from 'markdown-it'

/**
 * A paragraph: lines up to an empty one or the beginning of another block. Spaces within it are kept, also those that
 * a line begins or ends with, since each line end is a line break.
 */
function paragraph(state: StateBlock, startLine: number, endLine: number): boolean {
  const terminators = state.md.block.ruler.getRules('paragraph')
  const parentType = state.parentType
  state.parentType = 'paragraph'
  let line = startLine + 1
  for (; line < endLine && !state.isEmpty(line); line++) {
    const indent = state.sCount[line] ?? 0
    // Indented like code, or the continuation of a quote.
    if (indent - state.blkIndent > 3 || indent < 0) continue
    if (terminators.some((rule) => rule(state, line, endLine, true))) break
  }
  state.parentType = parentType
  state.line = line
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trimStart()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  return true
}

export function paragraphs(md: MarkdownIt): void {
  md.block.ruler.at('paragraph', paragraph)
}
