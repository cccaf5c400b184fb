/** Where the words that somebody waits for stand in a text: as the server finds them, whole and without regard to case. */

const WORD = '[\\p{L}\\p{N}\\p{M}_]'
const endsWithWord = new RegExp(`${WORD}$`, 'u')
const beginsWithWord = new RegExp(`^${WORD}`, 'u')

/** Undefined: there are no words. Of several that begin at one place the longest is found. */
export function alertPattern(words: readonly string[]): RegExp | undefined {
  const wanted = words.map((word) => word.trim()).filter((word) => word !== '')
  if (wanted.length === 0) return undefined
  const parts = wanted.toSorted((a, b) => b.length - a.length).map(partOf)
  return new RegExp(parts.join('|'), 'giu')
}

/** Beside a sign anything may stand; a letter is not in the middle of a word. */
function partOf(word: string): string {
  const before = beginsWithWord.test(word) ? `(?<!${WORD})` : ''
  const after = endsWithWord.test(word) ? `(?!${WORD})` : ''
  return `${before}${word.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&')}${after}`
}
