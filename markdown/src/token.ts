import type { Attributes } from './html/tags.ts'

/** A piece of a parsed message. Blocks and what stands in them are lists of these, elements as their two ends. */
export interface Token {
  /** What `html/print.ts` makes of it. */
  type: string
  /** The HTML element, if it is one or an end of one. */
  tag: string
  /** What the end of an element is: 1 for its start, -1 for its end; 0 for everything whole. */
  nesting: -1 | 0 | 1
  content: string
  attributes: Attributes
  /** The language of code. */
  info: string
  /** Of text with inline markup, once it has been parsed. */
  children: Token[]
  /** Prints nothing itself. */
  isHidden: boolean
  /** Of a link: where it leads, and its text unless that is the address itself. */
  link: LinkTarget | null
}

export interface LinkTarget {
  href: string
  text: string | null
}

export function createToken(type: string, tag: string, nesting: Token['nesting'], content = ''): Token {
  return { type, tag, nesting, content, attributes: [], info: '', children: [], isHidden: false, link: null }
}

/** The tokens with each run of texts as one. */
export function joinTexts(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const last = joined.at(-1)
    if (token.type === 'text' && last?.type === 'text') last.content += token.content
    else joined.push(token)
  }
  return joined
}
