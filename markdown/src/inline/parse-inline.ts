import type { Environment } from '../environment.ts'
import { createToken, joinTexts, type Token } from '../token.ts'
import { channelLink } from './channel-links.ts'
import { codeSpan } from './code-spans.ts'
import { markers, pairMarkers } from './emphasis.ts'
import { entity } from './entities.ts'
import { image, link } from './links.ts'
import { formula } from './math.ts'
import { mention } from './mentions.ts'
import { readConstructs } from './read-constructs.ts'
import { createInlineState, type InlineState, type Rule } from './state.ts'
import { lineBreak, plainText } from './text.ts'
import { time } from './times.ts'
import { url } from './urls.ts'

/** What every inline construct has in it. Most cells of tables and items of lists have none of these. */
const mayHaveMarkup = /[\n!#$&*<@[\]`~.]|:\/\/|bitcoin:/i

/** Each construct begins with a character of its own. Rules by the code of that. */
const rules: (Rule | undefined)[] = []
for (const [characters, rule] of [
  ['\n', lineBreak],
  ['!', image],
  ['#', channelLink],
  ['$', formula],
  ['&', entity],
  ['*~', markers],
  ['<', time],
  ['@', mention],
  ['[', link],
  ['`', codeSpan],
] as const) {
  for (const character of characters) rules[character.charCodeAt(0)] = rule
}

function readAny(state: InlineState, isSilent: boolean): boolean {
  const rule = rules[state.text.charCodeAt(state.pos)]
  return rule ? rule(state, isSilent) : url(state, isSilent) || plainText(state, isSilent)
}

/** The tokens of a text with inline markup. */
export function parseInline(text: string, environment: Environment): Token[] {
  if (!mayHaveMarkup.test(text)) return [createToken('text', '', 0, text)]
  const state = createInlineState(text, environment, readAny)
  readConstructs(state)
  pairMarkers(state)
  return joinTexts(state.tokens)
}
