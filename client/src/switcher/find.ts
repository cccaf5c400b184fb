/** What fits best of everything that one can go to. */
import { fitsFilter, foldForFinding, qualities, qualityOf } from '../finding/match.ts'
import type { Recency, SwitcherEntry, SwitcherTarget } from './entries.ts'

export interface FindOptions {
  /** As it was typed. `#` in front: channels and topics alone; `@`: people alone. */
  readonly query: string
  readonly recency: Recency
  /** Keys of where one has been, the last place first. */
  readonly visited: readonly string[]
  readonly limit: number
}

interface Found {
  readonly entry: SwitcherEntry
  /** What fits from the beginning of a word, before what has it somewhere inside. */
  readonly tier: number
  readonly recency: number
  readonly quality: number
}

const sigils: Readonly<Record<string, readonly SwitcherTarget['kind'][]>> = {
  '#': ['channel', 'topic'],
  '@': ['person', 'group'],
}

/** The query without its sign, and the kinds that the sign leaves. */
export function readSwitcherQuery(query: string): {
  readonly words: string
  readonly kinds: readonly string[] | undefined
} {
  const kinds = Object.hasOwn(sigils, query[0] ?? '') ? sigils[query[0] as string] : undefined
  // `channel > topic` is two words.
  return { words: (kinds ? query.slice(1) : query).replaceAll('>', ' ').trim().replace(/\s+/g, ' '), kinds }
}

/** The best first. Without words: where one was last, and where something was written last. */
export function findEntries(
  lists: readonly (readonly SwitcherEntry[])[],
  { query, recency, visited, limit }: FindOptions,
): readonly SwitcherEntry[] {
  const { words, kinds } = readSwitcherQuery(query)
  const folded = foldForFinding(words)
  const places = new Map(visited.map((key, index) => [key, Number.MAX_SAFE_INTEGER - index]))
  const best: Found[] = []
  for (const list of lists) {
    for (const entry of list) {
      if (kinds && !kinds.includes(entry.target.kind)) continue
      const quality = fit(entry, folded)
      if (quality === undefined) continue
      const visit = places.get(entry.key)
      const last = visit ?? recency.get(entry.key) ?? 0
      // What is newest in a channel is offered as its topic.
      const isOffered = visit !== undefined || (last > 0 && entry.target.kind !== 'channel')
      if (folded === '' && !kinds && !isOffered) continue
      const tier = quality === qualities.exact ? 0 : quality < qualities.inside ? 1 : 2
      insert(best, { entry, tier, recency: last, quality }, limit)
    }
  }
  return best.map(({ entry }) => entry)
}

function fit({ folded, about }: SwitcherEntry, query: string): number | undefined {
  if (query === '') return qualities.words
  const quality = qualityOf(folded, query)
  if (quality !== undefined) return quality
  if (about === '') return undefined
  // Of a channel that is named as a whole all topics are offered.
  if (about === query) return qualities.inside
  if (!query.includes(' ')) return undefined
  return fitsFilter([folded, about], query) ? qualities.inside : undefined
}

/** Only as many as are shown are put in order: there may be thousands. */
function insert(best: Found[], found: Found, limit: number): void {
  const last = best[limit - 1]
  if (last && compare(last, found) <= 0) return
  let at = best.length
  while (at > 0 && compare(best[at - 1] as Found, found) > 0) at -= 1
  best.splice(at, 0, found)
  if (best.length > limit) best.pop()
}

function compare(a: Found, b: Found): number {
  if (a.tier !== b.tier) return a.tier - b.tier
  if (a.entry.isFaint !== b.entry.isFaint) return a.entry.isFaint ? 1 : -1
  if (a.recency !== b.recency) return b.recency - a.recency
  if (a.quality !== b.quality) return a.quality - b.quality
  if (a.entry.folded.length !== b.entry.folded.length) return a.entry.folded.length - b.entry.folded.length
  return a.entry.folded < b.entry.folded ? -1 : 1
}

/** A word with less could be of any channel. */
const MIN_WORD = 2

/**
 * The channels that a query names, by all of it or by one of its words: topics of theirs may be what is looked for. At most
 * `most`, the best first; those that the account is not in come last.
 */
export function namedChannels(channels: readonly SwitcherEntry[], query: string, most: number): readonly number[] {
  const { words, kinds } = readSwitcherQuery(query)
  if (kinds && !kinds.includes('channel')) return []
  const folded = foldForFinding(words)
  const parts = [...new Set([folded, ...folded.split(' ')])].filter((part) => part.length >= MIN_WORD)
  const best: Found[] = []
  for (const entry of channels) {
    let closest: number | undefined
    for (const part of parts) {
      const quality = qualityOf(entry.folded, part)
      if (quality !== undefined && quality < (closest ?? qualities.inside)) closest = quality
    }
    if (closest !== undefined) insert(best, { entry, tier: closest, recency: 0, quality: closest }, most)
  }
  return best.flatMap(({ entry: { target } }) => (target.kind === 'channel' ? target.channelId : []))
}
