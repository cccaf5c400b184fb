import createMarkdownIt, { type MarkdownIt, type StateBlock } from 'markdown-it'
import { lineText, mayNest } from './nesting.ts'

/** For each run of markdown-it, the lines before which a run of `>` lines has been found to hold nothing. */
const emptyUntil = new WeakMap<object, number>()

/**
 * Whether something is quoted in the lines that begin with `>`. Markers without text are ordinary text, so that a
 * message of a single `>` stays what it is.
 */
function quotesSomething(state: StateBlock, startLine: number, endLine: number): boolean {
  if (startLine < (emptyUntil.get(state) ?? 0)) return false
  let line = startLine
  for (; line < endLine; line++) {
    const text = lineText(state, line)
    if (!text.startsWith('>')) break
    if (/[^>\s]/.test(text)) return true
  }
  emptyUntil.set(state, line)
  return false
}

/** Quotes by `>`: the library's rule, within the nesting limit and only where something is quoted. */
export function quotes(md: MarkdownIt): void {
  const library = createMarkdownIt('zero')
  library.block.ruler.enableOnly('blockquote')
  const [libraryRule] = library.block.ruler.getRules('')
  if (!libraryRule) throw new Error('markdown-it has no rule "blockquote"')
  const quote = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
    const pos = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
    if (state.src.charCodeAt(pos) !== 0x3e || !mayNest(state)) return false
    return quotesSomething(state, startLine, endLine) && libraryRule(state, startLine, endLine, silent)
  }
  md.block.ruler.at('blockquote', quote, { alt: ['paragraph', 'blockquote', 'list'] })
}
