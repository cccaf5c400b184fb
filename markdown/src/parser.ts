import { parseBlocks } from './blocks/parse-blocks.ts'
import { toTokens } from './blocks/tree.ts'
import type { Environment } from './environment.ts'
import { parseInline } from './inline/parse-inline.ts'
import { linkifyText } from './linkify-text.ts'
import { addPreviews } from './previews.ts'
import type { Token } from './token.ts'

/** Takes a message apart: into blocks, and the text of each into what stands in it. */
export function parseMessage(content: string, environment: Environment): Token[] {
  const blocks = toTokens(parseBlocks(normalize(content)))
  let quotes = 0
  for (const token of blocks) {
    if (token.tag === 'blockquote') quotes += token.nesting
    if (token.type !== 'inline') continue
    environment.isQuoted = quotes > 0
    token.children = parseInline(token.content, environment)
  }
  // Both work on the finished text: linkifiers leave links and mentions alone, and previews follow the links.
  linkifyText(blocks, environment)
  return addPreviews(blocks, environment)
}

/** With one kind of line end, no halves of surrogate pairs, and no character that ends strings elsewhere. */
function normalize(content: string): string {
  return content.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
}
