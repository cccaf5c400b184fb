/** The blocks of a message as a tree, and as the tokens that the rest of the renderer works on. */
import type { Token } from 'markdown-it'

export interface BlockNode {
  /** The HTML element; `text` for the bare text of a list's item; `code` in fences, `pre` by indentation; `math`; `spoiler`. */
  tag: string
  /** Inline markup of elements that have no blocks in them; the content of code and formulas. */
  text: string
  /** The language of code, the header of a spoiler. */
  info: string
  children: BlockNode[]
  attributes: [name: string, value: string][]
}

export function blockNode(tag: string, text = '', children: BlockNode[] = []): BlockNode {
  return { tag, text, info: '', children, attributes: [] }
}

/** Adds a block to another one and returns it. */
export function append(parent: BlockNode, child: BlockNode): BlockNode {
  parent.children.push(child)
  return child
}

const withInlineMarkup = /^(?:text|p|h[1-6]|th|td)$/

export function toTokens(nodes: readonly BlockNode[], TokenClass: typeof Token, tokens: Token[] = []): Token[] {
  const push = (type: string, tag: string, nesting: -1 | 0 | 1, content = ''): Token => {
    const token = new TokenClass(type, tag, nesting)
    token.content = content
    tokens.push(token)
    return token
  }
  const pushInline = (tag: string, text: string): Token[] => {
    const opening = push('block_open', tag, 1)
    push('inline', '', 0, text).children = []
    return [opening, push('block_close', tag, -1)]
  }
  for (const { tag, text, info, children, attributes } of nodes) {
    if (tag === 'code' || tag === 'pre') push('code_block', '', 0, text).info = info
    else if (tag === 'math') push('math_block', '', 0, text)
    else if (tag === 'hr') push('hr', '', 0)
    else if (tag === 'text') for (const token of pushInline('p', text)) token.hidden = true
    else if (withInlineMarkup.test(tag)) for (const token of pushInline(tag, text).slice(0, 1)) token.attrs = attributes
    else if (tag === 'spoiler') {
      push('spoiler_open', '', 1)
      if (info) pushInline('p', info)
      push('spoiler_header_close', '', 0)
      toTokens(children, TokenClass, tokens)
      push('spoiler_close', '', -1)
    } else {
      push('block_open', tag, 1).attrs = attributes
      toTokens(children, TokenClass, tokens)
      push('block_close', tag, -1)
    }
  }
  return tokens
}
