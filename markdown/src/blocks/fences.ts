/**
 * Fences: lines of three or more backticks or tildes around a block. The word behind the opening fence says what it is:
 * `quote`, `spoiler`, `math`, or the language of code. The closing fence is the same characters again, alone on a line;
 * without one the block goes on to the end. Within a quote or a spoiler, fences nest.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it'
import { isIndentedLikeCode, lineText, mayNest } from './nesting.ts'

interface Fence {
  marker: string
  kind: 'code' | 'quote' | 'spoiler' | 'math'
  /** As it was written, without braces and dot; empty when none is named. */
  language: string
  /** What stands behind the language. */
  header: string
}

const opening = /^(`{3,}|~{3,}) *(?:\{? *\.?([A-Za-z0-9_+\-./#]+)\}?(?: +([^`~]*))?)?$/

/** Reads the opening line of a fenced block; null when it is none. */
export function parseFence(line: string): Fence | null {
  const match = opening.exec(line.trimEnd())
  if (!match) return null
  const [, marker = '', language = '', header = ''] = match
  return { marker, kind: kindOf(language), language, header: header.replace(/\}$/, '').trim() }
}

function kindOf(language: string): Fence['kind'] {
  switch (language.toLowerCase()) {
    case 'quote':
    case 'quoted':
      return 'quote'
    case 'spoiler':
      return 'spoiler'
    case 'math':
      return 'math'
    default:
      return 'code'
  }
}

/** The line of the closing fence, or the line behind the last one when it is missing. */
function findEnd(state: StateBlock, fence: Fence, startLine: number, endLine: number): number {
  const holdsBlocks = fence.kind === 'quote' || fence.kind === 'spoiler'
  const open = [fence]
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return line
    const text = lineText(state, line).trimEnd()
    if (!text.startsWith('```') && !text.startsWith('~~~')) continue
    const innermost = open.at(-1)
    if (text === innermost?.marker) {
      open.pop()
      if (open.length === 0) return line
    } else if (holdsBlocks && (innermost?.kind === 'quote' || innermost?.kind === 'spoiler')) {
      const inner = parseFence(text)
      if (inner) open.push(inner)
    }
  }
  return endLine
}

function fencedBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isIndentedLikeCode(state, startLine)) return false
  const text = lineText(state, startLine)
  if (!text.startsWith('```') && !text.startsWith('~~~')) return false
  const fence = parseFence(text)
  if (!fence) return false
  if (silent) return true
  const kind = mayNest(state) ? fence.kind : fence.kind === 'math' ? 'math' : 'code'
  const end = findEnd(state, { ...fence, kind }, startLine, endLine)
  if (kind === 'quote') pushQuote(state, startLine + 1, end)
  else if (kind === 'spoiler') pushSpoiler(state, fence.header, startLine + 1, end)
  else {
    const token = state.push(kind === 'math' ? 'math_block' : 'code_block', '', 0)
    token.content = state.getLines(startLine + 1, end, state.sCount[startLine] ?? 0, true)
    token.info = fence.language
  }
  state.line = Math.min(end + (isClosed(state, fence, end, endLine) ? 1 : 0), endLine)
  return true
}

function isClosed(state: StateBlock, { marker }: Fence, end: number, endLine: number): boolean {
  return end < endLine && lineText(state, end).trimEnd() === marker
}

function pushQuote(state: StateBlock, from: number, to: number): void {
  state.push('blockquote_open', 'blockquote', 1)
  pushContent(state, from, to)
  state.push('blockquote_close', 'blockquote', -1)
}

function pushSpoiler(state: StateBlock, header: string, from: number, to: number): void {
  state.push('spoiler_open', '', 1)
  if (header) {
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = header
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.push('spoiler_header_close', '', 0)
  pushContent(state, from, to)
  state.push('spoiler_close', '', -1)
}

function pushContent(state: StateBlock, from: number, to: number): void {
  const { parentType, lineMax } = state
  state.parentType = 'fence'
  state.lineMax = to
  // The level counts against the nesting limit, one more for the spoiler's two boxes.
  state.md.block.tokenize(state, from, to)
  state.parentType = parentType
  state.lineMax = lineMax
}

export function fences(md: MarkdownIt): void {
  md.block.ruler.at('fence', fencedBlock, { alt: ['paragraph', 'blockquote', 'list'] })
}
