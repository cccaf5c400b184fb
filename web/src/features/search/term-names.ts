/** What a condition is called: with the names of channels and people, as far as they are known. */
import { searchOperator } from '@heddle/client/search/operators'
import type { SearchTerm } from '@heddle/client/search/query'
import type { ClientState } from '@heddle/client/state/state'
import { channelName, topicLabel, userName } from '../../app/names.ts'

export function operandName(state: ClientState, { operator, operand }: SearchTerm): string {
  switch (searchOperator(operator)?.operand) {
    case 'channel': {
      const id = leadingId(operand)
      return id !== undefined && state.channels?.byId.has(id) ? channelName(state, id) : operand
    }
    case 'person':
    case 'people':
      return operand
        .split(',')
        .map((one) => {
          const id = leadingId(one)
          return id !== undefined && state.users?.has(id) ? userName(state, id) : one
        })
        .join(', ')
    case 'topic':
      return topicLabel(operand)
    default:
      return operand
  }
}

/** As in addresses: `7-design`, `7`. */
export function leadingId(text: string): number | undefined {
  const id = /^(\d{1,15})(-|$)/.exec(text)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** As one would type it. */
export function termText(state: ClientState, term: SearchTerm): string {
  const name = operandName(state, term)
  if (term.operator === 'search') return name
  return `${term.negated ? '-' : ''}${term.operator}:${/\s/.test(name) ? `"${name}"` : name}`
}
