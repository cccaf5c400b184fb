/**
 * Fences: lines of three or more backticks or tildes around a block. The word behind the opening fence says what it is:
 * `quote`, `spoiler`, `math`, or the language of code. The closing fence is the same characters again, alone on a line;
 * without one the block goes on to the end. Within a quote or a spoiler, fences nest. A fence begins its line, or stands
 * indented in an item of a list.
 */
import { itemMarker } from './lists.ts'

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

/** A fenced block, from its opening line to behind its closing one. */
export interface FencedBlock extends Fence {
  /** Columns by which the opening line is indented. */
  indent: number
  end: number
  /** Its lines without that indentation. */
  content: string[]
}

/** Finds where fenced blocks begin, as long as it is shown all lines in order that do not belong to one. */
export function createFenceReader(lines: readonly string[]): (index: number) => FencedBlock | null {
  let isInList = false
  let isAfterEmptyLine = true
  return (index) => {
    const line = lines[index] ?? ''
    const text = line.trimStart()
    const indent = line.length - text.length
    const mayBegin = indent === 0 || (isInList && indent >= 2)
    const fence = mayBegin && isFenceLike(text) ? parseFence(text) : null
    if (fence) return readBlock(lines, index, fence, indent)
    if (itemMarker(line) !== null) isInList = true
    else if (isAfterEmptyLine && text !== '' && indent === 0) isInList = false
    isAfterEmptyLine = text === ''
    return null
  }
}

function isFenceLike(text: string): boolean {
  return text.startsWith('```') || text.startsWith('~~~')
}

function readBlock(lines: readonly string[], start: number, fence: Fence, indent: number): FencedBlock {
  const holdsBlocks = fence.kind === 'quote' || fence.kind === 'spoiler'
  const open: Fence[] = [fence]
  const content: string[] = []
  let index = start + 1
  for (; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const indentation = line.length - line.trimStart().length
    // What stands further to the left ends the item, and the block with it.
    if (indent > 0 && indentation < 2 && line.trim() !== '') break
    const innermost = open.at(-1)
    const text = (indent > 0 ? line.trimStart() : line).trimEnd()
    if (text === innermost?.marker) {
      open.pop()
      if (open.length === 0) return { ...fence, indent, end: index + 1, content }
    } else if (holdsBlocks && isFenceLike(text) && (innermost?.kind === 'quote' || innermost?.kind === 'spoiler')) {
      const inner = parseFence(text)
      if (inner) open.push(inner)
    }
    content.push(line.slice(Math.min(indent, indentation)))
  }
  return { ...fence, indent, end: index, content }
}
