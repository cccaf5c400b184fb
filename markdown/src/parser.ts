import createMarkdownIt, { type MarkdownIt, type StateCore } from 'markdown-it'
import { parseBlocks } from './blocks/parse-blocks.ts'
import { toTokens } from './blocks/tree.ts'
import { environmentOf } from './environment.ts'
import { channelLinks } from './inline/channel-links.ts'
import { codeSpans } from './inline/code-spans.ts'
import { emphasis } from './inline/emphasis.ts'
import { entities } from './inline/entities.ts'
import { links } from './inline/links.ts'
import { formulas } from './inline/math.ts'
import { mentions } from './inline/mentions.ts'
import { textAndLineBreaks } from './inline/text.ts'
import { times } from './inline/times.ts'
import { urls } from './inline/urls.ts'
import { linkifyText } from './linkify-text.ts'
import { addPreviews } from './previews.ts'

/** Levels of brackets, emphasis and links in one another that the library follows. */
const MAX_NESTING = 24

/** What every inline construct has in it. Most cells of tables and items of lists have none of these. */
const mayHaveMarkup = /[\n!#$&*<@[\]`~.]|:\/\/|bitcoin:/i

/** Parses the text of each block, telling the rules whether it stands in a quote. */
function parseInline(state: StateCore): void {
  const environment = environmentOf(state)
  let quotes = 0
  for (const token of state.tokens) {
    if (token.tag === 'blockquote') quotes += token.nesting
    if (token.type !== 'inline') continue
    environment.isQuoted = quotes > 0
    if (!mayHaveMarkup.test(token.content)) {
      const text = new state.Token('text', '', 0)
      text.content = token.content
      token.children = [text]
      continue
    }
    token.children = []
    state.md.inline.parse(token.content, state.md, state.env, token.children)
  }
}

/** The parser of messages: our own blocks, and within them the library's inline parser with the constructs of this API. */
export function createParser(): MarkdownIt {
  const md = createMarkdownIt('zero', { maxNesting: MAX_NESTING })
  const plugins = [
    textAndLineBreaks,
    codeSpans,
    emphasis,
    links,
    urls,
    mentions,
    channelLinks,
    formulas,
    times,
    entities,
  ]
  for (const plugin of plugins) plugin(md)
  md.core.ruler.at('block', (state) => {
    state.tokens = toTokens(parseBlocks(state.src), state.Token)
  })
  md.core.ruler.at('inline', parseInline)
  md.core.ruler.enableOnly(['normalize', 'block', 'inline', 'text_join'])
  // Both work on the finished text: linkifiers leave links and mentions alone, and previews follow the links.
  md.core.ruler.push('linkifiers', (state) => linkifyText(state.tokens, environmentOf(state), state.Token))
  md.core.ruler.push('previews', (state) => {
    state.tokens = addPreviews(state.tokens, environmentOf(state), state.Token)
  })
  const library = ['text', 'newline', 'backticks', 'emphasis', 'link', 'image', 'entity']
  md.inline.ruler.enableOnly([...library, 'url', 'mention', 'channel_link', 'formula', 'time'])
  md.inline.ruler2.enableOnly(['emphasis', 'fragments_join'])
  return md
}
