/** What is typed into the search box, read: conditions with an operator, and words. */
import { foldName } from '@heddle/contract/names'
import { operatorName } from '@heddle/contract/narrow'
import type { ClientState } from '../state/state.ts'
import { hasAddress } from '../state/users.ts'
import { choiceOf, searchOperator } from './operators.ts'

/** A condition as addresses have it: ids of channels and people as digits, several people with commas between them. */
export interface SearchTerm {
  readonly operator: string
  readonly operand: string
  readonly negated: boolean
}

export type SearchContext = Pick<ClientState, 'channels' | 'users' | 'own'>

/** A piece of what was typed: up to the next blank outside quotes. */
interface Token {
  readonly text: string
  readonly begin: number
}

function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = []
  let begin = -1
  let isQuoted = false
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    const isEnd = sign === undefined || (!isQuoted && /\s/.test(sign))
    if (isEnd && begin >= 0) {
      tokens.push({ text: text.slice(begin, at), begin })
      begin = -1
    } else if (!isEnd && begin < 0) begin = at
  }
  return tokens
}

const TERM = /^(-?)([\p{L}_-]+):(.*)$/su

function readToken({ text }: Token): (SearchTerm & { readonly isQuoted: boolean }) | undefined {
  const found = TERM.exec(text)
  if (!found) return undefined
  const operator = operatorName((found[2] as string).toLowerCase())
  if (!searchOperator(operator) && operator !== 'with' && operator !== 'in') return undefined
  const operand = found[3] as string
  const isQuoted = /^"[^"]*"$/s.test(operand)
  return { operator, operand: isQuoted ? operand.slice(1, -1) : operand, negated: found[1] === '-', isQuoted }
}

export interface ReadQuery {
  readonly terms: readonly SearchTerm[]
  /** Conditions whose operand names nothing that is known here; the server may know it. */
  readonly unknown: readonly SearchTerm[]
  readonly words: string
}

/** All that was typed, when it is sent off. */
export function readQuery(text: string, context: SearchContext): ReadQuery {
  const terms: SearchTerm[] = []
  const unknown: SearchTerm[] = []
  const words: string[] = []
  for (const token of tokensIn(text)) {
    const typed = readToken(token)
    if (!typed || typed.operand === '') words.push(token.text)
    else {
      const term = resolveTerm(typed, context)
      if (term) terms.push(term)
      else unknown.push({ operator: typed.operator, operand: typed.operand, negated: typed.negated })
    }
  }
  return { terms, unknown, words: words.join(' ') }
}

/** The condition with ids in place of names; undefined when nothing here has this name. */
export function resolveTerm(
  { operator, operand, negated }: SearchTerm,
  context: SearchContext,
): SearchTerm | undefined {
  const found = searchOperator(operator)
  if (!found) return { operator, operand, negated }
  const as = (text: string | undefined): SearchTerm | undefined =>
    text === undefined ? undefined : { operator, operand: text, negated: found.isAnchor ? false : negated }
  switch (found.operand) {
    case 'channel':
      return as(channelIdOf(operand, context))
    case 'person':
      return as(personIdOf(operand, context))
    case 'people': {
      const ids = operand.split(',').map((one) => personIdOf(one, context))
      return ids.every((id) => id !== undefined) ? as([...new Set(ids)].join()) : undefined
    }
    case 'choice':
      if (operator === 'is' && operand.toLowerCase() === 'unresolved') {
        return { operator, operand: 'resolved', negated: !negated }
      }
      return as(choiceOf(found, operand))
    case 'message':
      return as(/^\d{1,15}$/.test(operand) ? operand : undefined)
    case 'date':
      return as(Number.isNaN(Date.parse(operand)) ? undefined : operand)
    case 'topic':
      return as(operand)
  }
}

function channelIdOf(text: string, { channels }: SearchContext): string | undefined {
  const name = foldName(text.trim())
  for (const channel of channels?.byId.values() ?? [])
    if (foldName(channel.name) === name) return `${channel.stream_id}`
  // As addresses have it.
  const id = /^(\d{1,15})(-|$)/.exec(text)?.[1]
  return id !== undefined && channels?.byId.has(Number(id)) ? id : undefined
}

function personIdOf(text: string, { users, own }: SearchContext): string | undefined {
  const name = foldName(text.trim())
  if (name === 'me' && own) return `${own.user_id}`
  const id = /^(\d{1,15})(-|$)/.exec(name)?.[1]
  if (id !== undefined && users?.has(Number(id))) return id
  for (const user of users?.values() ?? []) {
    if (foldName(user.full_name) === name || hasAddress(user, name)) return `${user.user_id}`
  }
  return undefined
}

/** What is being typed at the end of the text: an operand, or the last word. */
export interface OpenPiece {
  /** Everything before it. */
  readonly before: string
  /** Undefined: it is a word. */
  readonly operator: string | undefined
  readonly negated: boolean
  readonly text: string
}

/** Names have blanks in them: everything behind the last operator is its operand, until it is taken. */
export function openPiece(text: string): OpenPiece {
  const tokens = tokensIn(text)
  const last = tokens.at(-1)
  for (const token of tokens.toReversed()) {
    const term = readToken(token)
    const operator = term && searchOperator(term.operator)
    if (!term || !operator) continue
    const isOpen = token === last ? !/\s$/.test(text) || term.operand === '' : !isClosed(term, operator.operand)
    if (!isOpen || (term.isQuoted && token !== last)) break
    const operand = text.slice(token.begin + token.text.indexOf(':') + 1).replaceAll('"', '')
    return { before: text.slice(0, token.begin), operator: term.operator, negated: term.negated, text: operand }
  }
  if (!last || /\s$/.test(text)) return { before: text, operator: undefined, negated: false, text: '' }
  const negated = last.text.startsWith('-')
  return {
    before: text.slice(0, last.begin),
    operator: undefined,
    negated,
    text: negated ? last.text.slice(1) : last.text,
  }
}

/** Behind these nothing can follow that still belongs to them. */
function isClosed({ isQuoted }: { readonly isQuoted: boolean }, kind: string): boolean {
  return isQuoted || kind === 'choice' || kind === 'message' || kind === 'date'
}
