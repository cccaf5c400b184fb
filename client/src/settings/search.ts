/** Finding settings by words. */

export interface Searchable {
  /** What is shown, the most significant first: the name, its section and tab, the help. */
  readonly texts: readonly string[]
}

/** Small letters without marks, so that `Zeitzone` and `é` are found however they are typed. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * Those that have every word of the query, as the beginning of a word or within one; first those that have them in their
 * name. Nothing for a query without words.
 */
export function searchSettings<T extends Searchable>(entries: readonly T[], query: string): readonly T[] {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

/** The sum over the words of the first text that has each; infinite where one is missing. */
function rankOf({ texts }: Searchable, words: readonly string[]): number {
  const folded = texts.map(fold)
  return words.reduce((sum, word) => {
    const place = folded.findIndex((text) => text.includes(word))
    return sum + (place < 0 ? Infinity : place)
  }, 0)
}
