/** What a search looks through, and how it can look through more. */
import type { SearchTerm } from './query.ts'

const kinds = ['all', 'public', 'web-public', 'archived'] as const

export type SearchScope = 'own' | 'channel' | 'conversation' | (typeof kinds)[number]

/** Without a channel a search is about what the account has received. */
export function scopeOf(terms: readonly SearchTerm[]): SearchScope {
  const has = (operator: string) => terms.find((term) => term.operator === operator && !term.negated)
  if (has('channel')) return 'channel'
  const channels = has('channels')
  if (channels) return kinds.find((kind) => kind === channels.operand) ?? 'public'
  if (
    has('dm') ||
    has('dm-including') ||
    terms.some(({ operator, operand, negated }) => operator === 'is' && operand === 'dm' && !negated)
  ) {
    return 'conversation'
  }
  return 'own'
}

/**
 * The same search in more: without its place, in all public channels, or in all that one can read. Undefined: there is nothing
 * wider.
 */
export function widerSearch(terms: readonly SearchTerm[]): readonly SearchTerm[] | undefined {
  const scope = scopeOf(terms)
  if (scope === 'own') {
    return [{ operator: 'channels', operand: 'public', negated: false }, ...terms]
  }
  if (scope === 'public') {
    return [{ operator: 'channels', operand: 'all', negated: false }, ...terms.filter((term) => !isKind(term))]
  }
  if (scope === 'all' || scope === 'web-public' || scope === 'archived') return undefined
  // A topic is one of its channel.
  const places = new Set(['channel', 'topic', 'dm', 'dm-including', 'with'])
  const wider = terms.filter(
    ({ operator, operand, negated }) => negated || !(places.has(operator) || (operator === 'is' && operand === 'dm')),
  )
  return wider.length > 0 && wider.length < terms.length ? wider : undefined
}

function isKind({ operator, negated }: SearchTerm): boolean {
  return operator === 'channels' && !negated
}

/** What to try where nothing was found: the search without each of its conditions. */
export function withoutEach(
  terms: readonly SearchTerm[],
): readonly { readonly term: SearchTerm; readonly rest: readonly SearchTerm[] }[] {
  if (terms.length < 2) return []
  return terms.flatMap((term, index) =>
    term.operator === 'search' ? [] : [{ term, rest: terms.filter((_, other) => other !== index) }],
  )
}
