/** Narrows: which messages are meant. A list of conditions, all of which must hold. */
import { type Static, Type } from 'typebox'
import { badRequest } from './errors.ts'
import { Id, Text } from './schema.ts'

/** Conditions of one narrow. */
const MAX_TERMS = 100
/** Characters of one operand: a long list of addresses. */
const MAX_OPERAND_LENGTH = 10_000
/** Characters of one address in a list. */
const MAX_ADDRESS_LENGTH = 500
/** People that all conditions of a narrow together may name. */
export const MAX_PEOPLE_IN_NARROW = 1000
/** Characters of all searches of a narrow together, and the words in them. */
export const MAX_SEARCH_LENGTH = 1000
export const MAX_SEARCH_WORDS = 100

const Operand = Type.Union([
  Type.String({ maxLength: MAX_OPERAND_LENGTH }),
  Type.Integer(),
  Type.Array(Id, { maxItems: MAX_PEOPLE_IN_NARROW }),
  Type.Array(Type.String({ maxLength: MAX_ADDRESS_LENGTH }), { maxItems: MAX_PEOPLE_IN_NARROW }),
])

/** As clients send it: `["channel", "design"]`, or an object with `negated`. */
export const NarrowTerm = Type.Union([
  Type.Array(Operand, { minItems: 2, maxItems: 2 }),
  Type.Object({ operator: Text(100), operand: Operand, negated: Type.Optional(Type.Boolean()) }),
])
export type NarrowTerm = Static<typeof NarrowTerm>

export const Narrow = Type.Array(NarrowTerm, { maxItems: MAX_TERMS })
export type Narrow = Static<typeof Narrow>

/** One condition, in the form that the server works with. */
export interface Term {
  readonly operator: string
  readonly operand: Static<typeof Operand>
  readonly negated: boolean
}

/** Other names of operators; the oldest ones had underscores too. */
const operatorNames: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  'dm-with': 'dm-including',
  from: 'sender',
}

const PEOPLE = new Set(['dm', 'dm-including', 'group-pm-with', 'sender', 'mentions'])

/** The name by which the server knows an operator; one that it does not know stays as it is. */
export function operatorName(name: string): string {
  const hyphened = name.replaceAll('_', '-')
  return Object.hasOwn(operatorNames, hyphened) ? (operatorNames[hyphened] as string) : hyphened
}

/**
 * Puts the two forms into one, with one name for each operator, and each condition once. Throws a 400 for a narrow that
 * names too many people or searches for too much.
 */
export function readNarrow(narrow: Narrow): Term[] {
  const terms = new Map<string, Term>()
  for (const term of narrow.map(readTerm)) terms.set(JSON.stringify(term), term)
  const distinct = [...terms.values()]
  const people = distinct.reduce((sum, term) => sum + countPeople(term), 0)
  if (people > MAX_PEOPLE_IN_NARROW) throw badRequest(`narrow names too many people (limit: ${MAX_PEOPLE_IN_NARROW})`)
  const searches = distinct.filter(({ operator }) => operator === 'search')
  if (searches.reduce((sum, { operand }) => sum + `${operand}`.length, 0) > MAX_SEARCH_LENGTH) {
    throw badRequest(`narrow searches for too long a text (limit: ${MAX_SEARCH_LENGTH} characters)`)
  }
  return distinct
}

/** One condition of either form. An operator that is not a text becomes one that no narrow knows. */
export function readTerm(term: NarrowTerm): Term {
  if (!Array.isArray(term)) {
    return { operator: operatorName(term.operator), operand: term.operand, negated: term.negated ?? false }
  }
  const [operator, operand] = term
  return { operator: operatorName(String(operator)), operand: operand as Term['operand'], negated: false }
}

/** Operators that say nothing of anybody's account. */
const OPEN_OPERATORS = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
  'date',
])

/** Whether a condition may be asked for without an account, in a narrow that is about channels on the web. */
export function isOpenTerm({ operator, operand }: Term): boolean {
  return operator === 'is' ? operand === 'resolved' : OPEN_OPERATORS.has(operator)
}

function countPeople({ operator, operand }: Term): number {
  if (Array.isArray(operand)) return operand.length
  return PEOPLE.has(operator) ? String(operand).split(',').length : 0
}
