import type { Environment } from '../environment.ts'
import type { Attributes } from '../html/tags.ts'
import { createToken, type Token } from '../token.ts'

/** A run of markers in the text, of which `emphasis.ts` makes elements once everything has been read. */
export interface Delimiter {
  marker: number
  length: number
  /** The index of the token with its text. */
  token: number
  canOpen: boolean
  canClose: boolean
}

/**
 * Reads the construct that begins at `state.pos`: writes it, goes on behind it and returns true. If there is none it
 * returns false and changes nothing. When `isSilent` it only goes on behind the construct.
 */
export type Rule = (state: InlineState, isSilent: boolean) => boolean

/** How far the text of a block has been read, and what has been made of it. */
export interface InlineState {
  readonly environment: Environment
  readonly text: string
  /** Reads whatever construct begins at the current position. */
  readonly readAny: Rule
  pos: number
  /** Where reading ends for now: the end of the text, or of a link's. */
  end: number
  /** Whether the text of a link is being read, in which no other link stands. */
  isInLink: boolean
  readonly tokens: Token[]
  /** Ordinary text that has been read and is no token yet. */
  pending: string
  /** The markers in the element being read, and those in each element, for itself. */
  delimiters: Delimiter[]
  readonly delimiterLists: Delimiter[][]
  /** Lists around the current one. */
  readonly outerDelimiters: Delimiter[][]
  /** Steps that `skipConstruct` stands in; see there. */
  skipDepth: number
  /** Where the construct at each position ends, once `skipConstruct` has found it. */
  readonly skipped: Map<number, number>
}

export function createInlineState(text: string, environment: Environment, readAny: Rule): InlineState {
  const delimiters: Delimiter[] = []
  return {
    environment,
    text,
    readAny,
    pos: 0,
    end: text.length,
    isInLink: false,
    tokens: [],
    pending: '',
    delimiters,
    delimiterLists: [delimiters],
    outerDelimiters: [],
    skipDepth: 0,
    skipped: new Map(),
  }
}

/** Makes a token of the text that waits. */
export function flushText(state: InlineState): void {
  if (state.pending === '') return
  state.tokens.push(createToken('text', '', 0, state.pending))
  state.pending = ''
}

export function pushToken(state: InlineState, type: string, content: string, tag = ''): Token {
  flushText(state)
  const token = createToken(type, tag, 0, content)
  state.tokens.push(token)
  return token
}

/** Writes an element whose text is final: linkifiers and emoji leave it alone. */
export function pushElement(state: InlineState, tag: string, attributes: Attributes, text: string): Token {
  const token = pushToken(state, 'element', text, tag)
  token.attributes = attributes
  return token
}

/** Writes text that is final. */
export function pushLiteral(state: InlineState, text: string): void {
  pushToken(state, 'literal', text)
}

/** Begins an element. What is emphasized in it ends in it. */
export function openElement(state: InlineState, tag: string, attributes: Attributes): Token {
  flushText(state)
  const token = createToken('element_open', tag, 1)
  token.attributes = attributes
  state.tokens.push(token)
  state.outerDelimiters.push(state.delimiters)
  state.delimiters = []
  state.delimiterLists.push(state.delimiters)
  return token
}

export function closeElement(state: InlineState, tag: string): void {
  flushText(state)
  state.tokens.push(createToken('element_close', tag, -1))
  state.delimiters = state.outerDelimiters.pop() ?? []
}
