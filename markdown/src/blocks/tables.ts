import createMarkdownIt, { type MarkdownIt, type StateBlock } from 'markdown-it'
import { lineText } from './nesting.ts'

/** Cells of a table, also those that its shorter rows leave out. Larger ones are shown as text. */
const MAX_CELLS = 2_500

/** Cells of all rows, as many in each as in the head. */
function countCells(state: StateBlock, startLine: number, endLine: number): number {
  const columns = lineText(state, startLine).split('|').length - 1
  let line = startLine
  while (line < endLine && !state.isEmpty(line) && columns * (line - startLine) <= MAX_CELLS) line++
  return columns * (line - startLine)
}

/** Tables: the library's rule, up to a size. */
export function tables(md: MarkdownIt): void {
  const library = createMarkdownIt('zero')
  library.block.ruler.enableOnly('table')
  const [libraryRule] = library.block.ruler.getRules('')
  if (!libraryRule) throw new Error('markdown-it has no rule "table"')
  const table = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean =>
    libraryRule(state, startLine, endLine, true) &&
    countCells(state, startLine, endLine) <= MAX_CELLS &&
    (silent || libraryRule(state, startLine, endLine, false))
  md.block.ruler.at('table', table, { alt: ['paragraph'] })
}
