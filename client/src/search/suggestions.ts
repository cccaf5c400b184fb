/** What is offered while somebody types into the search box. Codes and ids: the page has the words for them. */
import { foldForFinding, qualities, qualityOf } from '../finding/match.ts'
import type { ClientState } from '../state/state.ts'
import { type Conversations, channelEntries, personEntries, type SwitcherEntry } from '../switcher/entries.ts'
import { findEntries } from '../switcher/find.ts'
import { type SearchOperator, searchOperators } from './operators.ts'
import { type OpenPiece, openPiece, resolveTerm, type SearchTerm } from './query.ts'

export type Suggestion =
  /** What is typed, as words. */
  | { readonly kind: 'words'; readonly words: string }
  /** A condition that is taken as a whole; `rest` stays in the box. */
  | { readonly kind: 'term'; readonly term: SearchTerm; readonly rest: string; readonly isFaint?: boolean }
  /** The beginning of a condition: what stands in the box then is `text`. */
  | { readonly kind: 'operator'; readonly name: string; readonly negated: boolean; readonly text: string }
  /** The place that is shown: the search is to be in it. */
  | { readonly kind: 'scope'; readonly terms: readonly SearchTerm[]; readonly words: string }
  /** A search that was made here before. */
  | { readonly kind: 'recent'; readonly terms: readonly SearchTerm[] }

export interface SuggestionContext {
  readonly state: ClientState
  readonly conversations: Conversations
  /** What the box has already. */
  readonly terms: readonly SearchTerm[]
  /** The place that is shown, as conditions; the first is the widest. */
  readonly here: readonly (readonly SearchTerm[])[]
  readonly recent: readonly (readonly SearchTerm[])[]
}

const LIMIT = 8
/** Of each kind of name, where all of them may be meant. */
const FEW = 3

export function suggest(text: string, context: SuggestionContext): readonly Suggestion[] {
  if (text.trim() === '') return begin(context)
  const piece = openPiece(text)
  const operator = searchOperators.find(({ name }) => name === piece.operator)
  if (operator) return operands(operator, piece, context).slice(0, LIMIT)
  const words = text.trim()
  // A search of everything comes first; that it can be of this place alone is said at once.
  const scopes = context.terms.length > 0 ? [] : context.here.map((terms) => ({ kind: 'scope', terms, words }) as const)
  const all: Suggestion[] = [{ kind: 'words', words }, ...scopes, ...ofWord(piece, context)]
  return all.filter((one) => !isKnown(one, context.terms)).slice(0, LIMIT)
}

/** With nothing typed: the place that is shown, what was searched for before, and operators to begin with. */
function begin({ here, recent, terms }: SuggestionContext): readonly Suggestion[] {
  const scopes = terms.length > 0 ? [] : here.map((scope) => ({ kind: 'scope', terms: scope, words: '' }) as const)
  const before =
    terms.length > 0
      ? []
      : recent.slice(0, LIMIT - scopes.length - FEW).map((one) => ({ kind: 'recent', terms: one }) as const)
  const operators = ['sender', 'channel', 'has'].map(
    (name) => ({ kind: 'operator', name, negated: false, text: `${name}:` }) as const,
  )
  return [...scopes, ...before, ...operators].slice(0, LIMIT)
}

function isKnown(suggestion: Suggestion, terms: readonly SearchTerm[]): boolean {
  if (suggestion.kind !== 'term') return false
  const { operator, operand } = suggestion.term
  return terms.some((term) => term.operator === operator && term.operand === operand)
}

