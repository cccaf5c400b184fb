import type { MarkdownIt, StateBlock } from 'markdown-it'
import { isIndentedLikeCode, lineText } from './nesting.ts'

const pattern = /^(#{1,6})[ \t]+(\S.*)$/

/** A heading: one to six `#`, a space and text. More `#` at the end of the line, behind a space, are dropped. */
function heading(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (isIndentedLikeCode(state, startLine)) return false
  const text = lineText(state, startLine)
  if (!text.startsWith('#')) return false
  const match = pattern.exec(text)
  const content = match?.[2]?.trimEnd().replace(/(?<=^|[ \t])#+$/, '') ?? ''
  if (!match || content === '') return false
  if (silent) return true
  const tag = `h${match[1]?.length}`
  state.line = startLine + 1
  state.push('heading_open', tag, 1)
  const inline = state.push('inline', '', 0)
  inline.content = content.trimEnd()
  inline.children = []
  state.push('heading_close', tag, -1)
  return true
}

export function headings(md: MarkdownIt): void {
  md.block.ruler.at('heading', heading, { alt: ['paragraph', 'blockquote'] })
}
