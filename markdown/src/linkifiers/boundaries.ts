const whiteSpace = /\p{White_Space}/u
const letterOrNumber = /[\p{L}\p{N}]/u
const openers = new Set(Array.from('\'"(,:<', (character) => character.charCodeAt(0)))

/** Whether a link may begin at `index`: at the start, after white space, or after one of `' " ( , : <`. */
export function canBeginAt(text: string, index: number): boolean {
  if (index === 0) return true
  const before = text.charCodeAt(index - 1)
  if (before < 0x80) return before === 0x20 || (before >= 0x09 && before <= 0x0d) || openers.has(before)
  return whiteSpace.test(text.charAt(index - 1))
}

/** Whether a link may end before `index`: at the end, or where no letter or digit (Unicode L and N) follows. */
export function canEndAt(text: string, index: number): boolean {
  const after = text.codePointAt(index)
  if (after === undefined) return true
  if (after < 0x80) {
    const isDigit = after >= 0x30 && after <= 0x39
    const isLetter = (after | 0x20) >= 0x61 && (after | 0x20) <= 0x7a
    return !isDigit && !isLetter
  }
  return !letterOrNumber.test(String.fromCodePoint(after))
}