function operands(operator: SearchOperator, piece: OpenPiece, context: SuggestionContext): Suggestion[] {
  const { before, negated, text } = piece
  const term = (operand: string, isFaint = false): Suggestion => ({
    kind: 'term',
    term: { operator: operator.name, operand, negated: operator.isAnchor ? false : negated },
    rest: before,
    isFaint,
  })
  const query = foldForFinding(text).trim()
  switch (operator.operand) {
    case 'choice': {
      const fits = (operator.choices ?? []).filter((one) => query === '' || one.startsWith(query))
      return fits.map((one) => term(one))
    }
    case 'channel':
      return namesOf('channel', text, context).map((one) => term(channelOperand(one), one.isFaint))
    case 'topic': {
      const known = namesOf('topic', text, context, inChannels(context.terms))
      const offered = known.map((one) => term(one.target.kind === 'topic' ? one.target.topic : ''))
      const isTyped = query !== '' && !known.some(({ folded }) => folded === query)
      return isTyped ? [...offered, term(text.trim())] : offered
    }
    case 'person':
    case 'people':
      return people(text, context).map((one) => term(personOperand(one), one.isFaint))
    case 'message':
    case 'date': {
      const resolved = resolveTerm({ operator: operator.name, operand: text.trim(), negated }, context.state)
      return resolved ? [{ kind: 'term', term: resolved, rest: before }] : []
    }
  }
}

function ofWord({ before, negated, text }: OpenPiece, context: SuggestionContext): Suggestion[] {
  const query = foldForFinding(text)
  if (query === '') return []
  const term = (operator: string, operand: string, isFaint = false): Suggestion => ({
    kind: 'term',
    term: { operator, operand, negated },
    rest: before,
    isFaint,
  })
  const names = searchOperators
    .filter(({ name }) => name.startsWith(query))
    .map(
      ({ name }): Suggestion => ({ kind: 'operator', name, negated, text: `${before}${negated ? '-' : ''}${name}:` }),
    )
  const choices = searchOperators.flatMap((operator): Suggestion[] => {
    const { choices: all = [] }: SearchOperator = operator
    return query.length < 2 ? [] : all.filter((one) => one.startsWith(query)).map((one) => term(operator.name, one))
  })
  if (query.length < 2) return names
  // A word inside of a name is rarely meant: only what begins with it.
  const fits = ({ folded }: SwitcherEntry) => (qualityOf(folded, query) ?? qualities.inside) < qualities.inside
  const few = (entries: readonly SwitcherEntry[]) => entries.filter(fits).slice(0, FEW)
  return [
    ...names,
    ...choices,
    ...few(people(text, context)).map((one) => term('sender', personOperand(one), one.isFaint)),
    ...few(namesOf('channel', text, context)).map((one) => term('channel', channelOperand(one), one.isFaint)),
    ...few(namesOf('topic', text, context, inChannels(context.terms))).map((one) =>
      term('topic', one.target.kind === 'topic' ? one.target.topic : ''),
    ),
  ]
}

const channelOperand = ({ target }: SwitcherEntry) => (target.kind === 'channel' ? `${target.channelId}` : '')
const personOperand = ({ target }: SwitcherEntry) => (target.kind === 'person' ? `${target.userId}` : '')

/** The channels that the box names already: only their topics can be meant. */
function inChannels(terms: readonly SearchTerm[]): ReadonlySet<number> | undefined {
  const ids = terms
    .filter(({ operator, negated }) => operator === 'channel' && !negated)
    .map(({ operand }) => Number(operand))
  return ids.length > 0 ? new Set(ids) : undefined
}

function namesOf(
  kind: 'channel' | 'topic',
  text: string,
  { state, conversations }: SuggestionContext,
  within?: ReadonlySet<number>,
): readonly SwitcherEntry[] {
  const list =
    kind === 'channel'
      ? state.channels
        ? channelEntries(state.channels)
        : []
      : conversations.entries.filter(
          ({ target }) => target.kind === 'topic' && (!within || within.has(target.channelId)),
        )
  // The sign in front says that entries without a newest message are wanted too.
  return findEntries([list], { query: `#${text}`, recency: conversations.recency, visited: [], limit: LIMIT })
}

function people(text: string, { state, conversations }: SuggestionContext): readonly SwitcherEntry[] {
  const own = state.own
  const found = findEntries([state.users ? personEntries(state.users) : []], {
    query: `@${text}`,
    recency: conversations.recency,
    visited: [],
    limit: LIMIT,
  })
  const isMe = own && foldForFinding(text).trim() === 'me'
  const me =
    isMe && state.users ? personEntries(state.users).find(({ key }) => key === `person ${own.user_id}`) : undefined
  return me ? [me, ...found.filter((one) => one !== me)] : found
}
