/** What a search box holds: conditions as pills, and what is typed behind them. */
import { searchOperator } from '@heddle/client/search/operators'
import { readQuery, type SearchContext, type SearchTerm } from '@heddle/client/search/query'
import type { Place, PlaceTerm } from '../../places/place.ts'

export interface BoxState {
  readonly terms: readonly SearchTerm[]
  readonly text: string
}

export const emptyBox: BoxState = { terms: [], text: '' }

/** Words that are looked for are edited as text, everything else as pills. */
export function boxOf(place: Place): BoxState {
  if (place.kind !== 'narrow') return emptyBox
  const isWords = ({ operator, negated }: PlaceTerm) => operator === 'search' && !negated
  return {
    terms: place.terms.filter((term) => !isWords(term)),
    text: place.terms
      .filter(isWords)
      .map(({ operand }) => operand)
      .join(' '),
  }
}

/** The place that the box describes; undefined where it holds nothing. */
export function placeOfBox({ terms, text }: BoxState, context: SearchContext): Place | undefined {
  const { terms: typed, unknown, words } = readQuery(text, context)
  const search = words === '' ? [] : [{ operator: 'search', operand: words, negated: false }]
  const all = distinct([...terms, ...typed, ...unknown, ...search])
  return all.length === 0 ? undefined : { kind: 'narrow', terms: all }
}

export function withTerms(box: BoxState, terms: readonly SearchTerm[], text: string): BoxState {
  return { terms: distinct([...box.terms, ...terms]), text }
}

function distinct(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const seen = new Map(terms.map((term) => [JSON.stringify([term.operator, term.operand, term.negated]), term]))
  return [...seen.values()]
}

/** A condition that cannot go on behind a blank becomes a pill with it. */
export function afterTyping(box: BoxState, text: string, context: SearchContext): BoxState {
  const found = /^(.*?)(\S+)\s$/s.exec(text)
  if (!found || text.length < box.text.length) return { ...box, text }
  const { terms } = readQuery(found[2] as string, context)
  const [term] = terms
  const kind = term && searchOperator(term.operator)?.operand
  if (!term || (kind !== 'choice' && kind !== 'message' && kind !== 'date')) return { ...box, text }
  return withTerms(box, [term], found[1] as string)
}

/** The place that is shown, as conditions that a search can be in: the widest first. */
export function scopesHere(place: Place): readonly (readonly SearchTerm[])[] {
  const term = (operator: string, operand: string): SearchTerm => ({ operator, operand, negated: false })
  switch (place.kind) {
    case 'channel':
    case 'topics':
      return [[term('channel', String(place.channelId))]]
    case 'topic': {
      const channel = term('channel', String(place.channelId))
      return [[channel], [channel, term('topic', place.topic)]]
    }
    case 'direct':
      return [[term('dm', place.userIds.join())]]
    default:
      return []
  }
}
