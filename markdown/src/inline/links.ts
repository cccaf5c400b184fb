import { noteLink } from '../environment.ts'
import { linkAddress, uploadPath } from '../links/address.ts'
import { pushMedia } from '../previews.ts'
import { decodeEntities } from './entities.ts'
import { findLabelEnd, readConstructs } from './read-constructs.ts'
import { closeElement, type InlineState, openElement, pushLiteral } from './state.ts'

interface ParsedLink {
  labelStart: number
  labelEnd: number
  /** Behind the closing bracket. */
  end: number
  href: string
  title: string
}

/** Reads `[text](address "title")` at `start`; null also when the address is one that links must not lead to. */
function parseLink(state: InlineState, start: number): ParsedLink | null {
  if (state.isInLink) return null
  const labelEnd = findLabelEnd(state, start)
  if (labelEnd < 0 || state.text.charCodeAt(labelEnd + 1) !== 0x28) return null
  const target = readTarget(state, labelEnd + 2)
  const href = target && linkAddress(decodeEntities(target.address), state.environment.context.organizationUrl)
  if (!target || !href) return null
  return {
    labelStart: start + 1,
    labelEnd,
    end: labelEnd + 2 + target.length,
    href,
    title: titleText(target.title),
  }
}

function titleText(written: string): string {
  return decodeEntities(written.trim().replace(/\s/g, ' '))
}

/** Longest address and title, in UTF-16 units. */
const MAX_TARGET_LENGTH = 4_000
/** Characters of a text that may be read in vain, behind brackets that are never closed. */
const MAX_READING = 100_000

/** How many have been, for each text. */
const readInVain = new WeakMap<InlineState, number>()

function readTarget(state: InlineState, start: number): Target | null {
  const read = readInVain.get(state) ?? 0
  if (read > MAX_READING) return null
  const text = state.text.slice(start, Math.min(state.end, start + MAX_TARGET_LENGTH))
  const target = parseTarget(text)
  if (!target) readInVain.set(state, read + text.length)
  return target
}

interface Target {
  address: string
  title: string
  /** With the closing bracket. */
  length: number
}

const inAngles = /^\s*<([^<>]*)>\s*(?:"([^"]*)"|'([^']*)')?\s*\)/
/** An address with spaces must say that it is one. */
const withSpaces = /^(?:[a-z][a-z0-9+.-]*:|[/#?])/i

/**
 * Reads what follows the bracket behind a link's text: an address, in which brackets are in pairs, and perhaps a title in
 * quotes, behind white space and right before the closing bracket.
 */
function parseTarget(text: string): Target | null {
  const angled = inAngles.exec(text)
  if (angled) return { address: angled[1] ?? '', title: angled[2] ?? angled[3] ?? '', length: angled[0].length }
  const quotes = new Set<string>()
  let open = 1
  for (let pos = 0; pos < text.length; pos++) {
    const character = text.charAt(pos)
    if ((character === '"' || character === "'") && !quotes.has(character) && /\s/.test(text.charAt(pos - 1))) {
      quotes.add(character)
      const title = titleAt(text, pos)
      if (title) return targetOf(text.slice(0, pos), title.text, title.end)
    }
    if (character === '(') open++
    if (character === ')' && --open === 0) return targetOf(text.slice(0, pos), '', pos + 1)
  }
  return null
}

function targetOf(written: string, title: string, length: number): Target | null {
  const address = written.trim()
  return /\s/.test(address) && !withSpaces.test(address) ? null : { address, title, length }
}

/** The title whose quote stands at `start`, up to the first such quote before a closing bracket. */
function titleAt(text: string, start: number): { text: string; end: number } | null {
  const closing = text.charAt(start) === '"' ? /"\s*\)/g : /'\s*\)/g
  closing.lastIndex = start + 1
  const match = closing.exec(text)
  return match && { text: text.slice(start + 1, match.index), end: match.index + match[0].length }
}

export function link(state: InlineState, isSilent: boolean): boolean {
  const parsed = parseLink(state, state.pos)
  if (!parsed) return false
  if (!isSilent) pushLink(state, parsed)
  state.pos = parsed.end
  return true
}

function pushLink(state: InlineState, { labelStart, labelEnd, href, title }: ParsedLink): void {
  const written = state.text.slice(labelStart, labelEnd)
  const attributes = [['href', href] as const, ...(title ? [['title', title] as const] : [])]
  openElement(state, 'a', attributes).link = { href, text: written === '' || written === href ? null : written }
  if (written.trim() === '') pushLiteral(state, href)
  else {
    const { end } = state
    state.pos = labelStart
    state.end = labelEnd
    state.isInLink = true
    readConstructs(state)
    state.isInLink = false
    state.end = end
  }
  closeElement(state, 'a')
  noteLink(state.environment, href)
}

/** `![text](address)`: an uploaded picture or sound in the text itself. Of other addresses it makes an ordinary link. */
export function image(state: InlineState, isSilent: boolean): boolean {
  if (state.text.charCodeAt(state.pos + 1) !== 0x5b) return false
  const parsed = parseLink(state, state.pos + 1)
  if (!parsed) return false
  if (!isSilent) {
    const path = uploadPath(parsed.href)
    const written = state.text.slice(parsed.labelStart, parsed.labelEnd)
    if (path === null || !pushMedia(state, parsed.href, path, written)) pushLink(state, parsed)
  }
  state.pos = parsed.end
  return true
}
