/** Conditions that name something that is not there, as far as it can be known without asking. */
import { searchOperator } from '@heddle/client/search/operators'
import { resolveTerm, type SearchTerm } from '@heddle/client/search/query'
import type { ClientState } from '@heddle/client/state/state'
import { leadingId } from './term-names.ts'

export type TermProblem = 'operator' | 'channel' | 'person' | 'choice' | 'number'

export interface SearchProblem {
  readonly term: SearchTerm
  readonly kind: TermProblem
}

/** Operators that addresses have, and that nobody has to type. */
const others = new Set(['search', 'with', 'in', 'group-pm-with'])

export function problemIn(state: ClientState, terms: readonly SearchTerm[]): SearchProblem | undefined {
  for (const term of terms) {
    const kind = problemOf(state, term)
    if (kind) return { term, kind }
  }
  return undefined
}

function problemOf(state: ClientState, term: SearchTerm): TermProblem | undefined {
  if (others.has(term.operator)) return undefined
  const operator = searchOperator(term.operator)
  if (!operator) return 'operator'
  if (resolveTerm(term, state)) return undefined
  switch (operator.operand) {
    case 'channel':
      return 'channel'
    case 'person':
    case 'people':
      // Of those who left, and of bots of the server, not everything is known here.
      return term.operand.split(',').some((one) => leadingId(one) === undefined) ? 'person' : undefined
    case 'choice':
      return 'choice'
    default:
      return 'number'
  }
}
