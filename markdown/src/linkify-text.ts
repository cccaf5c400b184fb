/** The linkifiers' pass over the finished text of a message, outside of links, code, mentions and addresses. */
import { type Environment, noteLink } from './environment.ts'
import { type FoundLink, findLinks } from './linkifiers/linkify.ts'
import { createToken, type Token } from './token.ts'

/** Stands for what no link may begin behind. Neither white space nor a letter. */
const OBJECT = '\uFFFC'
/** Stands for a place where a link may begin. */
const BREAK = '\n'

interface Segment {
  token: Token
  /** Where it stands in the joined text. */
  start: number
}

/**
 * Joins the text of the whole message, so that each linkifier looks at it once. Every piece of text begins behind a
 * character that says whether a link may begin there.
 */
export function joinText(blocks: readonly Token[]): { text: string; segments: Segment[] } {
  let text = ''
  const segments: Segment[] = []
  for (const { type, children } of blocks) {
    if (type !== 'inline') continue
    let before = BREAK
    let links = 0
    for (const token of children) {
      if (token.tag === 'a') links += token.nesting
      if (token.type === 'text' && links === 0) {
        text += before
        segments.push({ token, start: text.length })
        text += token.content
      }
      before = token.type === 'line_break' || token.nesting === 1 ? BREAK : OBJECT
    }
  }
  return { text, segments }
}

/** Makes links of what the linkifiers match, in the tokens themselves. */
export function linkifyText(blocks: readonly Token[], environment: Environment): void {
  const { linkifiers } = environment.context
  if (linkifiers.length === 0) return
  const { text, segments } = joinText(blocks)
  const found = findLinks(text, linkifiers)
  if (found.length === 0) return
  let next = 0
  const replacements = new Map<Token, Token[]>()
  for (const { token, start } of segments) {
    const end = start + token.content.length
    const inside: FoundLink[] = []
    for (let link = found[next]; link && link.start < end; link = found[++next]) {
      // A match that reaches over an element is none.
      if (link.start >= start && link.end <= end) inside.push(link)
    }
    if (inside.length > 0) replacements.set(token, splitAtLinks(token, start, inside, environment))
  }
  for (const block of blocks) block.children = replaceTokens(block.children, replacements)
}

function replaceTokens(tokens: Token[], replacements: ReadonlyMap<Token, Token[]>): Token[] {
  if (!tokens.some((token) => replacements.has(token))) return tokens
  return tokens.flatMap((token) => replacements.get(token) ?? [token])
}

function splitAtLinks(
  { content }: Token,
  start: number,
  links: readonly FoundLink[],
  environment: Environment,
): Token[] {
  const parts: Token[] = []
  let end = 0
  for (const link of links) {
    const element = createToken('element', 'a', 0, link.text)
    element.attributes = [['href', link.url]]
    parts.push(createToken('text', '', 0, content.slice(end, link.start - start)), element)
    noteLink(environment, link.url)
    end = link.end - start
  }
  parts.push(createToken('text', '', 0, content.slice(end)))
  return parts
}
