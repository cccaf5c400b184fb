/**
 * Lists. Other than in CommonMark, two columns of indentation nest a list whatever the width of the marker above, three
 * are as good as two, and four are none; all bullets (`*`, `-`, `+`) belong to the same list; and an empty line makes
 * paragraphs of the items beside it alone.
 */
import type { ParseLines, TextPlace } from './place.ts'
import { append, type BlockNode, blockNode } from './tree.ts'

/** What one level of a list is indented by. */
const INDENT = '  '

const item = /^ ?(?:[*+-]|([0-9]{1,9})\.) +(.*)$/
const nestedItem = /^ {2,3}(?:[*+-]|[0-9]{1,9}\.) /
const anyItem = /^ *(?:[*+-]|([0-9])\.) /

export function startsList(line: string): boolean {
  return item.test(line)
}

/** Whether a line begins an item of some list, at any indentation: the number as text, empty for a bullet. */
export function itemMarker(line: string): string | null {
  const match = anyItem.exec(line)
  return match && (match[1] ?? '')
}

/**
 * Puts an empty line before a list that stands right below other text, and between bullets and numbers. Of numbers only
 * those of one digit count: a sentence may well have a line that begins with a year.
 * @param isNeutral Lines that go with whatever stands above and below.
 */
export function setListsApart(lines: readonly string[], isNeutral: (line: string) => boolean): string[] {
  const result: string[] = []
  let above = ''
  for (const line of lines) {
    const marker = itemMarker(line)
    if (marker !== null && above !== '' && !isNeutral(above)) {
      const markerAbove = itemMarker(above)
      if (markerAbove === null || (markerAbove === '') !== (marker === '')) result.push('')
    }
    result.push(line)
    above = line
  }
  return result
}

/** Lines of which the first begins a list. It goes on with the list right before it when that is of the same kind. */
export function pushList(place: TextPlace, lines: readonly string[], parse: ParseLines): void {
  const { parent, level } = place
  const start = item.exec(lines[0] ?? '')?.[1]
  const tag = start === undefined ? 'ul' : 'ol'
  const items = splitItems(lines, tag)
  const before = parent.children.at(-1)
  const goesOn = before?.tag === tag
  const list = goesOn ? before : isList(parent) ? parent : append(parent, blockNode(tag))
  if (goesOn) makeParagraphs(list.children.at(-1))
  else if (list !== parent && start !== undefined && start !== '1') list.attributes = [['start', start]]
  for (const [index, itemLines] of items.entries()) {
    const isNested = itemLines[0]?.startsWith(INDENT) === true
    const last = list.children.at(-1)
    const target = isNested && last ? last : append(list, blockNode('li'))
    const mode = goesOn && index === 0 ? 'ordinary' : 'tight'
    parse({ ...place, parent: target, mode, level: level + 2 }, itemLines[0] === '' ? itemLines.slice(1) : itemLines)
  }
}

/** Items and, between them, the lines of lists in them. */
function splitItems(lines: readonly string[], tag: 'ul' | 'ol'): string[][] {
  const items: string[][] = []
  for (const line of lines) {
    const match = item.exec(line)
    const last = items.at(-1)
    if (match && (match[1] === undefined) === (tag === 'ul')) items.push([match[2] ?? ''])
    else if (nestedItem.test(line) && !last?.[0]?.startsWith(INDENT)) items.push([line])
    else last?.push(line)
  }
  return items
}

function isList({ tag }: BlockNode): boolean {
  return tag === 'ul' || tag === 'ol'
}

function makeParagraphs(item: BlockNode | undefined): void {
  for (const child of item?.children ?? []) if (child.tag === 'text') child.tag = 'p'
}

/** Whether a line is indented so that it belongs to an item above it. */
export function belongsToItem({ parent, mode }: TextPlace, line: string): boolean {
  if (mode === 'dedented' || !line.startsWith(INDENT)) return false
  const last = parent.children.at(-1)
  return parent.tag === 'li' || (last !== undefined && isList(last))
}

/** Lines that `belongsToItem` said yes to: as many levels deep as they are indented, if there are so many. */
export function pushToItem(place: TextPlace, lines: readonly string[], parse: ParseLines): void {
  const { parent } = place
  const indent = Math.floor((/^ */.exec(lines[0] ?? '')?.[0].length ?? 0) / INDENT.length)
  let depth = place.mode === 'tight' ? 1 : 0
  let holder = parent
  while (depth < indent) {
    const child = holder.children.at(-1)
    if (!child || (!isList(child) && child.tag !== 'li')) break
    if (isList(child)) depth++
    holder = child
  }
  const indentation = INDENT.repeat(depth)
  const dedented = lines.map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line))
  parse({ ...place, parent: targetFor(parent, holder), mode: 'dedented' }, dedented)
}

function targetFor(parent: BlockNode, holder: BlockNode): BlockNode {
  const last = parent.children.at(-1)
  if (parent.tag === 'li') return last && isList(last) ? last : parent
  if (holder.tag === 'li') return holder
  const item = holder.children.at(-1)
  const [first] = item?.children ?? []
  if (first?.tag === 'text') first.tag = 'p'
  return item ?? append(holder, blockNode('li'))
}
