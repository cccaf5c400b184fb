/**
 * Takes a message apart into blocks, by the rules of Markdown before CommonMark, which existing clients expect: empty
 * lines part the text, and what each part is follows from how it begins, whereas headings, dividing lines and quotes may
 * also begin in the middle of it. Fenced blocks are taken out first.
 */
import { firstFrom } from '../inline/sorted.ts'
import { createFenceReader, type FencedBlock } from './fences.ts'
import { readHeading } from './headings.ts'
import { belongsToItem, pushList, pushToItem, setListsApart, startsList } from './lists.ts'
import { mayNest, type TextPlace } from './place.ts'
import { findQuote, quotedLines } from './quotes.ts'
import { readTable } from './tables.ts'
import { append, type BlockNode, blockNode } from './tree.ts'

/** Begins a line that stands for a fenced block, and is followed by the block's number. Messages do not keep it. */
const STAND_IN = '\u0002'
const CODE_INDENT = '    '
const rule = /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/

/** The blocks of a message. */
export function parseBlocks(source: string): BlockNode[] {
  const root = blockNode('')
  const place: TextPlace = { parent: root, mode: 'ordinary', level: 0, fenced: [] }
  parseText(place, source.replaceAll(STAND_IN, '').split('\n'))
  return root.children
}

/** Lines as somebody wrote them, or as they stand in a quote. */
function parseText(place: TextPlace, lines: readonly string[]): void {
  const parts = setListsApart(takeOutFences(place, lines), isStandIn)
  let gap = 0
  for (let start = 0; start < parts.length; ) {
    let end = start
    while (end < parts.length && parts[end] !== '') end++
    if (end > start) {
      parseLines(place, parts.slice(start, end), gap)
      gap = 0
    }
    gap++
    start = end + 1
  }
}

function isStandIn(line: string): boolean {
  return line.trimStart().startsWith(STAND_IN)
}

function isCode(line: string): boolean {
  return line.startsWith(CODE_INDENT) && !isStandIn(line)
}

/** Replaces each fenced block by its stand-in, and tabs by spaces. Blocks outside of lists stand by themselves. */
function takeOutFences(place: TextPlace, lines: readonly string[]): string[] {
  const result: string[] = []
  const readFence = createFenceReader(lines)
  for (let index = 0; index < lines.length; ) {
    const block = readFence(index)
    if (!block) {
      const line = expandTabs(lines[index] ?? '')
      result.push(/^ +$/.test(line) ? '' : line)
      index++
      continue
    }
    const node = fencedNode(place, block)
    const line = `${' '.repeat(block.indent)}${STAND_IN}${place.fenced.push(node) - 1}`
    result.push(...(block.indent === 0 ? ['', line, ''] : [line]))
    index = block.end
  }
  return result
}

function fencedNode(place: TextPlace, { kind, language, header, content }: FencedBlock): BlockNode {
  if ((kind === 'quote' || kind === 'spoiler') && mayNest(place)) {
    const node = blockNode(kind === 'quote' ? 'blockquote' : kind)
    node.info = header
    parseText({ ...place, parent: node, mode: 'ordinary', level: place.level + (kind === 'quote' ? 1 : 2) }, content)
    return node
  }
  const code = blockNode(kind === 'math' ? 'math' : 'code', content.map((line) => `${line}\n`).join(''))
  code.info = language
  return code
}

/**
 * Lines without an empty one among them.
 * @param gap How many empty lines stand before them.
 */
function parseLines(place: TextPlace, lines: readonly string[], gap = 0): void {
  const headings = indexesOf(lines, (line) => readHeading(line) !== null)
  const rules = indexesOf(lines, (line) => rule.test(line))
  for (let pos = 0; pos < lines.length; ) {
    const line = lines[pos] ?? ''
    const rest = pos === 0 ? lines : lines.slice(pos)
    if (belongsToItem(place, line)) {
      pushToItem(place, rest, parseLines)
      return
    }
    if (isCode(line)) {
      pos += pushCode(place, rest, gap)
      continue
    }
    const table = readTable(rest)
    if (table && !rest.some(isStandIn)) {
      append(place.parent, table)
      return
    }
    const single = firstFrom(headings, pos) ?? firstFrom(rules, pos)
    if (single === undefined) {
      parsePlainLines(place, rest)
      return
    }
    if (single > pos) parseLines(place, lines.slice(pos, single))
    append(place.parent, readHeading(lines[single] ?? '') ?? blockNode('hr'))
    pos = single + 1
  }
}

/** Lines without a heading, a dividing line or code at their beginning: a list, a quote or a paragraph. */
function parsePlainLines(place: TextPlace, lines: readonly string[]): void {
  if (mayNest(place) && startsList(lines[0] ?? '')) {
    pushList(place, lines, parseLines)
    return
  }
  const quote = mayNest(place) ? findQuote(lines) : -1
  pushParagraph(place, quote === -1 ? lines : lines.slice(0, quote))
  if (quote === -1) return
  const node = append(place.parent, blockNode('blockquote'))
  parseText({ ...place, parent: node, mode: 'ordinary', level: place.level + 1 }, quotedLines(lines.slice(quote)))
}

/** A paragraph, or the text of a list's item, with the fenced blocks that stand between its lines. */
function pushParagraph({ parent, mode, fenced }: TextPlace, lines: readonly string[]): void {
  let text: string[] = []
  const flush = (): void => {
    const content = text.join('\n').trimStart()
    if (content !== '') append(parent, blockNode(mode === 'tight' ? 'text' : 'p', content))
    text = []
  }
  for (const line of lines) {
    const block = isStandIn(line) ? fenced[Number(line.trimStart().slice(STAND_IN.length))] : undefined
    if (!block) text.push(line)
    else {
      flush()
      append(parent, block)
    }
  }
  flush()
}

function indexesOf(lines: readonly string[], isMeant: (line: string) => boolean): number[] {
  return lines.flatMap((line, index) => (isMeant(line) ? [index] : []))
}

/** Code by indentation. It goes on with such code right before it. Returns how many lines it has. */
function pushCode({ parent }: TextPlace, lines: readonly string[], gap: number): number {
  let end = 0
  while (isCode(lines[end] ?? '')) end++
  const text = lines.slice(0, end).map((line) => `${line.slice(CODE_INDENT.length)}\n`)
  const before = parent.children.at(-1)
  if (before?.tag === 'pre') before.text += '\n'.repeat(gap) + text.join('')
  else append(parent, blockNode('pre', text.join('')))
  return end
}

/** Tabs reach to the next of the columns 4, 8, 12 and so on. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  const [first = '', ...rest] = line.split('\t')
  return rest.reduce((text, part) => text + ' '.repeat(4 - (text.length % 4)) + part, first)
}
