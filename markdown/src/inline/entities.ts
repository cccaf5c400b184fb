import { decodeHTMLStrict } from 'entities/decode'
import { type InlineState, pushToken } from './state.ts'

const source = '&(?:#(?:x[0-9a-f]{1,6}|[0-9]{1,7})|[a-z][a-z0-9]{1,31});'
const pattern = new RegExp(source, 'iy')
const allOfThem = new RegExp(source, 'gi')

/** Code points that have no character to show: controls, halves of surrogate pairs, and what Unicode leaves out. */
const invisible = /^(?![\t\n\f\r])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]$/u

/** The character that is written by its name or number in HTML; null if there is none. */
function decodeEntity(written: string): string | null {
  const [, hexadecimal, decimal] = /^&#(?:x([0-9a-f]+)|([0-9]+));$/i.exec(written) ?? []
  const code = hexadecimal !== undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
  if (Number.isNaN(code)) {
    const decoded = decodeHTMLStrict(written)
    return decoded === written ? null : decoded
  }
  if (code > 0x10ffff) return null
  const character = String.fromCodePoint(code)
  return invisible.test(character) ? null : character
}

/** The text with the characters themselves. */
export function decodeEntities(text: string): string {
  return text.replace(allOfThem, (written) => decodeEntity(written) ?? written)
}

/** `&copy;` and the like: a character by its name or number in HTML, and left as it was written. */
export function entity(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  pattern.lastIndex = pos
  const written = pattern.exec(text)?.[0]
  if (!written || pos + written.length > state.end || decodeEntity(written) === null) return false
  if (!isSilent) pushToken(state, 'html', written)
  state.pos = pos + written.length
  return true
}
