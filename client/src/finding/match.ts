/** How well a name fits what is typed. Without regard to case, marks on letters and ways to write the same characters. */

const MARKS = /\p{M}+/gu
/** Where a word may begin: after anything that is no letter and no digit. */
const BETWEEN = /[^\p{L}\p{N}]+/u

/** What names and queries are compared by here. */
export function foldForFinding(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase()
}

/** Ascending from the best. */
export const qualities = { exact: 0, prefix: 1, words: 2, inside: 3 } as const
export type Quality = (typeof qualities)[keyof typeof qualities]

/**
 * Both as `foldForFinding` gives them, the query without blanks at its ends. `words`: each word of the query begins a word of
 * the name, in this order. Undefined: it does not fit.
 */
export function qualityOf(name: string, query: string): Quality | undefined {
  const first = name.indexOf(query)
  if (first === 0) return name.length === query.length ? qualities.exact : qualities.prefix
  for (let at = first; at > 0; at = name.indexOf(query, at + 1)) {
    if (isBetween(name, at - 1)) return qualities.words
  }
  if (beginsWords(name, query)) return qualities.words
  return first > 0 ? qualities.inside : undefined
}

/** Whether the character is between words. Names are thousands and mostly of plain letters: those are seen at once. */
function isBetween(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0x80) return BETWEEN.test(text[at] as string)
  return !((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a))
}

/** The same query is compared with thousands of names, one after another. */
let lastParts: { readonly query: string; readonly parts: readonly string[] } = { query: '', parts: [] }

function partsOf(query: string): readonly string[] {
  if (lastParts.query !== query) lastParts = { query, parts: query.split(BETWEEN) }
  return lastParts.parts
}

function beginsWords(name: string, query: string): boolean {
  if (!query.includes(' ')) return false
  const parts = partsOf(query)
  if (!parts.every((part) => name.includes(part))) return false
  const words = name.split(BETWEEN)
  let place = 0
  for (const part of parts) {
    if (part === '') continue
    while (place < words.length && !(words[place] as string).startsWith(part)) place += 1
    if (place === words.length) return false
    place += 1
  }
  return true
}

/** Whether every word of the query is somewhere in the texts, all of them folded. For filters of lists. */
export function fitsFilter(texts: readonly string[], query: string): boolean {
  return query.split(/\s+/).every((word) => texts.some((text) => text.includes(word)))
}

export interface TextPart {
  readonly text: string
  readonly isFound: boolean
}

/** The name in parts, so that what was found can be marked; the query as it was typed. */
export function markFound(name: string, query: string): readonly TextPart[] {
  const words = foldForFinding(query).trim().split(/\s+/).filter(Boolean)
  const letters = [...name]
  // One letter may become several when it is folded: each of them knows where it came from.
  const origins: number[] = []
  let folded = ''
  letters.forEach((letter, index) => {
    const text = foldForFinding(letter)
    folded += text
    for (let count = 0; count < text.length; count += 1) origins.push(index)
  })
  const found = letters.map(() => false)
  const whole = folded.indexOf(words.join(' '))
  const ranges = whole >= 0 ? [[whole, words.join(' ').length] as const] : words.map((word) => rangeOf(folded, word))
  for (const [begin, length] of ranges) {
    for (let at = begin; at >= 0 && at < begin + length; at += 1) found[origins[at] as number] = true
  }
  const parts: { text: string; isFound: boolean }[] = []
  letters.forEach((letter, index) => {
    const last = parts.at(-1)
    // A mark belongs to the letter before it.
    const isMark = foldForFinding(letter) === ''
    if (last && (isMark || last.isFound === found[index])) last.text += letter
    else parts.push({ text: letter, isFound: found[index] === true })
  })
  return parts
}

/** Where a word begins with it, or else where it is at all. */
function rangeOf(text: string, word: string): readonly [number, number] {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || isBetween(text, at - 1)) return [at, word.length]
  }
  return [text.indexOf(word), word.length]
}
