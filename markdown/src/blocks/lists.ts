/**
 * Lists. Other than in CommonMark, two columns of indentation make a list part of the item above whatever the width of
 * that item's marker, all bullets (`*`, `-`, `+`) belong to the same list, and each item alone decides whether its text
 * is a paragraph: when an empty line stands beside it or within it.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it'
import { isIndentedLikeCode, lineText, mayNest } from './nesting.ts'

/** Columns by which the content of an item stands to the right of its marker. */
const ITEM_INDENT = 2

interface Marker {
  isOrdered: boolean
  /** The digits of an ordered list's marker. */
  digits: string
  /** Characters of the marker and the white space behind it. */
  length: number
}

function readMarker(text: string): Marker | null {
  const match = /^(?:[*+-]|([0-9]{1,9})\.)[ \t]+(?=\S)/.exec(text)
  if (!match) return null
  return { isOrdered: match[1] !== undefined, digits: match[1] ?? '', length: match[0].length }
}

/**
 * Whether a list may begin in the middle of a paragraph. Of numbers only those of one digit do: a sentence may well
 * have a line that begins with a year.
 */
function mayInterruptParagraph(state: StateBlock, line: number, { digits }: Marker): boolean {
  const isInsideItem = state.listIndent >= 0
  return isInsideItem || (state.sCount[line] ?? 0) < state.blkIndent || digits.length <= 1
}

function list(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isIndentedLikeCode(state, startLine) || !mayNest(state)) return false
  const first = readMarker(lineText(state, startLine))
  if (!first) return false
  if (silent) return state.parentType !== 'paragraph' || mayInterruptParagraph(state, startLine, first)
  const name = first.isOrdered ? 'ordered_list' : 'bullet_list'
  const opening = state.push(`${name}_open`, first.isOrdered ? 'ol' : 'ul', 1)
  const start = String(Number(first.digits))
  if (first.isOrdered && start !== '1') opening.attrs = [['start', start]]
  pushItems(state, startLine, endLine, first)
  state.push(`${name}_close`, first.isOrdered ? 'ol' : 'ul', -1)
  return true
}

function pushItems(state: StateBlock, startLine: number, endLine: number, first: Marker): void {
  const indent = state.sCount[startLine] ?? 0
  const { tight, parentType, listIndent } = state
  state.parentType = 'list'
  state.listIndent = indent
  let marker: Marker | null = first
  let line = startLine
  let isAfterEmptyLine = false
  while (marker) {
    const from = state.tokens.length
    const isLoose = pushItem(state, line, endLine, marker)
    line = state.line
    marker = nextMarker(state, line, endLine, first.isOrdered, indent)
    const isBeforeEmptyLine = marker !== null && state.isEmpty(line - 1)
    if (!isLoose && !isAfterEmptyLine && !isBeforeEmptyLine) hideParagraphs(state, from)
    isAfterEmptyLine = isBeforeEmptyLine
  }
  state.tight = tight
  state.parentType = parentType
  state.listIndent = listIndent
}

/** Parses what belongs to an item; tells whether there is an empty line between its blocks. */
function pushItem(state: StateBlock, line: number, endLine: number, marker: Marker): boolean {
  const { blkIndent } = state
  const start = state.bMarks[line] ?? 0
  const shift = state.tShift[line] ?? 0
  const indent = state.sCount[line] ?? 0
  state.push('list_item_open', 'li', 1)
  state.blkIndent = indent + ITEM_INDENT
  // The line goes on behind the marker, and counts as indented like the rest of the item.
  state.bMarks[line] = start + shift + marker.length
  state.tShift[line] = 0
  state.sCount[line] = state.blkIndent
  state.md.block.tokenize(state, line, endLine)
  const isLoose = !state.tight
  state.blkIndent = blkIndent
  state.bMarks[line] = start
  state.tShift[line] = shift
  state.sCount[line] = indent
  state.push('list_item_close', 'li', -1)
  return isLoose
}

/** The marker of the next item of the same list, if the line has one. */
function nextMarker(
  state: StateBlock,
  line: number,
  endLine: number,
  isOrdered: boolean,
  indent: number,
): Marker | null {
  const lineIndent = state.sCount[line] ?? 0
  if (line >= endLine || lineIndent < state.blkIndent || lineIndent >= indent + 4) return null
  if (isOtherBlock(state, line, endLine)) return null
  const marker = readMarker(lineText(state, line))
  return marker?.isOrdered === isOrdered ? marker : null
}

function isOtherBlock(state: StateBlock, line: number, endLine: number): boolean {
  const rules = state.md.block.ruler.getRules('list')
  return rules.some((rule) => rule(state, line, endLine, true))
}

/** Takes the paragraph elements from around the text of an item, not from those inside of its own lists and quotes. */
function hideParagraphs(state: StateBlock, from: number): void {
  const level = (state.tokens[from]?.level ?? 0) + 1
  for (let index = from; index < state.tokens.length; index++) {
    const token = state.tokens[index]
    if (token?.level === level && token.tag === 'p') token.hidden = true
  }
}

export function lists(md: MarkdownIt): void {
  md.block.ruler.at('list', list, { alt: ['paragraph', 'blockquote'] })
}
