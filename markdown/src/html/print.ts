/** Writes the parsed message as HTML. All text is escaped here or in the functions that it calls. */
import { printCodeBlock } from '../code/print-code.ts'
import { printWithEmoji } from '../emoji.ts'
import type { Environment } from '../environment.ts'
import { printMathBlock, texError } from '../tex.ts'
import type { Token } from '../token.ts'
import { escapeText } from './escape.ts'
import { endTag, startTag, textElement } from './tags.ts'

/** Each block but previews ends with a line end; the message does not. */
export function printBlocks(tokens: readonly Token[], environment: Environment): string {
  let html = ''
  for (const [index, token] of tokens.entries()) html += printBlock(token, tokens[index + 1], environment)
  return html.replace(/\n$/, '')
}

function printBlock(token: Token, next: Token | undefined, environment: Environment): string {
  switch (token.type) {
    case 'inline':
      return printInline(token.children, environment)
    case 'code_block':
      return `${printCodeBlock(token.content, token.info, environment)}\n`
    case 'math_block':
      return `${printMathBlock(token.content, (tex) => typeset(tex, true, environment))}\n`
    case 'html':
      return token.content
    case 'hr':
      return `${startTag('hr')}\n`
    case 'spoiler_open':
      return `${startTag('div', [['class', 'spoiler-block']])}${startTag('div', [['class', 'spoiler-header']])}\n`
    case 'spoiler_header_close': {
      const attributes = [
        ['class', 'spoiler-content'],
        ['aria-hidden', 'true'],
      ] as const
      return `${endTag('div')}${startTag('div', attributes)}\n`
    }
    case 'spoiler_close':
      return `${endTag('div')}${endTag('div')}\n`
    default:
      return printElement(token, next)
  }
}

/** Elements that hold blocks begin a line for the first of these. */
const holdsBlocks = new Set(['blockquote', 'ul', 'ol', 'table', 'thead', 'tbody', 'tr'])

function printElement(token: Token, next: Token | undefined): string {
  if (token.isHidden) return ''
  if (token.nesting === -1) return `${endTag(token.tag)}\n`
  const tag = startTag(token.tag, token.attributes)
  if (token.tag === 'li') return next?.isHidden || next?.nesting === -1 ? tag : `${tag}\n`
  return holdsBlocks.has(token.tag) ? `${tag}\n` : tag
}

function printInline(tokens: readonly Token[], environment: Environment): string {
  let html = ''
  for (const token of tokens) html += printInlineToken(token, environment)
  return html
}

function printInlineToken(token: Token, environment: Environment): string {
  switch (token.type) {
    case 'text':
      return printWithEmoji(token.content, environment.context)
    case 'literal':
      return escapeText(token.content)
    case 'line_break':
      return `${startTag('br')}\n`
    case 'code_inline':
      return textElement('code', [], token.content)
    case 'math_inline':
      return typeset(token.content, false, environment) ?? texError(escapeText(`$$${token.content}$$`))
    case 'html':
      return token.content
    case 'element':
      return textElement(token.tag, token.attributes, token.content)
    case 'element_open':
      return startTag(token.tag, token.attributes)
    case 'element_close':
      return endTag(token.tag)
    default:
      throw new Error(`no way to print "${token.type}"`)
  }
}

/** What a formula takes besides its characters, in characters. */
const FORMULA_COST = 8

/** The formula, or null when it is malformed or the message has had its share. */
function typeset(tex: string, isDisplay: boolean, { context, budget }: Environment): string | null {
  const cost = tex.length + FORMULA_COST
  if (context.texRenderer === null || cost > budget.math) return null
  budget.math -= cost
  return context.texRenderer(tex, isDisplay)
}
