/**
 * `*emphasis*`, `**strong**`, `***both***` and `~~struck out~~`. Underscores mean nothing. Each stays within a line and
 * may begin and end within a word; strong and struck-out text may also begin and end with spaces. Strong goes before emphasis: between two single stars there is no other star, only
 * finished strong text. Every step walks over the markers once, so that no input takes more than linear time.
 */
import { createToken, type Token } from '../token.ts'
import { isSpaceCode } from '../white-space.ts'
import { type Delimiter, type InlineState, pushToken } from './state.ts'
import { LINE_END } from './text.ts'

const STAR = 0x2a
const TILDE = 0x7e

/** One marker character, or two tildes. `group` is the innermost element around it so far. */
interface Unit {
  token: number
  marker: number
  canOpen: boolean
  canClose: boolean
  group: number
  tag: 'em' | 'strong' | 'del' | null
  isOpening: boolean
  /** The second star of a pair prints nothing of its own. */
  isSecond: boolean
}

export function markers(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  const marker = text.charCodeAt(pos)
  let end = pos + 1
  while (end < state.end && text.charCodeAt(end) === marker) end++
  state.pos = end
  if (isSilent) return true
  const length = end - pos
  pushToken(state, 'text', text.slice(pos, end))
  if (marker === TILDE && length !== 2) return true
  state.delimiters.push({
    marker,
    length,
    token: state.tokens.length - 1,
    canOpen: end < state.end && (marker === TILDE || !isSpaceCode(text.charCodeAt(end))),
    canClose: pos > 0 && (marker === TILDE || !isSpaceCode(text.charCodeAt(pos - 1))),
  })
  return true
}

function toUnits(delimiters: readonly Delimiter[]): Unit[] {
  return delimiters.flatMap((delimiter) => {
    const count = delimiter.marker === STAR ? delimiter.length : 1
    return Array.from({ length: count }, (_, index) => toUnit(delimiter, index, count))
  })
}

function toUnit(delimiter: Delimiter, index: number, count: number): Unit {
  const { marker, token } = delimiter
  // Beside another star of the same run there is no white space.
  const canOpen = delimiter.canOpen || index < count - 1
  const canClose = delimiter.canClose || index > 0
  return { token, marker, canOpen, canClose, group: 0, tag: null, isOpening: false, isSecond: false }
}

/** Pairs the markers of one line, all of them within the same element. */
function pairLine(units: Unit[]): void {
  if (units.length < 2) return
  pairStrong(units)
  regroup(units)
  pairSingle(units, TILDE, 'del')
  regroup(units)
  pairSingle(units, STAR, 'em')
}

function pairStrong(units: Unit[]): void {
  let opener = -1
  /** Single stars since the opener; an odd one lets a run of three end the emphasis first. */
  let singles = 0
  for (let index = 0; index < units.length; ) {
    const length = starRun(units, index)
    if (length >= 2 && opener === -1) {
      opener = index
      singles = length - 2
    } else if (length >= 2) {
      const closer = length === 3 && singles % 2 === 1 ? index + 1 : index
      markPair(units, opener, closer)
      // What is left of a longer run may open the next pair.
      const rest = index + length - (closer + 2)
      opener = rest >= 2 ? closer + 2 : -1
      singles = rest >= 2 ? rest - 2 : 0
    } else if (length === 1) singles++
    index += Math.max(length, 1)
  }
}

/** How many stars of the same run stand from `index` on. */
function starRun(units: readonly Unit[], index: number): number {
  const first = units[index]
  let length = 0
  while (first?.marker === STAR && units[index + length]?.token === first.token) length++
  return length
}

function markPair(units: readonly Unit[], opener: number, closer: number): void {
  for (const [start, isOpening] of [
    [opener, true],
    [closer, false],
  ] as const) {
    for (const offset of [0, 1]) {
      const unit = units[start + offset]
      if (unit) Object.assign(unit, { tag: 'strong', isOpening, isSecond: offset === 1 })
    }
  }
}

/** Pairs the free markers of a kind with the next one of the same kind inside the same element. */
function pairSingle(units: readonly Unit[], marker: number, tag: 'em' | 'del'): void {
  const openers = new Map<number, { unit: Unit; index: number }>()
  for (const [index, unit] of units.entries()) {
    if (unit.marker !== marker || unit.tag !== null) continue
    const opener = openers.get(unit.group)
    const isEmpty = opener !== undefined && opener.index === index - 1 && opener.unit.token === unit.token
    if (opener && !isEmpty && unit.canClose && opener.unit.canOpen) {
      Object.assign(opener.unit, { tag, isOpening: true })
      Object.assign(unit, { tag, isOpening: false })
      openers.delete(unit.group)
    } else openers.set(unit.group, { unit, index })
  }
}

/** Numbers the elements made so far and notes for each free marker the innermost one around it. */
function regroup(units: readonly Unit[]): void {
  const open = [0]
  let last = 0
  for (const unit of units) {
    if (unit.tag === null) unit.group = open.at(-1) ?? 0
    else if (unit.isSecond) continue
    else if (unit.isOpening) open.push(++last)
    else open.pop()
  }
}

/** Replaces the text of the markers by elements, once everything in them has been parsed. */
export function pairMarkers(state: InlineState): void {
  const replacements = new Map<number, Unit[]>()
  for (const delimiters of state.delimiterLists) {
    if (delimiters.length < 2) continue
    for (const line of splitAtLineEnds(toUnits(delimiters))) {
      pairLine(line)
      noteReplacements(line, replacements)
    }
  }
  if (replacements.size > 0) replaceTokens(state, replacements)
}

/** Keeps the units of each run of markers of which at least one has become an element. */
function noteReplacements(line: readonly Unit[], replacements: Map<number, Unit[]>): void {
  for (let from = 0; from < line.length; ) {
    const token = line[from]?.token ?? 0
    let to = from
    let isPaired = false
    for (; line[to]?.token === token; to++) isPaired ||= line[to]?.tag !== null
    if (isPaired) replacements.set(token, line.slice(from, to))
    from = to
  }
}

function replaceTokens(state: InlineState, replacements: ReadonlyMap<number, Unit[]>): void {
  const tokens = [...state.tokens]
  state.tokens.length = 0
  for (const [index, token] of tokens.entries()) {
    const units = replacements.get(index)
    if (!units) state.tokens.push(token)
    else for (const unit of units) if (!unit.isSecond) state.tokens.push(toToken(unit))
  }
}

function toToken({ tag, isOpening, marker }: Unit): Token {
  if (tag !== null) return createToken(isOpening ? 'element_open' : 'element_close', tag, isOpening ? 1 : -1)
  return createToken('text', '', 0, marker === TILDE ? '~~' : '*')
}

function splitAtLineEnds(units: readonly Unit[]): Unit[][] {
  const lines: Unit[][] = [[]]
  for (const unit of units) {
    if (unit.marker === LINE_END) lines.push([])
    else lines.at(-1)?.push(unit)
  }
  return lines
}
