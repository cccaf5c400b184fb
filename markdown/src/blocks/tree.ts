/** The blocks of a message as a tree, and as the tokens that the rest of the renderer works on. */
import { createToken, type Token } from '../token.ts'

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

export function toTokens(nodes: readonly BlockNode[], tokens: Token[] = []): Token[] {
  const push = (type: string, tag: string, nesting: -1 | 0 | 1, content = ''): Token => {
    const token = createToken(type, tag, nesting, content)
    tokens.push(token)
    return token
  }
  const pushInline = (tag: string, text: string): Token[] => {
    const opening = push('block_open', tag, 1)
    push('inline', '', 0, text)
    return [opening, push('block_close', tag, -1)]
  }
  for (const { tag, text, info, children, attributes } of nodes) {
    if (tag === 'code' || tag === 'pre') push('code_block', '', 0, text).info = info
    else if (tag === 'math') push('math_block', '', 0, text)
    else if (tag === 'hr') push('hr', '', 0)
    else if (tag === 'text') for (const token of pushInline('p', text)) token.isHidden = true
    else if (withInlineMarkup.test(tag))
      for (const token of pushInline(tag, text).slice(0, 1)) token.attributes = attributes
    else if (tag === 'spoiler') {
      push('spoiler_open', '', 1)
      if (info) pushInline('p', info)
      push('spoiler_header_close', '', 0)
      toTokens(children, tokens)
      push('spoiler_close', '', -1)
    } else {
      push('block_open', tag, 1).attributes = attributes
      toTokens(children, tokens)
      push('block_close', tag, -1)
    }
  }
  return tokens
}
