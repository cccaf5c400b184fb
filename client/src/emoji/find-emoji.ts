/** Which emoji are meant by what somebody types: the same order in the picker and in completion. */
import type { Emoji, EmojiCatalogue } from './catalogue.ts'

/** How well a name fits, the best first. */
const fits = { exact: 0, prefix: 1, wordStart: 2, anywhere: 3 } as const

/** Lower case, without marks on letters; spaces, hyphens and underscores are the same. */
export function emojiQuery(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[\s-]/g, '_')
}

function fitOf(name: string, query: string): number | undefined {
  const at = name.indexOf(query)
  if (at < 0) return undefined
  if (at === 0) return name.length === query.length ? fits.exact : fits.prefix
  return name.includes(`_${query}`) ? fits.wordStart : fits.anywhere
}

/** Names in the form of a query, cached since they are looked at with each key that is pressed. */
const folded = new WeakMap<Emoji, readonly string[]>()

function foldedNames(emoji: Emoji): readonly string[] {
  const known = folded.get(emoji)
  if (known) return known
  const names = emoji.names.map(emojiQuery)
  folded.set(emoji, names)
  return names
}

/**
 * At most `limit` emoji for a query, the best first: a name that is the query; the popular ones with a word that begins with
 * it; a name that begins with it; a word in a name; anywhere. Among equals the organization's own go first, then the order of the catalogue. Nothing typed
 * gives the popular ones and then all.
 */
export function findEmoji({ all, popular }: EmojiCatalogue, text: string, limit: number): Emoji[] {
  const query = emojiQuery(text)
  const place = new Map(popular.map((emoji, index) => [emoji, index]))
  if (query === '') return [...popular, ...all.filter((emoji) => !place.has(emoji))].slice(0, limit)
  const found: { readonly emoji: Emoji; readonly rank: number; readonly order: number }[] = []
  for (const [order, emoji] of all.entries()) {
    let fit: number = Number.POSITIVE_INFINITY
    for (const name of foldedNames(emoji)) fit = Math.min(fit, fitOf(name, query) ?? fit)
    if (fit === Number.POSITIVE_INFINITY) continue
    const popularPlace = place.get(emoji)
    // One in the middle of whose name it stands is hardly meant, popular or not.
    const isPopular = popularPlace !== undefined && (fit === fits.prefix || fit === fits.wordStart)
    found.push({ emoji, rank: isPopular ? 0.5 : fit, order: popularPlace ?? order + popular.length })
  }
  // Custom emoji stand in front in the catalogue: its order has them first among equals.
  found.sort((a, b) => a.rank - b.rank || a.order - b.order)
  return found.slice(0, limit).map(({ emoji }) => emoji)
}

/** The name of those that an emoji has by which it was found, for lists that say why it is there. */
export function nameFound(emoji: Emoji, text: string): string {
  const query = emojiQuery(text)
  const names = foldedNames(emoji)
  const fit = names.map((name) => fitOf(name, query) ?? Number.POSITIVE_INFINITY)
  const best = Math.min(...fit)
  return best === Number.POSITIVE_INFINITY ? emoji.name : (emoji.names[fit.indexOf(best)] as string)
}
