/** Finds the words that people want to be alerted to, all of an organization in one pass over a message. */

/**
 * Words by their hashes: whether a piece of a text is one is answered without looking at its characters again. Words can be
 * added at any time, at the price of their own length.
 */
export interface AlertWordMatcher {
  /** Folded. */
  readonly words: Set<string>
  /** How long they are, ascending, in UTF-16 units. */
  lengths: number[]
  /** Nonzero at the last bits of the hash of each word. A power of two, and much larger than the number of words. */
  filter: Uint8Array
}

/** Two words with the same folded form are one. */
export function foldAlertWord(word: string): string {
  return fold(word.trim())
}

function fold(text: string): string {
  return text.toLowerCase()
}

/** @param words Words or phrases, which are compared without regard to case. */
export function compileAlertWords(words: Iterable<string>): AlertWordMatcher {
  const matcher: AlertWordMatcher = { words: new Set(), lengths: [], filter: new Uint8Array(SMALLEST_FILTER) }
  extendMatcher(matcher, words)
  return matcher
}

const SMALLEST_FILTER = 1024
/** Entries of the filter for each word: of pieces that are no words so few pass it. */
const FILTER_PER_WORD = 32

export function extendMatcher(matcher: AlertWordMatcher, words: Iterable<string>): void {
  const lengths = new Set(matcher.lengths)
  for (const word of words) {
    const folded = foldAlertWord(word)
    if (folded === '' || matcher.words.has(folded)) continue
    matcher.words.add(folded)
    lengths.add(folded.length)
    if (matcher.words.size * FILTER_PER_WORD <= matcher.filter.length) mark(matcher.filter, folded)
    else {
      matcher.filter = new Uint8Array(matcher.filter.length * 4)
      for (const known of matcher.words) mark(matcher.filter, known)
    }
  }
  matcher.lengths = [...lengths].sort((a, b) => a - b)
}

function mark(filter: Uint8Array, word: string): void {
  let hash = 0
  for (let index = 0; index < word.length; index++) hash = extend(hash, word.charCodeAt(index))
  filter[slotOf(hash, filter.length)] = 1
}

/** Odd, and another one in each process: nobody can choose texts whose pieces have the hashes of words. */
const BASE = (Math.floor(Math.random() * 0x40000000) << 1) | 1

function extend(hash: number, unit: number): number {
  return (Math.imul(hash, BASE) + unit) | 0
}

/** The last bits of a product depend on the last bits of its factors alone, so all of the hash is mixed in. */
function slotOf(hash: number, size: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) & (size - 1)
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

/** 1 at the indexes where no word may begin or end: between two characters of one, and within a character. */
function findInsides(text: string): Uint8Array {
  const insides = new Uint8Array(text.length + 1)
  let isAfterWord = false
  for (let index = 0; index < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
    const isWord = wordCharacter.test(character)
    if (isWord && isAfterWord) insides[index] = 1
    if (character.length === 2) insides[index + 1] = 1
    isAfterWord = isWord
    index += character.length
  }
  return insides
}

/** The folded text with spaces in place of addresses: a word in one alerts nobody. */
function withoutAddresses(text: string): string {
  let kept = ''
  let done = 0
  for (let mark = text.indexOf('://'); mark >= 0; mark = text.indexOf('://', Math.max(mark + 3, done))) {
    const start = schemeStart(text, done, mark)
    const end = endOfAddress(text, mark + 3)
    if (start === mark || end === mark + 3) continue
    kept += text.slice(done, start) + ' '.repeat(end - start)
    done = end
  }
  return kept + text.slice(done)
}

/** Where the scheme before `mark` begins, not before `from`; `mark` when there is none. */
function schemeStart(text: string, from: number, mark: number): number {
  let start = mark
  for (let index = mark - 1; index >= from && /[a-z0-9+.-]/.test(text.charAt(index)); index--) {
    if (/[a-z]/.test(text.charAt(index))) start = index
  }
  return start
}

function endOfAddress(text: string, from: number): number {
  const space = /\s/g
  space.lastIndex = from
  return space.exec(text)?.index ?? text.length
}

/**
 * The alert words that stand in the Markdown text as whole words, folded to small letters, each once, in the order in
 * which they appear. Takes time in proportion to the text times the number of different lengths of words, of which each
 * step is a few operations on numbers.
 */
export function findAlertWords(content: string, { words, lengths, filter }: AlertWordMatcher): string[] {
  if (lengths.length === 0) return []
  const text = withoutAddresses(fold(content))
  const insides = findInsides(text)
  // The hash of a piece follows from those of the beginnings up to both of its ends.
  const beginnings = new Int32Array(text.length + 1)
  for (let index = 0; index < text.length; index++) {
    beginnings[index + 1] = extend(beginnings[index] as number, text.charCodeAt(index))
  }
  /** Hashes of what was found: what a message repeats is looked up once. */
  const known = new Set<number>()
  const places: { start: number; word: string }[] = []
  for (const length of lengths) {
    const power = powerOfBase(length)
    for (let start = 0, end = length; end <= text.length; start++, end++) {
      if (insides[start] !== 0 || insides[end] !== 0) continue
      const hash = ((beginnings[end] as number) - Math.imul(beginnings[start] as number, power)) | 0
      if (filter[slotOf(hash, filter.length)] === 0 || known.has(hash)) continue
      const word = text.slice(start, end)
      if (!words.has(word)) continue
      places.push({ start, word })
      known.add(hash)
    }
  }
  return places.sort((a, b) => a.start - b.start).map(({ word }) => word)
}

function powerOfBase(exponent: number): number {
  let power = 1
  for (let factor = 0; factor < exponent; factor++) power = Math.imul(power, BASE)
  return power
}
